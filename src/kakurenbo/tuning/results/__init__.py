"""What the search found: trials, the frontier of risk and loss, the plan to take, and why."""

from kakurenbo.tuning.results.choice import PAPERS as PAPERS
from kakurenbo.tuning.results.choice import choose as choose
from kakurenbo.tuning.results.choice import compared as compared
from kakurenbo.tuning.results.choice import dealt as dealt
from kakurenbo.tuning.results.choice import frontier as frontier
from kakurenbo.tuning.results.choice import no_worse as no_worse
from kakurenbo.tuning.results.choice import papers as papers
from kakurenbo.tuning.results.choice import preference as preference
from kakurenbo.tuning.results.choice import worse_in as worse_in
from kakurenbo.tuning.results.trial import DEAL as DEAL
from kakurenbo.tuning.results.trial import PAPER as PAPER
from kakurenbo.tuning.results.trial import SEARCH as SEARCH
from kakurenbo.tuning.results.trial import START as START
from kakurenbo.tuning.results.trial import THEORY as THEORY
from kakurenbo.tuning.results.trial import Outcome as Outcome
from kakurenbo.tuning.results.trial import Theory as Theory
from kakurenbo.tuning.results.trial import Trial as Trial
from kakurenbo.tuning.results.tuned import Tuned as Tuned
