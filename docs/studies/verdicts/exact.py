"""Exact intervals of proportions, for the tables of this study. Needs Python 3.8, nothing else."""

import math


def at_most(k, n, p):
    """Probability of k or fewer of n, if each has the probability p, which is neither 0 nor 1."""
    whole = math.lgamma(n + 1)

    def term(i):
        ways = whole - math.lgamma(i + 1) - math.lgamma(n - i + 1)
        return math.exp(ways + i * math.log(p) + (n - i) * math.log1p(-p))

    return math.fsum(term(i) for i in range(k + 1))


def upper(k, n, missed):
    """The proportion at which k or fewer of n have the probability `missed`."""
    if k == n:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        if at_most(k, n, middle) > missed:
            low = middle
        else:
            high = middle
    return high


def clopper_pearson(k, n, level=0.95):
    """Ends of the exact interval of a proportion (Clopper and Pearson 1934): each is missed in half of what the level leaves, at most."""
    missed = (1 - level) / 2
    return 1 - upper(n - k, n, missed), upper(k, n, missed)


def share(k, n):
    """`9 of 71, 12.7 % (6.0 to 22.7)`"""
    if not n:
        return "0 of 0"
    low, high = clopper_pearson(k, n)
    return f"{k} of {n}, {100 * k / n:.1f} % ({100 * low:.1f} to {100 * high:.1f})"
