"""Published rule sets, decided and traded with pandas: each by itself, as its source describes it, without any tree.

Weights are decided at the close of a check and filled at the next close (the MACD cross at the next open), at 1 basis point.
`rules.py FILE` uses the committed market, `rules.py FILE FOLDER` a folder of real prices."""
import os
import sys

import numpy as np
import pandas as pd
import scipy
from scipy.optimize import minimize

import common
from common import write
from portfolios import Account
from series import bills, leveraged, total_return

FOLDER = sys.argv[2] if len(sys.argv) > 2 else None
FIRST, LAST = ("2008-01-02", "2024-12-31") if FOLDER else ("2015-01-02", "2019-12-31")
MONTH, YEAR = 21, 252

if FOLDER:
    def read_prices(ticker):
        return pd.read_csv(os.path.join(FOLDER, "equities", "daily", f"{ticker}.csv"), index_col="date", parse_dates=True)

    def read_economic(ticker):
        return pd.read_csv(os.path.join(FOLDER, "macro", f"{ticker}.csv"), index_col="date", parse_dates=True)

    common.economic = read_economic
    # Real files have prices and dividends in today's shares already.
    prices = lambda ticker: read_prices(ticker).assign(split=0.0)
    import series

    series.prices = prices
    series.economic = read_economic
else:
    prices = common.prices


def closes(tickers):
    """Total-return closes of all tickers on the sessions that all of them have, with what came before for the averages."""
    dates = prices("SPY").index
    columns = {}
    for ticker in tickers:
        if ticker == "TBILLX":
            columns[ticker] = bills(dates)
        elif "?L=" in ticker:
            columns[ticker] = leveraged(ticker.split("?")[0], float(ticker.split("=")[1]))
        else:
            columns[ticker] = total_return(ticker)
    return pd.DataFrame(columns)[:LAST]


def period_ends(dates, period):
    """By the calendar: the last session before the next month or quarter."""
    last = pd.Series(dates, index=dates).groupby(dates.to_period(period)).transform("max") == dates
    # Whether the last row ends its period is asked of weekdays, which is right for the ends of both markets.
    last.iloc[-1] = (dates[-1] + pd.offsets.BDay(1)).to_period(period) != dates[-1].to_period(period)
    return last[last].index


def blended(close, factors):
    return sum(factor * close.pct_change(months * MONTH) for months, factor in zip((1, 3, 6, 12), factors))


U = (0.25, 0.25, 0.25, 0.25)
W = (3, 1, 0.5, 0.25)


def best(scores, count):
    """The highest scores; of equal ones the first. Those without one are left out."""
    return list(scores.dropna().sort_values(ascending=False, kind="stable").index[:count])


def dual_momentum(close, date):
    year = close.pct_change(YEAR).loc[date]
    if pd.isna(year["SPY"]) or pd.isna(year["BIL"]):
        return {"TBILLX": 1.0}
    if not year["SPY"] > year["BIL"]:
        return {"AGG": 1.0}
    return {best(year[["SPY", "EFA"]], 1)[0]: 1.0}


def filtered(close, date, chosen, share):
    average = close.rolling(10 * MONTH).mean().loc[date]
    weights = {one: share for one in chosen if close.at[date, one] > average[one]}
    weights["TBILLX"] = 1 - sum(weights.values())
    return weights


def gtaa(close, date):
    return filtered(close, date, ["SPY", "EFA", "IEF", "DBC", "VNQ"], 1 / 5)


def gtaa_aggressive(close, date):
    scores = blended(close, U).loc[date]
    return filtered(close, date, best(scores[["SPY", "EFA", "IEF", "DBC", "VNQ", "GLD"]], 3), 1 / 3)


def haa(close, date):
    scores = blended(close, U).loc[date]
    if pd.isna(scores["TIP"]):
        return {"TBILLX": 1.0}
    safe = best(scores[["BIL", "IEF"]], 1)[0]
    if not scores["TIP"] > 0:
        return {safe: 1.0}
    weights = {}
    for one in best(scores[["SPY", "IWM", "EFA", "EEM", "VNQ", "DBC", "IEF", "TLT"]], 4):
        held = one if scores[one] > 0 else safe
        weights[held] = weights.get(held, 0) + 0.25
    return weights


def vaa(close, date):
    scores = blended(close, W).loc[date]
    risky = scores[["SPY", "EFA", "EEM", "AGG"]]
    if risky.isna().any():
        return {"TBILLX": 1.0}
    return {best(risky if (risky > 0).all() else scores[["LQD", "IEF", "SHY"]], 1)[0]: 1.0}


