import pytest

from kakurenbo.attacks.purchases import base


@pytest.fixture(scope="module")
def words_once():
    """Infer how a release writes its values once for all who attack the same two tables."""
    infer, made = base.common_vocabulary, {}

    def once(*tables, asked=()):
        key = (*map(id, tables), frozenset(asked))
        if key not in made:  # tables that are held keep their ids to themselves
            made[key] = tables, infer(*tables, **({"asked": asked} if asked else {}))
        return made[key][1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(base, "common_vocabulary", once)
        yield
