"""Figures as text, and tables."""

import math


def number(value, digits=1):
    said = f"{value:.{digits}f}"
    return said[1:] if float(said) == 0 and said[0] == "-" else said


def ends(estimate):
    """Lower and upper end; null stands for an open one."""
    low, high = estimate["low"], estimate["high"]
    return (-math.inf if low is None else low, math.inf if high is None else high)


def interval(estimate):
    if estimate is None:
        return "-"
    low, high = ends(estimate)
    return f"{number(estimate['value'])} ({number(low)} to {number(high)})"


def with_n(estimate):
    return "-" if estimate is None else f"{interval(estimate)} ({estimate['n']})"


def half_width(estimate):
    low, high = ends(estimate)
    return (high - low) / 2


def value(estimate, digits=1):
    return "-" if estimate is None else number(estimate["value"], digits)


def short(program):
    return program.replace("suite:", "", 1)


def minutes(seconds):
    return f"{seconds / 60:.1f}"


def span(values, digits=1):
    return f"{number(min(values), digits)} to {number(max(values), digits)}"


def table(header, rows):
    """`header`: titles, each with `>` in front where the column is of numbers."""
    titles = [title.lstrip(">") for title in header]
    marks = ["---:" if title.startswith(">") else "---" for title in header]
    return ["| " + " | ".join(row) + " |" for row in [titles, marks, *rows]]


def correlation(estimate):
    if estimate is None:
        return "-"
    low, high = ends(estimate)
    return f"{number(estimate['value'], 2)} ({number(low, 2)} to {number(high, 2)})"


def method_name(method):
    return ".".join(method.split("(")[0].replace("/", ".").split(".")[-2:])