def baa(close, date):
    canaries = blended(close, W).loc[date, ["SPY", "EEM", "EFA", "AGG"]]
    if canaries.isna().any():
        return {"TBILLX": 1.0}
    strength = (close / close.rolling(YEAR).mean()).loc[date]
    if (canaries > 0).all():
        return {best(strength[["QQQ", "EEM", "EFA", "AGG"]], 1)[0]: 1.0}
    weights = {}
    for one in best(strength[["TIP", "DBC", "BIL", "IEF", "TLT", "LQD", "AGG"]], 3):
        held = one if strength[one] >= strength["BIL"] else "BIL"
        weights[held] = weights.get(held, 0) + 1 / 3
    return weights


SECTORS = ["QQQ", "IWM", "EFA", "EEM", "VNQ", "DBC", "GLD", "LQD", "SPY"]


def sector_rotation(close, date):
    """Funds of the market in place of the nine sectors, which it does not have."""
    average = close["SPY"].rolling(10 * MONTH).mean()[date]
    if pd.isna(average) or not close.at[date, "SPY"] > average:
        return {"TBILLX": 1.0}
    return {one: 1 / 3 for one in best(close.pct_change(3 * MONTH).loc[date, SECTORS], 3)}


def volatility_target(close, date):
    deviation = close["SPY"].pct_change().rolling(MONTH).std()[date]
    share = 0.0 if pd.isna(deviation) else min(1.0, 0.10 / (deviation * np.sqrt(252)))
    return {"SPY": share, "TBILLX": 1 - share}


def contributions_equal(covariance):
    """Minimises the spread of the contributions to risk."""
    scale = covariance / np.trace(covariance)
    size = len(scale)
    # The convex form: its solution has equal contributions.
    found = minimize(
        lambda w: w @ scale @ w / 2 - np.log(w).sum(),
        np.ones(size),
        jac=lambda w: scale @ w - 1 / w,
        hess=lambda w: scale + np.diag(1 / w**2),
        bounds=[(1e-9, None)] * size,
        method="trust-constr",
        options={"gtol": 1e-13, "xtol": 1e-15, "maxiter": 5000},
    ).x
    return found / found.sum()


def risk_parity(close, date):
    columns = ["SPY", "TLT", "GLD"]
    window = close[columns].pct_change()[:date].iloc[-6 * MONTH :]
    if len(window) < 6 * MONTH or window.isna().any().any():
        return {"TBILLX": 1.0}
    return dict(zip(columns, contributions_equal(window.cov().to_numpy())))


def adaptive(close, date):
    columns = ["SPY", "EFA", "EEM", "AGG", "TLT", "GLD"]
    chosen = best(close.pct_change(6 * MONTH).loc[date, columns], 3)
    if len(chosen) < 3:
        return {"TBILLX": 1.0}
    covariance = close[chosen].pct_change()[:date].iloc[-3 * MONTH :].cov().to_numpy()
    return dict(zip(chosen, least_variance(covariance)))


def least_variance(covariance):
    """Of all portfolios that are inside on some of the assets the one with the least variance: exact for so few."""
    size = len(covariance)
    found = None
    for mask in range(1, 2**size):
        inside = [i for i in range(size) if mask >> i & 1]
        part = np.linalg.solve(covariance[np.ix_(inside, inside)], np.ones(len(inside)))
        if (part < 0).any():
            continue
        weights = np.zeros(size)
        weights[inside] = part / part.sum()
        variance = weights @ covariance @ weights
        if found is None or variance < found[0]:
            found = (variance, weights)
    return found[1]


def market_timing(close, date):
    average = close["SPY"].rolling(10 * MONTH).mean()[date]
    return {"SPY" if not pd.isna(average) and close.at[date, "SPY"] > average else "TBILLX": 1.0}


def accelerating_momentum(close, date):
    score = sum(close.pct_change(months * MONTH) for months in (1, 3, 6)).loc[date]
    chosen = best(score[["SPY", "EFA"]], 1)
    if chosen and score[chosen[0]] > 0:
        return {chosen[0]: 1.0}
    safe = best(close.pct_change(MONTH).loc[date, ["TLT", "TIP"]], 1)
    return {safe[0] if safe else "TBILLX": 1.0}


def quint_switching(close, date):
    growth = close.pct_change(3 * MONTH).loc[date, ["SPY", "QQQ", "EEM", "EFA", "TLT"]]
    if growth.isna().any():
        return {"TBILLX": 1.0}
    return {best(growth, 1)[0] if (growth > 0).all() else "IEF": 1.0}


def time_series_momentum(close, date):
    growth = close.pct_change(YEAR).loc[date, ["SPY", "EFA", "EEM", "TLT", "GLD", "DBC"]]
    weights = {one: 1 / 6 for one in growth.index[growth > 0]}
    weights["TBILLX"] = 1 - sum(weights.values())
    return weights


