"""PWS Cup 2017: long-term purchases under monthly pseudonyms, and attackers who know a part of the rows."""

from kakurenbo.contest.judging.pws2017.contest import FORMAT

__all__ = ["FORMAT"]
