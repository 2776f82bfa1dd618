"""The moving-average runs of bt's documentation (docs/source/examples-nb.rst) on real prices: `bt.py FILE FOLDER`.

bt prints no figures for its cross of SPY, only a picture, and those of `above50sma` are of shares that the data folder does
not have. Both are therefore computed here with pandas, as bt's page defines them: prices are adjusted closes from 2010 on, weights
are decided and traded at the close of each day, without costs."""
import os
import sys

import numpy as np
import pandas as pd

from common import write

FOLDER = sys.argv[2]
FIRST, LAST = "2010-01-04", "2022-06-30"
SHARES = ["AAPL", "MSFT", "IBM", "KO", "AMZN"]


def adjusted(ticker):
    table = pd.read_csv(os.path.join(FOLDER, "equities", "daily", f"{ticker}.csv"), index_col="date", parse_dates=True)
    return table["adj_close"][FIRST:LAST]


def account(prices, weights):
    """Rebalanced to the weights at every close."""
    earned = (weights.shift(1).fillna(0) * prices.pct_change().fillna(0)).sum(axis=1)
    return 10_000 * (1 + earned).cumprod()


def figures(value, weights):
    years = (value.index[-1] - value.index[0]).days / 365.25
    changed = weights.ne(weights.shift(1).fillna(0)).any(axis=1)
    return {
        "from": value.index[0],
        "to": value.index[-1],
        "cagr": (value.iloc[-1] / value.iloc[0]) ** (1 / years) - 1,
        "max_drawdown": (value / value.cummax() - 1).min(),
        "turns": int(changed.sum()),
        "values": value.iloc[::100],
    }


def ma_cross(ticker):
    """Long while the average of 50 days is above that of 200, else short; nothing while there is none of 200."""
    prices = adjusted(ticker).to_frame(ticker)
    fast, slow = prices.rolling(50).mean(), prices.rolling(200).mean()
    weights = slow.copy()
    weights[fast > slow] = 1.0
    weights[fast <= slow] = -1.0
    weights[slow.isnull()] = 0.0
    return figures(account(prices, weights), weights)


def above_sma(tickers, days):
    """Those above their average, in equal parts; nothing where none is."""
    prices = pd.DataFrame({ticker: adjusted(ticker) for ticker in tickers})
    above = (prices > prices.rolling(days).mean()).astype(float)
    weights = above.div(above.sum(axis=1).replace(0, np.nan), axis=0).fillna(0)
    return figures(account(prices, weights), weights)


write({
    "ma_cross SPY": ma_cross("SPY"),
    "ma_cross AAPL": ma_cross("AAPL"),
    "ma_cross MSFT": ma_cross("MSFT"),
    **{f"above {days}": above_sma(SHARES, days) for days in (10, 20, 40, 50)},
})
