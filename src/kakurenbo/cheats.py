"""Cheats, which hide nobody: true records declared to be another's (004, 001). Never a protection.

They are here so that judgements can be tested against them, and for lessons in why a rate alone proves
nothing.
"""

from kakurenbo.deidentify.microdata.simple import CheatMicrodata as CheatMicrodata
from kakurenbo.deidentify.purchases.cheats import MultiRandom as MultiRandom
from kakurenbo.deidentify.purchases.cheats import PushAway as PushAway
from kakurenbo.deidentify.purchases.cheats import Random as Random
from kakurenbo.deidentify.purchases.cheats import Shift as Shift
