"""The pages of a contest, rendered on the server: they work without a script, in English and in Japanese."""

from kakurenbo.contest.pages import (
    accounts,
    archive,
    board,
    front,
    organise,
    organise_teams,
    releases,
    submissions,
    submit,
    team,
)

ROUTERS = tuple(
    part.router
    for part in (
        front,
        accounts,
        team,
        submit,
        submissions,
        releases,
        board,
        archive,
        organise,
        organise_teams,
    )
)
