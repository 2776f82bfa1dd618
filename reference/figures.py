"""Figures of the prices of three funds, with pandas, numpy and scipy."""
import numpy as np
import pandas as pd
import scipy
import statsmodels
import statsmodels.api as sm
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
        "tails": tails(values, returns, risk_free),
        "drawdown_table": drawdown_table(values),
        "rolling": {str(window): rolling_figures(values, window) for window in (YEAR, 21)},
    }


def tails(values, returns, risk_free):
    """Percentiles by numpy, moments by scipy, Ulcer index and Martin ratio by their definitions."""
    low, high = np.percentile(returns, [5, 95])
    months = period_ends(values, "M").pct_change().dropna()
    ulcer = np.sqrt(((values / values.cummax() - 1) ** 2).mean())
    cagr = yearly(values.iloc[-1] / values.iloc[0], values.index[0], values.index[-1])
    free = yearly((1 + risk_free).prod(), values.index[0], values.index[-1])
    return {
        "value_at_risk": low,
        "conditional_value_at_risk": returns[returns <= low].mean(),
        "tail_ratio": abs(high / low),
        "skewness": skew(returns),
        "excess_kurtosis": kurtosis(returns),
        "omega": returns[returns > 0].sum() / -returns[returns < 0].sum(),
        "gain_to_pain": months.sum() / -months[months < 0].sum(),
        "ulcer": ulcer,
        "martin": (cagr - free) / ulcer,
        "best_day": [returns.idxmax(), returns.max()],
        "worst_day": [returns.idxmin(), returns.min()],
    }


def drawdown_table(values):
    """The five deepest falls: peak, trough, recovery, depth and calendar days; and the longest of all."""
    under = values < values.cummax()
    episodes = []
    for _, part in values[under].groupby((~under).cumsum()[under]):
        peak = values[: part.index[0]].iloc[:-1].index[-1]
        later = values[part.index[-1] :].iloc[1:]
        recovery = later.index[0] if len(later) else None
        end = recovery if recovery is not None else values.index[-1]
        depth = part.min() / values[peak] - 1
        episodes.append((depth, peak, part.idxmin(), recovery, (end - peak).days))
    deepest = sorted(episodes, key=lambda one: one[0])[:5]
    return {"deepest": deepest, "longest": max(one[4] for one in episodes)}


def rolling_figures(values, window):
    """Over a year and over a month, of every 25th row from the first that has one."""
    returns = values.pct_change()
    other = prices("SPY")["close"].reindex(values.index).pct_change()
    pick = lambda column: column.iloc[window::EVERY]
    high = values.rolling(window + 1).max()
    return {
        "return": pick(values.pct_change(window)),
        "volatility": pick(returns.rolling(window).std(ddof=1) * np.sqrt(YEAR)),
        "beta": pick(returns.rolling(window).cov(other) / other.rolling(window).var()),
        "drawdown": pick(values / high - 1),
    }


def relative(ticker, reference):
    """Alpha and beta by the least squares of statsmodels; captures over calendar months."""
    values, other = prices(ticker)["close"], prices(reference)["close"]
    returns, market = values.pct_change().dropna(), other.pct_change().dropna()
    risk_free = (rate_in_force("TB3MS", values.index) / 100 / YEAR).iloc[1:]
    line = sm.OLS(returns - risk_free, sm.add_constant((market - risk_free).rename("market"))).fit()
    active = returns - market
    own, theirs = (period_ends(one, "M").pct_change().dropna() for one in (values, other))

    def capture(months):
        geometric = lambda one: (1 + one[months]).prod() ** (1 / months.sum()) - 1
        return geometric(own) / geometric(theirs)

    return {
        "alpha": line.params["const"] * YEAR,
        "beta": line.params["market"],
        "correlation": np.corrcoef(returns - risk_free, market - risk_free)[0, 1],
        "rSquared": line.rsquared,
        "trackingError": active.std(ddof=1) * np.sqrt(YEAR),
        "informationRatio": active.mean() * YEAR / (active.std(ddof=1) * np.sqrt(YEAR)),
        "upCapture": capture(theirs > 0),
        "downCapture": capture(theirs < 0),
    }


def asset_correlation():
    """Of total returns of the closes."""
    tables = {ticker: prices(ticker) for ticker in TICKERS}
    returns = pd.DataFrame({t: (p["close"] + p["dividend"]) / p["close"].shift(1) - 1 for t, p in tables.items()})
    return returns.dropna().corr().to_numpy()


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
        "relative": {ticker: relative(ticker, "SPY") for ticker in ("TLT", "GLD")},
        "asset_correlation": asset_correlation(),
    },
    scipy,
    statsmodels,
)
