"""Prints the reference values that test/stats compares with: `python3 test/oracle/reference.py` (SciPy 1.17.1, NumPy 2)."""

import json

import numpy as np
from scipy import optimize, special, stats

D = [-0.061, -0.043, -0.078, -0.052, -0.031, -0.066, -0.049, -0.089, -0.055]
# One round far out, as when a process settles into another state.
FAR = [-0.021, 0.013, -0.008, 0.042, -0.031, -0.3, 0.019, -0.049, 0.005, 0.011, -0.017]
P = [0.001, 0.008, 0.039, 0.041, 0.042, 0.06, 0.074, 0.205, 0.212, 0.216]
# Levels of a row with a step, and their standard errors.
LEVELS = [-0.012, 0.004, 0.011, -0.003, 0.019, -0.052, -0.031, -0.047, -0.068]
LEVEL_SE = [0.004, 0.006, 0.005, 0.008, 0.007, 0.005, 0.006, 0.009, 0.007]
HISTOGRAM = [(100, 3), (200, 5), (310, 1), (5000, 1)]


def walsh(values):
    return sorted((a + b) / 2 for i, a in enumerate(values) for b in values[i:])


def signed_rank_cdf(n):
    """P(W <= w) by listing all 2^n signs."""
    sums = [sum(r + 1 for r in range(n) if mask >> r & 1) for mask in range(2**n)]
    return [sum(s <= w for s in sums) / 2**n for w in range(n * (n + 1) // 2 + 1)]


def lag1(values):
    r = np.array(values) - np.mean(values)
    return float(r[1:] @ r[:-1] / (r @ r))


def signed_rank_interval(values, alpha):
    """All centres the exact one-sided tests do not reject, from SciPy's own p-values, by trying every gap between Walsh averages."""
    averages = walsh(values)
    kept = []
    for low, high in zip(averages, averages[1:]):
        shifted = np.array(values) - (low + high) / 2
        less = stats.wilcoxon(shifted, alternative="less", method="exact").pvalue
        greater = stats.wilcoxon(shifted, alternative="greater", method="exact").pvalue
        if less > alpha and greater > alpha:
            kept.append((low, high))
    return [kept[0][0], kept[-1][1]]


def signed_rank_cdf_at(n, w):
    """P(W <= w) from exact whole numbers."""
    counts = [1]
    for rank in range(1, n + 1):
        counts = [
            (counts[s] if s < len(counts) else 0) + (counts[s - rank] if 0 <= s - rank < len(counts) else 0)
            for s in range(len(counts) + rank)
        ]
    return sum(counts[: w + 1]) / 2**n


def look(values, limit, alternative):
    """p of t, and from 9 values on twice the smaller one of t and signed ranks."""
    student = stats.ttest_1samp(values, limit, alternative=alternative).pvalue
    if len(values) < 9:
        return student
    ranks = stats.wilcoxon(np.array(values) - limit, alternative=alternative, method="exact").pvalue
    return min(1, 2 * min(student, ranks))


def sequential(values):
    """Sequential p-values at looks 4, 6, 9 with the weights of 20 rounds; D0 2.5 %, D1 5 %."""
    reg = passed = rise = 1.0
    for n, w_reg, w_pass in [(4, 0.02, 0.15), (6, 0.05, 0.15), (9, 0.12, 0.20)]:
        part = values[:n]
        reg = min(reg, look(part, np.log(0.975), "less") / w_reg)
        passed = min(passed, look(part, np.log(0.95), "greater") / w_pass)
        rise = min(rise, look(part, -np.log(0.975), "greater") / w_reg)
    return [reg, passed, rise]


def paule_mandel(groups):
    """The variance between values at which their weighted squared distances from the means of their groups are as expected."""

    def misfit(tau2):
        total = 0.0
        for group in groups:
            weights = 1 / (np.array(LEVEL_SE)[group] ** 2 + tau2)
            values = np.array(LEVELS)[group]
            total += weights @ (values - weights @ values / weights.sum()) ** 2
        return float(total)

    return optimize.brentq(lambda tau2: misfit(tau2) - len(LEVELS) + len(groups), 0, 1, xtol=1e-16)


def interval(values, low, high):
    n, m, se = len(values), np.mean(values), stats.sem(values)
    return [float(m + stats.t.ppf(low, n - 1) * se), float(m - stats.t.ppf(high, n - 1) * se)]


expanded = np.repeat([v for v, _ in HISTOGRAM], [c for _, c in HISTOGRAM])
print(json.dumps({
    "logGamma": [[x, special.gammaln(x)] for x in (0.5, 1.5, 2.5, 10, 31.5, 200.25)],
    "incompleteBeta": [[x, a, b, special.betainc(a, b, x)] for x, a, b in ((0.2, 2, 3), (0.9, 9.5, 0.5), (1e-8, 1.5, 0.5), (0.5, 40, 45), (0.999, 0.5, 10))],
    "studentSurvival": [[t, df, stats.t.sf(t, df)] for t, df in ((0, 3), (1e-9, 5), (0.3, 1), (2.1, 3), (-1.7, 8), (12, 19), (60, 3), (40, 19))],
    "studentQuantile": [[p, df, stats.t.ppf(p, df)] for p, df in ((0.975, 4), (0.999, 4), (0.999, 9), (0.999, 14), (0.999, 19), (0.001, 3), (0.0075, 3), (1e-9, 19), (0.51, 5), (0.25, 1))],
    "signedRankCdf7": signed_rank_cdf(7),
    "hodgesLehmann": float(np.median(walsh(D))),
    "hodgesLehmannInterval": signed_rank_interval(D, 0.05),
    "benjaminiHochberg": [i for i, p in enumerate(stats.false_discovery_control(P)) if p <= 0.05],
    "moments8": [float(np.mean(D[:8])), float(np.std(D[:8], ddof=1)), float(stats.sem(D[:8]))],
    "interval8": interval(D[:8], 0.01, 0.006),
    "hodgesLehmann8": [float(np.median(walsh(D[:8]))), signed_rank_interval(D[:8], 0.05)],
    "halves9": [interval(D, 0.01, 0.006), signed_rank_interval(D, 0.01), signed_rank_interval(D, 0.006)],
    "far": [float(np.median(walsh(FAR))), interval(FAR, 0.02, 0.01), signed_rank_interval(FAR, 0.02), signed_rank_interval(FAR, 0.01)],
    "farP": [[limit, look(FAR, limit, "less"), look(FAR, limit, "greater")] for limit in (-0.06, -0.02, 0, 0.03)],
    "normalCdf": [[z, stats.norm.cdf(z)] for z in (0, -0.3, -1.96, -2.999, -3.001, -6, -20, 1.5)],
    "signedRankCdf": [[n, w, signed_rank_cdf_at(n, w)] for n, w in ((20, 40), (68, 700), (100, 1500), (150, 4000), (150, 4600))],
    "moments": [float(np.mean(D)), float(np.std(D, ddof=1)), float(stats.sem(D))],
    "interval": interval(D, 0.01, 0.006),
    "lag1": lag1(D),
    "quantiles": [float(np.quantile(expanded, q)) for q in (0, 0.25, 0.5, 0.9, 0.99, 1)],
    "sequential": sequential(D),
    "pauleMandel": [paule_mandel([range(9)]), paule_mandel([range(5), range(5, 9)])],
}, indent=1))
