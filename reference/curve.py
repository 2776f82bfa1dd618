"""Figures of a curve of values by their definitions. Returns and rates are per period, not per year."""
import numpy as np
import pandas as pd
from scipy.optimize import brentq


def sharpe(returns, risk_free, periods):
    excess = returns - risk_free
    return excess.mean() / excess.std(ddof=1) * np.sqrt(periods)


def downside(excess):
    return np.sqrt((np.minimum(excess, 0) ** 2).mean())


def sortino(returns, risk_free, periods):
    excess = returns - risk_free
    return excess.mean() / downside(excess) * np.sqrt(periods)


def volatility(returns, periods):
    return returns.std(ddof=1) * np.sqrt(periods)


def yearly(growth, first, last):
    return growth ** (365.25 / (last - first).days) - 1


def deepest_fall(values):
    """From a running high: depth, and the dates of high, low and recovery."""
    depths = values / values.cummax() - 1
    trough = depths.idxmin()
    peak = values[:trough].idxmax()
    after = values[trough:]
    back = after[after >= values[peak]]
    return {
        "depth": depths.min(),
        "peak": peak,
        "trough": trough,
        "recovery": back.index[0] if len(back) else None,
    }


def period_ends(values, frequency):
    """The first value, and the last one of each period."""
    return pd.concat([values.iloc[:1], values.groupby(values.index.to_period(frequency)).tail(1)])


def month_end_figures(values, risk_free):
    """As tables of portfolios print them; `risk_free` has one return per step of the values."""
    ends = period_ends(values, "M")
    returns = ends.pct_change().dropna()
    free = period_ends(pd.concat([values.iloc[:1] * 0 + 1, (1 + risk_free).cumprod()]), "M").pct_change().dropna()
    return {
        "volatility": volatility(returns, 12),
        "sharpe": sharpe(returns, free, 12),
        "sortino": sortino(returns, free, 12),
        "max_drawdown": (ends / ends.cummax() - 1).min(),
    }


def money_weighted(flows):
    """The rate at which [(date, amount)] are worth nothing on their first day; a year has 365 days."""
    first = flows[0][0]
    worth = lambda rate: sum(amount / (1 + rate) ** ((date - first).days / 365) for date, amount in flows)
    return brentq(worth, -0.999, 100, xtol=1e-15, rtol=1e-14)