def inverse_volatility(close, date):
    columns = ["SPY", "TLT", "GLD", "VNQ"]
    inverse = 1 / close[columns].pct_change().rolling(6 * MONTH).std().loc[date]
    return {"TBILLX": 1.0} if inverse.isna().any() else dict(inverse / inverse.sum())


def minimum_variance(close, date):
    columns = ["SPY", "EFA", "TLT", "GLD", "DBC"]
    window = close[columns].pct_change()[:date].iloc[-YEAR:]
    if len(window) < YEAR or window.isna().any().any():
        return {"TBILLX": 1.0}
    return dict(zip(columns, least_variance(window.cov().to_numpy())))


MONTHLY = {
    "dual-momentum": (dual_momentum, ["SPY", "EFA", "AGG", "TBILLX"], ["BIL"]),
    "gtaa": (gtaa, ["SPY", "EFA", "IEF", "DBC", "VNQ", "TBILLX"], []),
    "gtaa-aggressive": (gtaa_aggressive, ["SPY", "EFA", "IEF", "DBC", "VNQ", "GLD", "TBILLX"], []),
    "haa": (haa, ["SPY", "IWM", "EFA", "EEM", "VNQ", "DBC", "IEF", "TLT", "BIL", "TBILLX"], ["TIP"]),
    "vaa": (vaa, ["SPY", "EFA", "EEM", "AGG", "LQD", "IEF", "SHY", "TBILLX"], []),
    "baa": (baa, ["QQQ", "EEM", "EFA", "AGG", "TIP", "DBC", "BIL", "IEF", "TLT", "LQD", "TBILLX"], ["SPY"]),
    "sector-rotation": (sector_rotation, [*SECTORS, "TBILLX"], []),
    "volatility-target": (volatility_target, ["SPY", "TBILLX"], []),
    "risk-parity": (risk_parity, ["SPY", "TLT", "GLD", "TBILLX"], []),
    "adaptive": (adaptive, ["SPY", "EFA", "EEM", "AGG", "TLT", "GLD", "TBILLX"], []),
    "market-timing": (market_timing, ["SPY", "TBILLX"], []),
    "accelerating-momentum": (accelerating_momentum, ["SPY", "EFA", "TLT", "TIP", "TBILLX"], []),
    "quint-switching": (quint_switching, ["SPY", "QQQ", "EEM", "EFA", "TLT", "IEF", "TBILLX"], []),
    "time-series-momentum": (time_series_momentum, ["SPY", "EFA", "EEM", "TLT", "GLD", "DBC", "TBILLX"], []),
    "inverse-volatility": (inverse_volatility, ["SPY", "TLT", "GLD", "VNQ", "TBILLX"], []),
    "minimum-variance": (minimum_variance, ["SPY", "EFA", "TLT", "GLD", "DBC", "TBILLX"], []),
}
QUARTERLY = {"minimum-variance"}


def monthly(decide, tickers, seen, period="M"):
    close = closes([*tickers, *seen])
    dates = close[tickers].dropna()[FIRST:].index
    decisions = {date: decide(close, date) for date in period_ends(dates, period)}
    return simulate(close[tickers].loc[dates], decisions)


def ema(values, window):
    """Begins as the mean of the first values."""
    values = values.dropna()
    start = pd.Series([values.iloc[:window].mean()], index=[values.index[window - 1]])
    return pd.concat([start, values.iloc[window:]]).ewm(alpha=2 / (window + 1), adjust=False).mean()


def held_while(state, tickers, inside, outside, opens=None):
    """One ticker while true, another while false, the last one while unknown, from each change on."""
    close = closes(tickers)
    dates = close.dropna()[FIRST:].index
    state = state.reindex(close.index).loc[dates]
    names = state.map({1.0: inside, 0.0: outside}).fillna(tickers[-1])
    changed = names != names.shift(1)
    return simulate(close.loc[dates], {date: {names[date]: 1.0} for date in dates[changed]}, opens)


def leveraged_trend():
    spy = total_return("SPY")[:LAST]
    distance = (spy / spy.rolling(200).mean() - 1)[FIRST:].dropna()
    answers, now = [], None
    for one in distance:
        if one > 0.03:
            now = 1.0
        elif one < -0.03:
            now = 0.0
        elif now is None:
            now = float(one > 0)
        answers.append(now)
    return held_while(pd.Series(answers, distance.index), ["SPY?L=2", "TBILLX"], "SPY?L=2", "TBILLX")


def macd_cross():
    spy = total_return("SPY")[:LAST]
    line = (ema(spy, 12) - ema(spy, 26)).dropna()
    signal = ema(line, 9).reindex(line.index)
    state = (line > signal).astype(float).where(signal.notna())
    raw = prices("SPY")
    opens = pd.DataFrame({"SPY": raw["open"] / raw["close"] * total_return("SPY"), "CASHX": 1.0})
    return held_while(state, ["SPY", "CASHX"], "SPY", "CASHX", opens)


