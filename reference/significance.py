"""Distributions and significance tests, with scipy and statsmodels."""
from itertools import combinations

import numpy as np
import pandas as pd
import scipy
import statsmodels
import statsmodels.api as sm
from scipy.fft import dct
from scipy.stats import chi2_contingency, norm, pearsonr, t
from statsmodels.stats.multitest import multipletests

from common import prices, write

SPY, TLT, GLD = (prices(ticker)["close"].pct_change().dropna() for ticker in ("SPY", "TLT", "GLD"))


def distributions():
    points = [-12, -8, -7.1, -5, -2.5, -1, -0.3, 0, 0.7, 1.96, 4, 6]
    shares = [1e-12, 1e-6, 0.01, 0.025, 0.3, 0.5, 0.9, 0.999]
    statistics = [(x, df) for x in (-3.1, -0.4, 0, 0.9, 2.2, 8.5) for df in (1, 2, 5, 30, 1255)]
    return {
        "normal_cdf": [[x, norm.cdf(x)] for x in points],
        "normal_quantile": [[share, norm.ppf(share)] for share in shares],
        "student_t": [[x, df, 2 * t.sf(abs(x), df), t.sf(x, df)] for x, df in statistics],
    }


def lagged_correlations():
    """Changes of one fund beside those of SPY some days later; p-values also for having looked at all of them."""
    found = []
    for name, metric in (("TLT", TLT), ("GLD", GLD), ("SPY", SPY)):
        for lag in (1, 2, 3, 5, 10):
            pairs = pd.concat([metric.shift(lag), SPY], axis=1, keys=["metric", "change"]).dropna()
            correlation, p_value = pearsonr(pairs["metric"], pairs["change"])
            held = np.sign(correlation) * np.sign(pairs["metric"] - pairs["metric"].mean()) * pairs["change"]
            found.append({
                "ticker": name,
                "lag": lag,
                "pairs": len(pairs),
                "correlation": correlation,
                "p_value": p_value,
                "directional_accuracy": (held[held != 0] > 0).mean(),
                "sharpe": held.mean() / held.std(ddof=1) * np.sqrt(252),
            })
    adjusted = multipletests([one["p_value"] for one in found], method="fdr_bh")[1]
    return [{**one, "adjusted_p_value": p} for one, p in zip(found, adjusted)]


def direction_test(outcome, forecast):
    """Pesaran and Timmermann 1992. Its square is Pearson's chi-squared of the 2x2 table over 1 - 1/n."""
    n = len(outcome)
    chi_squared = chi2_contingency(pd.crosstab(outcome, forecast), correction=False)[0]
    accuracy = (outcome == forecast).mean()
    up, said = outcome.mean(), forecast.mean()
    expected = up * said + (1 - up) * (1 - said)
    statistic = np.sign(accuracy - expected) * np.sqrt(chi_squared / (1 - 1 / n))
    return {
        "accuracy": accuracy,
        "expected_accuracy": expected,
        "base_rate": max(up, 1 - up),
        "statistic": statistic,
        "p_value": norm.sf(statistic),
    }


def overlapping_test(outcome, forecast, overlap, known=None):
    """
    Pesaran and Timmermann 2009 with the equal-weighted cosine variance of Lazarus, Lewis, Stock and Watson 2018: OLS
    residuals of outcome and forecast on what is known, and the slowest terms of the cosine transform of their products.
    """
    n = len(outcome)
    regressors = np.ones((n, 1)) if known is None else sm.add_constant(np.asarray(known))
    products = sm.OLS(outcome, regressors).fit().resid * sm.OLS(forecast, regressors).fit().resid
    cosines = max(2, int(min(0.41 * n ** (2 / 3), n / overlap, 100)))
    projections = dct(np.asarray(products), type=2)[1 : cosines + 1] / 2
    variance = 2 * (projections**2).sum() / (cosines * n) * (1 + 2 / cosines)
    statistic = products.sum() / np.sqrt(n * variance)
    return {"statistic": statistic, "p_value": t.sf(statistic, cosines)}


def directions():
    closes = prices("SPY")["close"]
    rising = (closes > closes.rolling(20).mean()).astype(float)
    level = np.log(closes.pct_change().rolling(60).std(ddof=1))
    result = {}
    for horizon in (1, 5, 20):
        ahead = (closes.shift(-horizon) > closes).astype(float)
        rows = slice(60, len(closes) - horizon)
        outcome, forecast, known = (column.iloc[rows].to_numpy() for column in (ahead, rising, level))
        result[str(horizon)] = {
            "independent": direction_test(outcome, forecast),
            "overlapping": overlapping_test(outcome, forecast, horizon),
            "beyond_volatility": overlapping_test(outcome, forecast, horizon, known),
        }
    return result


def overfitting():
    """Combinatorially symmetric cross-validation (Bailey, Borwein, López de Prado and Zhu 2015) over 16 blocks."""
    blocks, rows = 16, 1248
    trials = {"SPY": SPY, "TLT": TLT, "GLD": GLD}
    for window in (3, 8, 20, 50):
        rising = (SPY.rolling(window).mean() > 0).shift(1, fill_value=False)
        trials[f"SPY over {window}"] = SPY.where(rising, TLT)
    returns = pd.DataFrame(trials).iloc[-rows:].to_numpy().reshape(blocks, rows // blocks, len(trials))
    lost = 0
    halves = list(combinations(range(blocks), blocks // 2))
    for inside in halves:
        outside = [block for block in range(blocks) if block not in inside]
        sharpe = lambda chosen: (lambda all: all.mean(axis=0) / all.std(axis=0, ddof=1))(
            np.concatenate(returns[list(chosen)])
        )
        best = sharpe(inside).argmax()
        rank = scipy.stats.rankdata(sharpe(outside))[best]
        lost += rank / (len(trials) + 1) <= 0.5
    return {"rows": rows, "windows": [3, 8, 20, 50], "probability": lost / len(halves)}


write(
    {
        **distributions(),
        "lagged_correlations": lagged_correlations(),
        "directions": directions(),
        "overfitting": overfitting(),
    },
    scipy,
    statsmodels,
)
