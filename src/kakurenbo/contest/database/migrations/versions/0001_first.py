"""The tables of the first version."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make them."""
    op.create_table(
        "announcements",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("token", sa.String(length=16), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("text_ja", sa.String(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_announcements"),
        sa.UniqueConstraint("token", name="uq_announcements_token"),
    )
    op.create_table(
        "attempts",
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("window", sa.BigInteger(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("expires", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_attempts"),
    )
    op.create_index("ix_attempts_expires", "attempts", ["expires"], unique=False)
    op.create_table(
        "events",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("who", sa.String(length=80), nullable=False),
        sa.Column("what", sa.String(length=40), nullable=False),
        sa.Column("about", sa.String(length=240), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_events"),
    )
    op.create_index("ix_events_at", "events", ["at"], unique=False)
    op.create_index("ix_events_what", "events", ["what"], unique=False)
    op.create_table(
        "phases",
        sa.Column("name", sa.String(length=20), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("starts", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("name", name="pk_phases"),
        sa.UniqueConstraint("place", name="uq_phases_place"),
    )
    op.create_table(
        "settings",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("value", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_settings"),
    )
    op.create_table(
        "teams",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("token", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("folded", sa.String(length=240), nullable=False),
        sa.Column("join_digest", sa.String(length=64), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_teams"),
        sa.UniqueConstraint("folded", name="uq_teams_folded"),
        sa.UniqueConstraint("join_digest", name="uq_teams_join_digest"),
        sa.UniqueConstraint("token", name="uq_teams_token"),
    )
    op.create_table(
        "users",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("token", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("folded", sa.String(length=240), nullable=False),
        sa.Column("password", sa.String(length=255), nullable=False),
        sa.Column("organiser", sa.Boolean(), nullable=False),
        sa.Column("language", sa.String(length=2), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_users"),
        sa.UniqueConstraint("folded", name="uq_users_folded"),
        sa.UniqueConstraint("token", name="uq_users_token"),
    )
    op.create_table(
        "members",
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("team_id", sa.Integer(), nullable=False),
        sa.Column("joined", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["team_id"], ["teams.id"], name="fk_members_team_id"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_members_user_id"),
        sa.PrimaryKeyConstraint("user_id", name="pk_members"),
    )
    op.create_index("ix_members_team_id", "members", ["team_id"], unique=False)
    op.create_table(
        "sessions",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("seen", sa.BigInteger(), nullable=False),
        sa.Column("expires", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_sessions_user_id"),
        sa.PrimaryKeyConstraint("digest", name="pk_sessions"),
    )
    op.create_index("ix_sessions_expires", "sessions", ["expires"], unique=False)
    op.create_index("ix_sessions_user_id", "sessions", ["user_id"], unique=False)
    op.create_table(
        "submissions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("token", sa.String(length=16), nullable=False),
        sa.Column("team_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("phase", sa.String(length=20), nullable=False),
        sa.Column("target_id", sa.Integer(), nullable=True),
        sa.Column("release_id", sa.Integer(), nullable=True),
        sa.Column("filename", sa.String(length=120), nullable=False),
        sa.Column("stored", sa.String(length=64), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("commitment", sa.String(length=64), nullable=False),
        sa.Column("salt", sa.String(length=64), nullable=False),
        sa.Column("received", sa.BigInteger(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["release_id"], ["submissions.id"], name="fk_submissions_release_id"),
        sa.ForeignKeyConstraint(["target_id"], ["teams.id"], name="fk_submissions_target_id"),
        sa.ForeignKeyConstraint(["team_id"], ["teams.id"], name="fk_submissions_team_id"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_submissions_user_id"),
        sa.PrimaryKeyConstraint("id", name="pk_submissions"),
        sa.UniqueConstraint("stored", name="uq_submissions_stored"),
        sa.UniqueConstraint("token", name="uq_submissions_token"),
    )
    op.create_index(
        "ix_submissions_team_id_kind_phase_target_id",
        "submissions",
        ["team_id", "kind", "phase", "target_id"],
        unique=False,
    )
    op.create_table(
        "tokens",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("token", sa.String(length=16), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("label", sa.String(length=60), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_tokens_user_id"),
        sa.PrimaryKeyConstraint("id", name="pk_tokens"),
        sa.UniqueConstraint("digest", name="uq_tokens_digest"),
        sa.UniqueConstraint("token", name="uq_tokens_token"),
    )
    op.create_index("ix_tokens_user_id", "tokens", ["user_id"], unique=False)
    op.create_table(
        "jobs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("submission_id", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("lease", sa.String(length=16), nullable=True),
        sa.Column("worker", sa.String(length=80), nullable=True),
        sa.Column("trouble", sa.String(length=120), nullable=True),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("ended", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["submission_id"], ["submissions.id"], name="fk_jobs_submission_id"),
        sa.PrimaryKeyConstraint("id", name="pk_jobs"),
        sa.UniqueConstraint("submission_id", "round", name="uq_jobs_submission_id_round"),
    )
    op.create_index("ix_jobs_state_due", "jobs", ["state", "due"], unique=False)
    op.create_table(
        "releases",
        sa.Column("team_id", sa.Integer(), nullable=False),
        sa.Column("submission_id", sa.Integer(), nullable=False),
        sa.Column("filename", sa.String(length=120), nullable=False),
        sa.Column("stored", sa.String(length=64), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("published", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["submission_id"], ["submissions.id"], name="fk_releases_submission_id"),
        sa.ForeignKeyConstraint(["team_id"], ["teams.id"], name="fk_releases_team_id"),
        sa.PrimaryKeyConstraint("team_id", name="pk_releases"),
        sa.UniqueConstraint("stored", name="uq_releases_stored"),
        sa.UniqueConstraint("submission_id", name="uq_releases_submission_id"),
    )
    op.create_table(
        "results",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("submission_id", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("valid", sa.Boolean(), nullable=False),
        sa.Column("document", sa.String(), nullable=False),
        sa.Column("hits", sa.String(length=64), nullable=True),
        sa.Column("judged", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["submission_id"], ["submissions.id"], name="fk_results_submission_id"),
        sa.PrimaryKeyConstraint("id", name="pk_results"),
        sa.UniqueConstraint("hits", name="uq_results_hits"),
        sa.UniqueConstraint("submission_id", "round", name="uq_results_submission_id_round"),
    )


def downgrade() -> None:
    """Remove them."""
    op.drop_table("results")
    op.drop_table("releases")
    op.drop_table("jobs")
    op.drop_table("tokens")
    op.drop_table("submissions")
    op.drop_table("sessions")
    op.drop_table("members")
    op.drop_table("users")
    op.drop_table("teams")
    op.drop_table("settings")
    op.drop_table("phases")
    op.drop_table("events")
    op.drop_table("attempts")
    op.drop_table("announcements")
