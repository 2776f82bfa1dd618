"""Figures of the prices of three funds, with pandas, numpy and scipy."""
import numpy as np
import pandas as pd
import scipy
from scipy.stats import kurtosis, norm, skew

from common import prices, rate_in_force, write
from curve import (
    deepest_fall, downside, money_weighted, month_end_figures, period_ends, sharpe, sortino, volatility, yearly
)

TICKERS = ("SPY", "TLT", "GLD")
YEAR = 252
#: Every 25th row of a long column is enough to see a wrong formula.
EVERY = 25


def figures(ticker):
    values = prices(ticker)["close"]
    returns = values.pct_change().dropna()
    risk_free = (rate_in_force("TB3MS", values.index) / 100 / YEAR).iloc[1:]
    growth = values.iloc[-1] / values.iloc[0]
    cagr = yearly(growth, values.index[0], values.index[-1])
    fall = deepest_fall(values)
    rolling = (returns - risk_free).rolling(YEAR // 2)
    return {
        "total_return": growth - 1,
        "cagr": cagr,
        "volatility": volatility(returns, YEAR),
        "sharpe": sharpe(returns, risk_free, YEAR),
        "sharpe_over_nothing": sharpe(returns, 0, YEAR),
        "sortino": sortino(returns, risk_free, YEAR),
        "sortino_over_nothing": sortino(returns, 0, YEAR),
        "downside_deviation": downside(returns),
        "skewness": skew(returns),
        "kurtosis": kurtosis(returns, fisher=False),
        "max_drawdown": fall,
        "calmar": cagr / -fall["depth"],
        "drawdowns": (values / values.cummax() - 1).iloc[::EVERY],
        "rolling_sharpe": (rolling.mean() / rolling.std(ddof=1) * np.sqrt(YEAR)).iloc[YEAR // 2 - 1 :: EVERY],
        "monthly_returns": period_ends(values, "M").pct_change().dropna(),
        "yearly_returns": period_ends(values, "Y").pct_change().dropna(),
        "month_end": month_end_figures(values, risk_free),
    }


def sharpe_confidence(ticker):
    """Bailey and López de Prado: probabilistic (2012) and deflated (2014) Sharpe ratio, per day."""
    returns = prices(ticker)["close"].pct_change().dropna()
    ratio = returns.mean() / returns.std(ddof=1)
    spread = np.sqrt(1 - skew(returns) * ratio + (kurtosis(returns, fisher=False) - 1) / 4 * ratio**2)

    def above(benchmark):
        return norm.cdf((ratio - benchmark) * np.sqrt(len(returns) - 1) / spread)

    count, deviation = 45, 0.02
    lucky = deviation * (
        (1 - np.euler_gamma) * norm.ppf(1 - 1 / count) + np.euler_gamma * norm.ppf(1 - 1 / (count * np.e))
    )
    return {
        "above_zero": above(0),
        "above_a_hundredth": above(0.01),
        "trials": {"count": count, "deviation": deviation},
        "lucky_sharpe": lucky,
        "deflated": above(lucky),
    }


def cash_flows():
    closes = prices("SPY")["close"]
    ends = period_ends(closes, "M")
    units = (500 / ends.iloc[:-1]).sum()
    cases = {
        "saving": [(date, -500.0) for date in ends.index[:-1]] + [(ends.index[-1], units * ends.iloc[-1])],
        "spending": [(closes.index[0], -10_000.0)] + [(date, 1400.0) for date in ends.index[3:30:3]],
        "losing": [(closes.index[0], -1000.0), (closes.index[200], -700.0), (closes.index[500], 900.0)],
    }
    return {name: {"flows": flows, "rate": money_weighted(flows)} for name, flows in cases.items()}


def account():
    """Value of an account every 63 sessions after a flow at that close, and its return without the flows."""
    closes = prices("SPY")["close"].iloc[::63]
    flows = pd.Series(0.0, index=closes.index)
    flows.iloc[0] = 10_000
    flows.iloc[1:-1:2] = 1500
    flows.iloc[2:-1:4] = -800
    value, values = 0.0, []
    for growth, flow in zip((closes / closes.shift(1)).fillna(1), flows):
        value = value * growth + flow
        values.append(value)
    values = pd.Series(values, index=closes.index)
    linked = ((values - flows) / values.shift(1)).iloc[1:].prod()
    paid = [(date, -flow) for date, flow in flows.items() if flow != 0]
    return {
        "dates": values.index,
        "values": values,
        "flows": flows,
        "total_return": linked - 1,
        "yearly": yearly(linked, values.index[0], values.index[-1]),
        "money_weighted": money_weighted([*paid, (values.index[-1], values.iloc[-1])]),
    }


write(
    {
        **{ticker: figures(ticker) for ticker in TICKERS},
        "sharpe_confidence": {ticker: sharpe_confidence(ticker) for ticker in TICKERS},
        "cash_flows": cash_flows(),
        "account": account(),
    },
    scipy,
)
