"""Excess: s_exact(0) beside a bare assignment on the same matrix, and the whole curve of TC400."""

import math
import time

import numpy as np
from scipy.optimize import linear_sum_assignment

from bench.harness import DATA
from kakurenbo.files.datasets import online_retail
from kakurenbo.files.read import read_purchases
from kakurenbo.kernels import distances
from kakurenbo.kernels.permutations import s_exact


def bare(matrix):
    np.fill_diagonal(matrix, np.inf)
    rows, columns = linear_sum_assignment(matrix)
    cost = math.fsum(matrix[rows, columns])
    np.fill_diagonal(matrix, 0)
    return cost


def used(function, *arguments):
    """Processor time, since others may be using the machine."""
    start = time.process_time()
    result = function(*arguments)
    return result, time.process_time() - start


def run():
    people = online_retail(DATA / "online_retail.parquet").baskets(quantity=True).matrix
    matrix = distances.matrix(people, "multiset")
    mdis = distances.nearest_other(people, people, "multiset")
    plain, ours = [], []
    for _ in range(3):
        _, seconds = used(bare, matrix)
        plain.append(seconds)
        _, seconds = used(lambda: s_exact(matrix, [0], mdis=mdis))
        ours.append(seconds)
    print(
        f"s_exact(0) of {len(matrix):,} customers: {min(ours) / min(plain):.3f} times a bare assignment "
        f"({min(ours):.2f} s / {min(plain):.2f} s)"
    )
    small = distances.matrix(read_purchases(DATA / "tc400.csv").baskets(quantity=True).matrix, "multiset")
    _, single = used(bare, small)
    curve, seconds = used(s_exact, small)
    exact = sum(bracket.exact for bracket in curve)
    widest = max((b.upper - b.lower) / b.lower for b in curve if b.r <= 300)
    print(
        f"the curve of TC400: {seconds:.2f} s, {seconds / single:.0f} assignments' time, {exact} of "
        f"{len(curve)} exact, widest bracket up to r = 300: {widest:.4%}"
    )
