"""Why a print and ours may not be held against each other as they stand, in a sentence or two each."""

from __future__ import annotations

CUT = "The print is cut to a whole number."
SHAPE = (
    "Plain k-means depends on its start, which no paper prints: 000 has 211 and 33, 003 has 294 and 45 "
    "for the same data. Only the shape can be compared, one huge cluster and many singletons."
)
NO_SINGLETONS = (
    "The print contradicts itself: table 6 has no singletons for Method 1, but section 3.3 gives its "
    "smallest cluster as one customer."
)
ONE_RUN = "The print seems to be one run of k-means, whose start is not told; ours spreads over the seeds."
RECONSTRUCTED = (
    "U1 to U3 are reconstructions, for the contest's rules are not to be had: sign and size can be "
    "compared, digits cannot."
)
LIKENESS = (
    'The column called "Jaccard Reid" is not the rate of Algorithm 1, which is about c/n. What matches '
    "it is the mean Jaccard of a customer's own goods and the padded set (our measure likeness): that "
    "is ours here."
)
THEORY = "The print is E(Reid) = c/n of section 4.3; ours is the measured rate of the Jaccard attack itself."
FLOOR = (
    "002 marks s_min = 4 as the best at c = 75 and says that is floor(n/c), but floor(400/75) is 5, "
    "which needs fewer dummies still."
)
SWEEP = (
    "The papers do not say over which releases they correlate. Ours are Method 2 with s_min = "
    "floor(n/c) over the sweep of c, one correlation for each seed. Another choice gives other numbers: "
    "over c = 25, 50 to 375 on TC400 (seed 0), c and Delta_m correlate by -0.78 for Method 2 and by "
    "-0.92 for Method 1."
)
STARTS = (
    "k-means' starts and restarts are not printed; the papers averaged ten runs. Delta_m may differ by "
    "15 %, by 10 % where s_min is the largest and most of the luck is balanced away."
)
MAXIMUM = "Counted over all pairs, the most alike two customers have a Jaccard of 0.4 exactly."
ABSTRACT = (
    "The 17 % is table 8's likeness taken for a rate. The Jaccard attack itself, Algorithm 1, finds "
    "about c/n, as section 4.3 derives."
)
MONOPOLY = (
    "Not explained. 000 names the Jaccard coefficient as the distance of its k-means and does not say "
    "how centres are made; ours is k-means on the binary rows, and its huge cluster is larger too "
    "(table 6). It remains that plain k-means needs more than twice the dummies of Methods 1 and 2."
)
HALF = (
    "The print does not say at which c. Its own tables give 69 % at c = 50, 65 % at 75, 46 % at 100 and "
    "47 % at 125; ours is the mean over the sweep of c."
)
LARGEST_U1 = (
    "U1 is a reconstruction and the releases of figure 9 are not told, so the size of the largest "
    "cannot be compared; that U1 grows with Delta_m can (table 7)."
)
H = "002 prints h = 2 b mu/(b + mu), which would be 0.06; with 1 + mu, as 000 and 003 have it, it is 3.79."
ALPHA = (
    "alpha is not printed; one over the largest value of 003 eq. 3 gives the print. 003 also prints b + "
    "b/2 in the closed form where 002 has b + h/2."
)
UNREPRODUCIBLE = (
    "No formula of the papers gives it: at c = 1427, 003 eq. 3 is 430,527 and its upper bound 750,029. "
    "The bound less b n comes nearest, 490,029."
)
OMITTED: dict[str, tuple[str, ...]] = {
    "000": (
        "000 table 4: the contest teams' releases are not public.",
        "000 tables 1, 2 and 5 and figures 1 and 4 to 6 explain and hold no measured number.",
    ),
    "001": ("001 tables 2 to 11 are toy examples (tested); 14 and 15 rest on data that is not public.",),
    "002": (
        "002 table 1: the contest teams' releases are not public.",
        "002 figure 1 explains and holds no measured number.",
    ),
    "003": ("003 figures 1 and 2 explain and hold no measured number; 3 and 4 are figures 7 and 8 of 000.",),
    "004": ("004 figures 1 to 5 and 7 explain and hold no measured number.",),
}
