"""Whatever is in the catalogue is tried by the search, or says why not."""

import pytest

import kakurenbo as kb
from kakurenbo.catalogue import entries
from kakurenbo.tuning.space import Space
from kakurenbo.tuning.starts import starts, theory_of
from shops import light_shop

TABLES = {"purchases": light_shop(30, seed=1), "microdata": kb.demo.households(80, seed=1)}


@pytest.mark.parametrize("kind", TABLES)
def test_the_tables_show_everything_that_methods_and_knobs_need(kind):
    abouts = [entry.what.about for entry in entries("method", kind)]
    needs = {need for about in abouts for part in (about, *about.knobs) for need in part.needs}
    assert needs
    assert needs <= TABLES[kind].shown


@pytest.mark.parametrize("entry", entries("method"), ids=lambda entry: f"{entry.name}-{entry.kind}")
def test_every_method_stands_in_the_space_or_says_why_not(entry):
    offers = {
        offer.method: (slot.name, offer)
        for slot in Space.of(TABLES[entry.kind]).slots
        for offer in slot.offers
    }
    about = entry.what.about
    if about.untuned:
        assert entry.name not in offers
        assert len(about.untuned.split()) > 3, "a reason, in words"
    else:
        slot, offer = offers[entry.name]
        assert (slot, len(offer.knobs)) == (about.slot, len(about.knobs))


@pytest.mark.parametrize("max_risk", [0.01, 0.1, 0.5])
@pytest.mark.parametrize("kind", TABLES)
def test_every_method_offered_is_among_the_first_trials(kind, max_risk):
    space = Space.of(TABLES[kind])
    offered = {offer.method for slot in space.slots for offer in slot.offers}
    first = starts(space, max_risk, theory_of(TABLES[kind]))
    plans = [space.plan(lambda knob, values=start.values: values[knob.name]) for start in first]
    assert {step.method for plan in plans for step in plan.steps} == offered