def golden_cross():
    spy = total_return("SPY")[:LAST]
    golden = (spy.rolling(50).mean() > spy.rolling(200).mean())[FIRST:].astype(float)
    known = spy.rolling(200).mean()[FIRST:].notna()
    confirmed = (golden.where(known).rolling(3).min() == 1).astype(float).where(known)
    return held_while(confirmed, ["SPY", "TLT", "TBILLX"], "SPY", "TLT")


def rsi_2():
    spy = total_return("SPY")[:LAST]
    change = spy.diff().dropna()
    wilder = lambda part: pd.concat(
        [pd.Series([part.iloc[:2].mean()], index=[part.index[1]]), part.iloc[2:]]
    ).ewm(alpha=1 / 2, adjust=False).mean()
    gain, loss = wilder(change.clip(lower=0)), wilder((-change).clip(lower=0))
    rsi = (100 * gain / (gain + loss)).fillna(0)
    long_average, short_average = spy.rolling(200).mean(), spy.rolling(5).mean()
    # 1 for yes, 0 for no, NaN for a value that is missing; of the two that enter together the lower counts.
    truth = lambda is_true, *known: is_true.astype(float).where(np.logical_and.reduce([one.notna() for one in known]))
    rsi = rsi.reindex(spy.index)
    enter = pd.concat([truth(spy > long_average, long_average), truth(rsi < 10, rsi)], axis=1)
    enter = enter.min(axis=1, skipna=True).where(enter.notna().all(axis=1) | (enter == 0).any(axis=1))
    exits = truth(spy > short_average, short_average)
    answers, now = [], None
    dates = spy[FIRST:].index
    for date in dates:
        if exits[date] == 1:
            now = 0.0
        elif enter[date] == 1:
            now = 1.0
        elif now is None and exits[date] == 0 and enter[date] == 0:
            now = 0.0
        answers.append(now)
    return held_while(pd.Series(answers, dates, dtype=float), ["SPY", "CASHX"], "SPY", "CASHX")


def permanent_portfolio():
    tickers = ["SPY", "TLT", "GLD", "BIL"]
    close = closes(tickers).dropna()[FIRST:]
    weights, decisions, last = np.full(4, 0.25), {}, None
    for date, row in close.iterrows():
        if last is not None:
            weights = weights * (row / last).to_numpy()
            weights = weights / weights.sum()
        if last is None or (abs(weights - 0.25) * 100 > 10).any():
            weights = np.full(4, 0.25)
            decisions[date] = dict(zip(tickers, weights))
        last = row
    return simulate(close, decisions)


def simulate(close, decisions, opens=None):
    """Trades each decision at the next close, or at the next open where there are opens."""
    if "CASHX" not in close and any("CASHX" in one for one in decisions.values()):
        close = close.assign(CASHX=1.0)
    account = Account(1, 0)
    pending, values, told, before = None, [], [], None
    tradable = [ticker for ticker in close.columns if ticker != "CASHX"]
    for date, price in close[tradable].iterrows():
        if pending is not None:
            at = price if opens is None else opens.loc[date, tradable]
            account.trade_to(pd.Series(pending, dtype=float).reindex(tradable).fillna(0.0), at, date)
            pending = None
        if date in decisions:
            pending = decisions[date]
            held = {one: weight for one, weight in pending.items() if weight > 1e-12 and one != "CASHX"}
            if before is None or set(held) != set(before) or any(abs(held[one] - before[one]) > 1e-9 for one in held):
                told.append([date, {one: held[one] for one in sorted(held)}])
            before = held
        values.append(account.value(price) if account.shares is not None else account.cash)
    values = pd.Series(values, index=close.index)
    days = (close.index[-1] - close.index[0]).days
    figures = {
        "from": close.index[0],
        "to": close.index[-1],
        "end_value": values.iloc[-1],
        "cagr": (values.iloc[-1] / values.iloc[0]) ** (365.25 / days) - 1,
    }
    return figures if FOLDER else {**figures, "values": values.iloc[::40], "decisions": told}


def closes_of_cash(original):
    def read(tickers):
        found = original([one for one in tickers if one != "CASHX"])
        return found.assign(CASHX=1.0) if "CASHX" in tickers else found

    return read


closes = closes_of_cash(closes)

DAILY = {
    "leveraged-trend": leveraged_trend,
    "macd-cross": macd_cross,
    "golden-cross": golden_cross,
    "rsi-2": rsi_2,
    "permanent-portfolio": permanent_portfolio,
}

write(
    {
        **{key: monthly(*case, "Q" if key in QUARTERLY else "M") for key, case in MONTHLY.items()},
        **{key: compute() for key, compute in DAILY.items()},
    },
    scipy,
)
