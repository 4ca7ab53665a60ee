"""The journalist's chances where the table is a sample: the population is estimated, not known.

Prosecutor, journalist and marketer of `groups` take the table at hand for the population. Where it is a
sample of a larger one, who is alone here may have twins outside; models say how likely that is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kakurenbo.data.groups import groups
from kakurenbo.errors import ParameterError
from kakurenbo.theory.population import population_models

if TYPE_CHECKING:
    from kakurenbo.data.microdata import Microdata
    from kakurenbo.theory.population import Population


def in_population(data: Microdata, population: float) -> tuple[Population, ...]:
    """Return what the models say of people who are alone with their quasi-identifiers.

    Args:
        data: a simple random sample of the population.
        population: how many people it has; up to 1 the share of them that were drawn.
    """
    people = len(data)
    whole = round(people / population) if 0 < population <= 1 else int(population)
    if whole < people:
        raise ParameterError(
            f"population is the number of people the table was drawn from, at least its {people:,} rows, or "
            "the share that was drawn, up to 1.",
            code="parameter",
            parameter="population",
        )
    sizes = np.unique(groups(data, data.qi), return_counts=True)[1]
    return population_models(sizes, whole)
