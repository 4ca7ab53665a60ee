"""Microdata: growth of the attacks to a million households, and our numbers beside the peers' in one run."""

import numpy as np

import kakurenbo as kb
from bench.harness import compare, growth, in_process, seconds

SIX = ["region", "age_band", "household_size", "education", "rooms", "cars"]


def attacking(attack):
    def job(rows):
        people = kb.demo.households(rows, seed=1)
        release = kb.methods.NoiseMicrodata(scale=0.1).release(people, seed=2)
        return lambda: attack.guess(people, release.data, seed=1)

    return job


def attacks():
    sizes = (62_500, 125_000, 250_000, 500_000, 1_000_000)
    growth("EUC1", attacking(kb.attacks.Euc1()), sizes, unit="households")
    growth("E2 identify-sa", attacking(kb.attacks.IdentifySa()), sizes, unit="households")
    code = (
        "import kakurenbo as kb; p = kb.demo.households({n}, seed=1);"
        "r = kb.methods.NoiseMicrodata(scale=0.1).release(p, seed=2).data;"
        "[a.guess(p, r, seed=1) for a in (kb.attacks.Euc1(), kb.attacks.IdentifySa())]"
    )
    for rows in (250_000, 500_000, 1_000_000):
        took, peak = in_process(code.format(n=rows))
        print(f"EUC1 and E2, all in all, {rows:,} households: {took:.1f} s, {peak:,} MiB at most", flush=True)
    people = kb.demo.households(8333, seed=1)
    noisy = kb.methods.NoiseMicrodata(scale=0.1).release(people, seed=2).data
    regions = noisy.records.with_columns(region=noisy.records["region"] + "?")  # equal to nobody's
    moved = kb.Microdata.from_frame(regions, qi=noisy.qi, sa=noisy.sa)
    for title, released in (("equal QIs", noisy), ("no equal QIs, all rows searched", moved)):
        kb.attacks.Euc2().guess(people, released, seed=1)
        took = seconds(lambda data=released: kb.attacks.Euc2().guess(people, data, seed=1))
        print(f"EUC2 on 8,333 x (13 QI, 12 SA), {title}: {took:.2f} s", flush=True)


def within():
    """Cells and rows grow together."""

    def job(rows):
        people = kb.Microdata.from_frame(
            kb.demo.households_frame(rows, seed=1), qi=SIX, sa=["income", "food"]
        )
        release = kb.methods.KAnonymize(k=10).release(people, seed=1)
        return lambda: kb.attacks.Within().guess(people, release.data, seed=1)

    growth("within, k-anonymize k = 10, 6 QIs", job, (30_000, 60_000, 120_000, 240_000), unit="households")


def groups():
    """k, l and t of a million rows beside pyCANON; the numbers must be equal."""
    try:
        from pycanon import anonymity  # noqa: PLC0415
    except ImportError:
        print("pyCANON is not installed: nothing to compare with (make bench installs it)")
        return
    frame = kb.demo.households_frame(1_000_000, seed=1)
    for qi, sa in ((["region", "sex", "settlement"], ["rooms", "cars"]), (SIX[:5], ["cars"])):
        people = kb.Microdata.from_frame(frame, qi=qi, sa=sa)
        plain = frame.select(*qi, *sa).to_pandas()
        groups = kb.profile(people).groups
        for name, ours, theirs in (
            ("k", kb.measures.KAnonymity(), lambda p=plain, q=qi: anonymity.k_anonymity(p, q)),
            ("l", kb.measures.LDiversity(), lambda p=plain, q=qi, s=sa: anonymity.l_diversity(p, q, s)),
            ("t", kb.measures.TCloseness(), lambda p=plain, q=qi, s=sa: anonymity.t_closeness(p, q, s)),
        ):
            if not np.isclose(ours.of(people, people).value, theirs()):
                print(f"{name}: OUR NUMBER IS NOT THEIRS")
            title = f"{name} of 1M rows in {groups:,} groups, {len(sa)} SA, against pyCANON"
            compare(title, lambda m=ours, p=people: m.of(p, p), theirs)


def boxes():
    """Mondrian beside AnonyPyx."""
    try:
        import anonypyx  # noqa: PLC0415
    except ImportError:
        print("AnonyPyx is not installed: nothing to compare with (make bench installs it)")
        return
    frame = kb.demo.households_frame(30_000, seed=1).select(*SIX, "income")
    people = kb.Microdata.from_frame(frame, qi=SIX, sa=["income"])
    plain = frame.to_pandas()
    for name in SIX:
        if plain[name].dtype.kind not in "iuf":
            plain[name] = plain[name].astype("category")
    peer = {"k": 10, "algorithm": "Mondrian", "feature_columns": SIX, "sensitive_column": "income"}
    compare(
        "k-anonymize 30,000 rows x 6 QIs, k = 10, against AnonyPyx's Mondrian",
        lambda: kb.methods.KAnonymize(k=10).release(people, seed=1),
        lambda: anonypyx.Anonymiser(plain, **peer).anonymise(),
        repeat=1,
    )


def run():
    groups()
    boxes()
    attacks()
    within()
