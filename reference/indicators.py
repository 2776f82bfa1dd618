"""Features that TTR does not have, and the labels of all targets, by their definitions in pandas, numpy and statsmodels."""
import numpy as np
import pandas as pd
import statsmodels
import statsmodels.api as sm
from statsmodels.regression.rolling import RollingOLS

from common import economic, prices, write

BARS = 300
#: All rows while the indicators warm up, then one a week.
ROWS = [*range(90), *range(94, BARS, 5)]

bars = prices("SPY").iloc[:BARS]
close, high, low, volume = (bars[name] for name in ("close", "high", "low", "volume"))
other = prices("TLT")["close"].iloc[:BARS]
change = close.pct_change()


def volume_slope(window):
    """The slope of a least-squares line through on-balance volume, over the mean volume."""
    balance = (np.sign(close.diff()) * volume).iloc[1:].cumsum()
    slope = balance.rolling(window).apply(lambda part: np.polyfit(np.arange(window), part, 1)[0], raw=True)
    return (slope / volume.rolling(window).mean()).reindex(close.index)


def wilder(values, window):
    """Wilder 1978: the mean of the first full window, then 1 / window of the way to each new value."""
    known = values.dropna()
    seeded = pd.concat([known.iloc[:window].expanding().mean().iloc[-1:], known.iloc[window:]])
    return seeded.ewm(alpha=1 / window, adjust=False).mean().reindex(values.index)


def directional_index(window):
    """ADX, +DI and -DI."""
    up, down = high.diff(), -low.diff()
    true_range = pd.concat([high - low, (high - close.shift(1)).abs(), (low - close.shift(1)).abs()], axis=1)
    usual = wilder(true_range.max(axis=1).iloc[1:], window)
    plus = 100 * wilder(up.where((up > down) & (up > 0), 0).iloc[1:], window) / usual
    minus = 100 * wilder(down.where((down > up) & (down > 0), 0).iloc[1:], window) / usual
    trend = wilder(100 * (plus - minus).abs() / (plus + minus), window)
    return {"adx": trend, "plus_di": plus, "minus_di": minus}


def features():
    beta = RollingOLS(change.iloc[1:], sm.add_constant(other.pct_change().iloc[1:]), window=40).fit().params.iloc[:, 1]
    return [
        ("lagged_return", {"window": 3, "lag": 2}, close.pct_change(3).shift(2)),
        ("price_sma_ratio", {"window": 50}, close / close.rolling(50).mean()),
        ("z_score", {"window": 20}, (close - close.rolling(20).mean()) / close.rolling(20).std(ddof=1)),
        ("obv_slope", {"window": 20}, volume_slope(20)),
        ("high_low_range", {"window": 10}, (high.rolling(10).max() - low.rolling(10).min()) / close),
        ("distance_from_high", {"window": 60}, close / high.rolling(60).max() - 1),
        ("distance_from_low", {"window": 60}, close / low.rolling(60).min() - 1),
        ("drawdown", {"window": 0}, close / close.cummax() - 1),
        ("drawdown", {"window": 30}, close / close.rolling(30, min_periods=1).max() - 1),
        ("skew", {"window": 60}, change.rolling(60).skew()),
        ("beta", {"window": 40, "other_ticker": "TLT"}, beta.reindex(close.index)),
        *(("adx", {"output": name}, column.reindex(close.index)) for name, column in directional_index(14).items()),
        ("ratio", {"other_ticker": "TLT"}, close / other),
        ("spread", {"other_ticker": "TLT"}, close - other),
        ("day_of_week", {}, pd.Series(close.index.dayofweek + 1, index=close.index)),
        ("month", {}, pd.Series(close.index.month, index=close.index)),
    ]


def observation_features():
    """Features of series that have one value per row."""
    value = economic("UNRATE")["value"]
    return [
        ("economic_level", {}, value),
        ("economic_change", {"output": "difference", "window": 3}, value.diff(3)),
        ("economic_change", {"output": "percent", "window": 12}, value.pct_change(12)),
        ("funding_rate", {"window": 4}, value.rolling(4).mean()),
        ("long_short_ratio", {"window": 6}, value.rolling(6).mean()),
        ("open_interest_change", {"window": 2}, value.pct_change(2)),
        ("liquidation_intensity", {"window": 8}, value / value.rolling(8).mean()),
    ]


def triple_barrier(horizon, profit, loss):
    labels = []
    for row in range(BARS):
        label = None
        if row + horizon < BARS:
            up = np.flatnonzero(high.iloc[row + 1 : row + horizon + 1] >= close.iloc[row] * (1 + profit / 100))
            down = np.flatnonzero(low.iloc[row + 1 : row + horizon + 1] <= close.iloc[row] * (1 - loss / 100))
            first_up, first_down = (hits[0] if len(hits) else horizon for hits in (up, down))
            if first_up == first_down == horizon:
                label = int(close.iloc[row + horizon] > close.iloc[row])
            else:
                label = int(first_up < first_down)
        labels.append(label)
    return pd.Series(labels, index=close.index, dtype=float)


def where(condition, known):
    return condition.astype(float).where(known)


def targets():
    ahead = lambda column, horizon: column.shift(-horizon) / column - 1
    past, coming = change.rolling(60).std(ddof=1), change.rolling(20).std(ddof=1).shift(-20)
    lead = ahead(close, 5) - ahead(other, 5)
    return [
        ("next_bar_direction", {}, where(ahead(close, 1) > 0, ahead(close, 1).notna())),
        ("n_bar_direction", {"horizon": 5}, where(ahead(close, 5) > 0, ahead(close, 5).notna())),
        ("return_above_threshold", {"horizon": 5, "threshold": 1}, where(ahead(close, 5) > 0.01, ahead(close, 5).notna())),
        ("triple_barrier", {"horizon": 10, "profit": 2, "loss": 2}, triple_barrier(10, 2, 2)),
        ("volatility_regime", {"horizon": 20, "window": 60}, where(coming < past, coming.notna() & past.notna())),
        ("beats_ticker", {"horizon": 5, "other_ticker": "TLT"}, where(lead > 0, lead.notna())),
    ]


def entries(list_of_columns, rows=None):
    return [
        {"key": key, "parameters": parameters, "values": column if rows is None else column.iloc[rows]}
        for key, parameters, column in list_of_columns
    ]


def as_text(column):
    """One character per row: 1, 0, or - while the label is not known."""
    return "".join("-" if np.isnan(label) else str(int(label)) for label in column)


write(
    {
        "bars": BARS,
        "rows": ROWS,
        "features": entries(features(), ROWS),
        "observation_features": entries(observation_features()),
        "targets": [{"key": key, "parameters": parameters, "labels": as_text(column)} for key, parameters, column in targets()],
    },
    statsmodels,
)
