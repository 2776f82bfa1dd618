"""Paths of the future, resampled Sharpe ratios and missed days of a portfolio, with numpy and pandas."""
import numpy as np
import pandas as pd

from common import prices, write

TICKERS = ["SPY", "TLT", "GLD", "EFA", "VNQ"]
WEIGHTS = np.array([0.3, 0.25, 0.2, 0.15, 0.1])
MONTHS, PATHS, START, COST = 360, 400, 10_000.0, 0.0005

CLOSES = pd.concat([prices(ticker)["close"] for ticker in TICKERS], axis=1, keys=TICKERS).dropna()
DIVIDENDS = pd.concat([prices(ticker)["dividend"] for ticker in TICKERS], axis=1, keys=TICKERS).reindex(CLOSES.index)


def months():
    """Growth of one dollar in each whole month, dividends reinvested."""
    index = ((CLOSES + DIVIDENDS) / CLOSES.shift(1)).fillna(1.0).cumprod()
    ends = index.groupby(index.index.to_period("M")).last()
    # The last month has no day after it that would end it.
    return (ends / ends.shift(1)).dropna().iloc[:-1].to_numpy()


def drawn(history):
    """Which month of the past each month of a path is: no chance, so that any program draws the same ones."""
    path, month = np.meshgrid(np.arange(PATHS), np.arange(MONTHS), indexing="ij")
    return (7 * path * path + 13 * month + 5 * (month // 12) * path) % history


def follow(flow, flow_months, rebalance_months):
    gross = months()
    rows = drawn(len(gross))
    held = np.tile(WEIGHTS, (PATHS, 1))
    growth = np.ones((PATHS, MONTHS + 1))
    values = np.full((PATHS, MONTHS + 1), START)
    net = np.zeros(PATHS)
    for month in range(1, MONTHS + 1):
        held = held * gross[rows[:, month - 1]]
        total = held.sum(axis=1)
        if month % rebalance_months == 0:
            total = total - COST * np.abs(held - np.outer(total, WEIGHTS)).sum(axis=1)
            held = np.outer(total, WEIGHTS)
        growth[:, month] = total
        values[:, month] = values[:, month - 1] * growth[:, month] / growth[:, month - 1]
        if month % flow_months == 0:
            paid = np.maximum(flow, -values[:, month])
            values[:, month] += paid
            net += paid
    fallen = (values[:, 1:] <= 0.1 * START).any(axis=1)
    withdrawals = 1 / (1 / growth[:, 1:]).sum(axis=1)
    path = growth[:, :121]
    return {
        "flow": flow,
        "flow_months": flow_months,
        "rebalance_months": rebalance_months,
        "bands": [np.quantile(values[:, month], [0.05, 0.25, 0.5, 0.75, 0.95]) for month in (0, 12, 120, 360)],
        "loss": float(np.mean(values[:, 360] < START + net)),
        "ruin": float(np.mean(fallen)),
        "safe_withdrawal": 12 * np.quantile(withdrawals, 0.05),
        "median_drawdown": np.median((path / np.maximum.accumulate(path, axis=1) - 1).min(axis=1)),
    }


def resampled():
    returns = CLOSES["SPY"].pct_change().dropna().to_numpy()
    rows = (np.arange(len(returns)) * 37 + 11) % len(returns)
    rows = np.concatenate([rows[: len(rows) // 2], rows[: len(rows) - len(rows) // 2]])
    sample = returns[rows]
    return {"sharpe": sample.mean() / sample.std(ddof=1), "log_growth": np.log1p(sample).mean()}


def best_days():
    closes = CLOSES["SPY"]
    returns = closes.pct_change().dropna().sort_values(ascending=False).to_numpy()
    days = (closes.index[-1] - closes.index[0]).days
    whole = closes.iloc[-1] / closes.iloc[0]
    return [[count, (whole / np.prod(1 + returns[:count])) ** (365.25 / days) - 1] for count in (0, 5, 10, 20, 30)]


write({
    "months": len(months()),
    "paths": [follow(-600.0, 12, 12), follow(250.0, 1, 3), follow(-150.0, 3, 1)],
    "resampled": resampled(),
    "best_days": best_days(),
})
