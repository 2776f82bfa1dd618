"""Series that the product derives from prices and rates, by their definitions in pandas and numpy."""
import numpy as np
import pandas as pd

from common import economic, prices, rate_in_force, write


def split_adjusted(ticker):
    """Close and dividend in today's shares."""
    table = prices(ticker)
    ratio = table["split"].replace(0, 1)
    # Shares of today for one share of that day: all splits that go ex later.
    later = ratio[::-1].cumprod()[::-1].shift(-1, fill_value=1)
    return table["close"] / later, table["dividend"] / later


def total_return(ticker):
    """Dividends reinvested at the close before the ex-date less the dividend, as CRSP and Yahoo do; ends at the close."""
    close, dividend = split_adjusted(ticker)
    growth = (close / (close.shift(1) - dividend)).fillna(1).cumprod()
    return growth / growth.iloc[-1] * close.iloc[-1]


def bills(dates):
    """$100 in 3-month bills: bond-equivalent yield of the discount rate of the day before, by calendar days."""
    discount = rate_in_force("TB3MS", dates).shift(1) / 100
    yearly = 365 * discount / (360 - 91 * discount)
    days = pd.Series(dates, index=dates).diff().dt.days
    return 100 * (1 + yearly * days / 365).fillna(1).cumprod()


def leveraged(ticker, factor):
    """Daily reset leverage with the financing costs of docs/specs."""
    returns = total_return(ticker).pct_change()
    rate = rate_in_force("FEDFUNDS", returns.index).shift(1)
    financing = 1.1 * (factor - 1) * (rate + 0.4) if factor >= 1 else abs(factor) * 0.4 - (1 - factor) * rate
    expense = -factor * 0.333 if factor < 0 else max(0, factor - 1) * 0.5
    cost = (financing + expense) / 100 / 252
    growth = (1 + np.maximum(-1, factor * returns - cost)).fillna(1).cumprod()
    return growth * total_return(ticker).iloc[0]


def price_level(dates):
    """The consumer price index of a month on its last day, and straight lines between."""
    index = economic("CPIAUCNS")["value"]
    month_ends = index.index + pd.offsets.MonthEnd(0)
    number = lambda stamps: pd.DatetimeIndex(stamps).map(pd.Timestamp.toordinal).to_numpy(dtype=float)
    return pd.Series(np.interp(number(dates), number(month_ends), index), index=dates)


def known_then(ticker, dates):
    """The newest observation that was published by 21:00 UTC of each date."""
    table = economic(ticker).reset_index().rename(columns={"date": "month"})
    instants = pd.DataFrame({"at": pd.DatetimeIndex(dates).tz_localize("UTC") + pd.Timedelta(hours=21)})
    joined = pd.merge_asof(instants, table.sort_values("known_at"), left_on="at", right_on="known_at")
    return pd.Series(joined["value"].to_numpy(), index=dates)


def main():
    dates = prices("SPY").index
    rows = range(0, len(dates), 40)
    adjusted, dividends = split_adjusted("NVDA")
    write({
        "rows": list(rows),
        "split_adjusted": adjusted.iloc[rows],
        "split_adjusted_dividends": dividends[dividends > 0],
        "total_return": {ticker: total_return(ticker).iloc[rows] for ticker in ("SPY", "TLT", "NVDA")},
        "bills": bills(dates).iloc[rows],
        "leveraged": {str(factor): leveraged("SPY", factor).iloc[rows] for factor in (3, 2, 0.5, -1)},
        "price_level": price_level(dates).iloc[rows],
        "known_then": known_then("UNRATE", dates).iloc[rows],
    })


if __name__ == "__main__":
    main()
