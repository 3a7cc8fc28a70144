"""Student's t, and what variances have in common, for the tables of this study. Needs Python 3.8, nothing else."""

import functools
import math


def _fraction(a, b, x):
    """Continued fraction of the incomplete beta function (modified Lentz)."""
    tiny = 1e-300
    c, d = 1.0, 1 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > tiny else tiny)
    whole = d
    for m in range(1, 300):
        for step in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)), -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
            d = 1 + step * d
            d = 1 / (d if abs(d) > tiny else tiny)
            c = 1 + step / c
            c = c if abs(c) > tiny else tiny
            whole *= d * c
        if abs(d * c - 1) < 1e-12:
            break
    return whole


def tail(t, df):
    """Probability of more than t to either side."""
    if df > 1e5:
        return math.erfc(t / math.sqrt(2))
    a, b, x = df / 2, 0.5, df / (df + t * t)
    if x >= 1:
        return 1.0
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(a, b, x) / a
    return 1 - front * _fraction(b, a, 1 - x) / b


@functools.lru_cache(maxsize=None)
def _quantile(df, missed):
    low, high = 0.0, 1.0
    while tail(high, df) > missed:
        high *= 2
    for _ in range(45):
        middle = (low + high) / 2
        if tail(middle, df) > missed:
            low = middle
        else:
            high = middle
    return high


def quantile(df, missed=0.05):
    """Standard errors to either side of an interval that leaves so much; degrees of freedom to a tenth."""
    return _quantile(round(df, 1), missed)


def digamma(x):
    total = 0.0
    while x < 8:
        total -= 1 / x
        x += 1
    return total + math.log(x) - 1 / (2 * x) - 1 / (12 * x**2) + 1 / (120 * x**4)


def trigamma(x):
    total = 0.0
    while x < 8:
        total += 1 / x**2
        x += 1
    return total + 1 / x + 1 / (2 * x**2) + 1 / (6 * x**3) - 1 / (30 * x**5)


def common(groups):
    """Degrees of freedom and variance that groups have in common, as crates/stats/src/common.rs has it; each has a variance and degrees of freedom."""

    def away(df):
        return digamma(df / 2) - math.log(df / 2)

    logs = [math.log(variance) - away(df) for variance, df in groups]
    typical = sum(logs) / len(logs)
    beyond = sum((one - typical) ** 2 for one in logs) / (len(logs) - 1) - sum(trigamma(df / 2) for _, df in groups) / len(groups)
    if beyond <= 0:
        return math.inf, math.exp(typical)
    low, high = 1e-3, 1e6
    for _ in range(80):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if trigamma(middle) > beyond else (low, middle)
    df = 2 * low
    return df, math.exp(typical + away(df))
