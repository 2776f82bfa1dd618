"""Series that the product derives from prices and rates, by their definitions in pandas and numpy."""
import numpy as np
import pandas as pd

from common import economic, prices, rate_in_force, write


# TLT is taken to have no prices before.
JOIN = pd.Timestamp("2016-03-15")


def made_up_yields(dates):
    """In percent: waves between 0.5 and 6.5, so that bonds gain and lose."""
    step = np.arange(len(dates))
    return pd.Series(3.5 + 2 * np.sin(step / 300) + np.cos(step / 7), index=dates)


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


def spliced(own, fallback):
    """The returns of the fallback up to the first own price, then the own ones; ends at the own price."""
    start = own.first_valid_index()
    returns = pd.concat([fallback.pct_change()[:start], own[start:].pct_change()[1:]])
    growth = (1 + returns.iloc[1:]).cumprod()
    first = pd.Series([1.0], index=returns.index[:1])
    growth = pd.concat([first, growth])
    return growth / growth.iloc[-1] * own.iloc[-1]


def bond(yields, years):
    """$100 in a par bond with two coupons a year that is sold and bought anew each day."""
    values, value = [100.0], 100.0
    for (day, was), (next_day, now) in zip(list(yields.items())[:-1], list(yields.items())[1:]):
        passed = (next_day - day).days / 365
        left = years - passed
        annuity = (1 - (1 + now / 200) ** (-2 * left)) / (now / 200)
        price = was / 200 * annuity + (1 + now / 200) ** (-2 * left)
        value *= price + was / 100 * passed
        values.append(value)
    return pd.Series(values, index=yields.index)


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
        "spliced": {
            "TLT?FB=SPY": spliced(total_return("TLT").where(dates >= JOIN), total_return("SPY")).iloc[rows],
            "TLT?FB=SPY?L=2": spliced(total_return("TLT").where(dates >= JOIN), leveraged("SPY", 2)).iloc[rows],
            "TLT?FB=DGS10?M=10": spliced(total_return("TLT").where(dates >= JOIN), bond(made_up_yields(dates), 10)).iloc[rows],
        },
        "bond": {str(years): bond(made_up_yields(dates), years).iloc[rows] for years in (2, 10, 30)},
        "price_level": price_level(dates).iloc[rows],
        "known_then": known_then("UNRATE", dates).iloc[rows],
    })


if __name__ == "__main__":
    main()
