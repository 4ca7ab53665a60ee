"""The audit: the panel beside the same attackers each on his own, how it grows, and all of Online Retail."""

from tempfile import TemporaryDirectory

import kakurenbo as kb
from bench.harness import DATA, compare, growth, in_process
from kakurenbo.auditing.panel.members import attackers
from kakurenbo.auditing.panel.panel import Panel
from kakurenbo.auditing.proof import controls
from kakurenbo.chance import Chance

WHOLE = """
import kakurenbo as kb
shop = kb.datasets.online_retail({path!r})
release = {method}.release(shop, seed=1)
result = kb.audit(shop, release, seed=1)
kb.report.write(result, {report!r})
"""


def part(shop, people):
    return controls.sample(shop, people, Chance(1))


def run():
    path = DATA / "online_retail.parquet"
    shop = kb.datasets.online_retail(path)
    small = part(shop, 1000)
    release = kb.methods.Compact(min_size=8, effort=100).release(small, seed=1)

    def alone():
        for attacker in attackers(small):
            attacker.attack.guess(small, release.data, seed=1)

    compare(
        "panel on 1,000 customers, padded; plain: every attacker on his own",
        lambda: Panel.of(small).attack(release.data, release.pairing, seed=1),
        alone,
    )

    def work(people):
        data = part(shop, people)
        made = kb.methods.Delete(share=0.3).release(data, seed=1)
        return lambda: Panel.of(data).attack(made.data, made.pairing, seed=1)

    growth("panel, 30 % deleted", work, [500, 1000, 2000, 4000])
    for title, method in (
        ("new names", "kb.methods.Pseudonymize()"),
        ("a million dummies", "kb.methods.Compact(min_size=8)"),
    ):
        with TemporaryDirectory() as folder:
            asked = {"path": str(path), "method": method, "report": f"{folder}/audit.html"}
            took, peak = in_process(WHOLE.format(**asked))
        print(f"audit and report of Online Retail, {title}: {took:.1f} s with the release made, {peak:,} MiB")
