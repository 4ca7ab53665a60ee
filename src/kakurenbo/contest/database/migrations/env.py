"""What alembic runs to migrate: within the transaction that `migrate.upgrade` has begun."""

from alembic import context

from kakurenbo.contest.database.models import Table

connection = context.config.attributes["connection"]
context.configure(
    connection=connection, target_metadata=Table.metadata, render_as_batch=connection.dialect.name == "sqlite"
)
with context.begin_transaction():
    context.run_migrations()
