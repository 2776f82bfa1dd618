"""Accounts that hold and rebalance funds, simulated day by day with pandas; sizes are solved by scipy."""
import numpy as np
import pandas as pd
import scipy
from scipy.optimize import brentq

from common import prices, rate_in_force, write
from curve import money_weighted, month_end_figures, period_ends, sharpe, sortino, volatility, yearly
from series import bills, leveraged, price_level, split_adjusted, total_return

DATES = prices("SPY").index
START = 10_000.0


class Account:
    def __init__(self, cost_bps, commission, whole_shares=False):
        self.cash, self.shares = START, None
        self.cost_bps, self.commission, self.whole_shares = cost_bps, commission, whole_shares
        self.trades = []

    def value(self, price):
        return self.cash + (0 if self.shares is None else (self.shares * price).sum())

    def cost(self, traded):
        """Of traded amounts in dollars; less than a billionth of the account is no trade."""
        return (traded.abs() * self.cost_bps / 10_000).sum() + self.commission * (traded.abs() > 1e-6).sum()

    def trade_to(self, weights, price, date):
        """Shares such that the weights hold for what is left after the costs of getting there."""
        if self.shares is None:
            self.shares = price * 0.0
        worth = self.value(price)

        def wanted(rest):
            shares = weights * rest / price
            return np.trunc(shares) if self.whole_shares else shares

        left = lambda rest: worth - self.cost((wanted(rest) - self.shares) * price) - rest
        rest = worth if left(worth) == 0 else brentq(left, worth * 0.5, worth, xtol=1e-12, rtol=1e-15)
        bought = wanted(rest) - self.shares
        traded = bought * price
        self.cash -= traded.sum() + self.cost(traded)
        self.shares = self.shares + bought
        for ticker in price.index:
            if abs(traded[ticker]) > 1e-6:
                fee = abs(traded[ticker]) * self.cost_bps / 10_000 + self.commission
                self.trades.append((date, ticker, bought[ticker], price[ticker], fee))


def last_of(frequency):
    """Whether a date is the last session of its period; the first date never is."""
    period = pd.Series(DATES.to_period(frequency), index=DATES)
    ends = (period != period.shift(-1)).to_numpy()
    ends[0] = False
    return ends


FREQUENCY = {"monthly": "M", "quarterly": "Q", "yearly": "Y"}


def priced(ticker, reinvest):
    if ticker == "TBILLX":
        return bills(DATES), None
    if "?L=" in ticker:
        return leveraged(ticker.split("?")[0], float(ticker.split("=")[1])), None
    return (total_return(ticker), None) if reinvest else split_adjusted(ticker)


def curve_figures(growth, risk_free):
    """`growth` is what a dollar became, the first costs paid; the dollar itself counts as a high."""
    returns = growth.pct_change().dropna()
    cagr = yearly(growth.iloc[-1], DATES[0], DATES[-1])
    falls = growth / np.maximum(1, growth.cummax()) - 1
    depth = falls.min()
    return {
        "total_return": growth.iloc[-1] - 1,
        "cagr": cagr,
        "volatility": volatility(returns, 252),
        "sharpe": sharpe(returns, risk_free, 252),
        "sortino": sortino(returns, risk_free, 252),
        "max_drawdown": depth,
        "calmar": cagr / -depth,
        "ulcer_index": np.sqrt((falls**2).mean()),
        "pain_index": -falls.mean(),
        "month_end": month_end_figures(growth, risk_free),
    }


def run(percents, rebalance="yearly", band=None, cost_bps=1, commission=0, flow=0, flow_frequency="yearly",
        inflation=False, reinvest=True, flow_kind="dollars", short_borrow=None):
    columns = {ticker: priced(ticker, reinvest) for ticker in percents}
    close = pd.DataFrame({ticker: series for ticker, (series, _) in columns.items()})
    dividends = pd.DataFrame({
        ticker: paid if paid is not None else close[ticker] * 0 for ticker, (_, paid) in columns.items()
    })
    weights = pd.Series(percents, dtype=float) / 100
    level = price_level(DATES)
    dollars = level.iloc[0] / level if inflation else level * 0 + 1
    flow_due = pd.Series(np.where(last_of(FREQUENCY[flow_frequency]), flow, 0.0), index=DATES)
    flows = flow_due / (level.iloc[0] / level if flow_kind == "inflation" else dollars)
    if flow_kind == "percent":
        flows = flows * 0
    due = last_of(FREQUENCY[rebalance]) if rebalance else np.zeros(len(DATES), bool)
    # What a borrowed dollar costs a day.
    borrowing = 1.1 * (rate_in_force("FEDFUNDS", DATES) + 0.4) / 100 / 252

    account = Account(cost_bps, commission)
    values, invested, held_shares = [], [], []
    lent = 0.0
    earned = {"dividends": 0.0, "interest": 0.0}
    for i, date in enumerate(DATES):
        price = close.loc[date]
        if i == 0:
            account.trade_to(weights, price, date)
        else:
            # Borrowed shares cost by their value of the day before.
            interest = max(0.0, -account.cash) * borrowing[date] + lent * (short_borrow or 0) / 100 / 252
            paid = (account.shares * dividends.loc[date]).sum()
            account.cash += paid - interest
            earned["dividends"] += paid
            earned["interest"] += interest
            held = account.shares * price / account.value(price)
            rebalances = due[i] or (band is not None and ((held - weights).abs() * 100 > band).any())
            if flow_kind == "percent":
                flows[date] = flow_due[date] / 100 * account.value(price)
            account.cash += flows[date]
            if rebalances:
                account.trade_to(weights, price, date)
            elif flows[date] != 0:
                account.trade_to(held, price, date)
        lent = -(account.shares * price).clip(upper=0).sum()
        held_shares.append(account.shares)
        values.append(account.value(price))
        invested.append((account.shares * price).abs().sum() / values[-1])

    nominal = pd.Series(values, index=DATES)
    growth = ((nominal - flows) / nominal.shift(1)).fillna(nominal.iloc[0] / START).cumprod() * dollars
    bill_returns = ((bills(DATES) * dollars) / (bills(DATES) * dollars).shift(1) - 1).iloc[1:]
    trades = pd.DataFrame(account.trades, columns=["date", "ticker", "quantity", "price", "fee"])
    traded = trades["quantity"].abs() * trades["price"]
    days = (DATES[-1] - DATES[0]).days
    paid_in = [(DATES[0], -START)] + [(date, -one) for date, one in flows.items() if one != 0] + [(DATES[-1], nominal.iloc[-1])]
    return {
        "end_value": (nominal * dollars).iloc[-1],
        "nominal_end_value": nominal.iloc[-1],
        "nominal_values": nominal.iloc[::40],
        "trades": len(trades),
        "fees": trades["fee"].sum(),
        "traded_value": traded.sum(),
        "turnover": traded[trades["date"] > DATES[0]].sum() / 2 / nominal.mean() * 365.25 / days,
        "exposure": np.mean(invested),
        **earned,
        "money_weighted": money_weighted(paid_in),
        **curve_figures(growth, bill_returns),
        "contributions": contributions(pd.DataFrame(held_shares, index=DATES), close, dividends, nominal, growth / dollars),
        "annual": {"nominal": years(growth / dollars), "real": years(growth) if inflation else None},
    }


def years(growth):
    """Of calendar years, the first from the value of the first bar on."""
    return period_ends(growth, "Y").pct_change().dropna()


def contributions(shares, close, dividends, nominal, growth):
    """Of each fund, to the return of one dollar and to its volatility; fills are at the close, so a bar earns what was held before it."""
    earned = shares.shift(1) * (close.diff() + dividends)
    parts = earned.div(nominal.shift(1), axis=0).iloc[1:]
    returns = growth.pct_change().dropna()
    return {
        ticker: {
            "to_return": (part * growth.shift(1).iloc[1:]).sum(),
            "to_volatility": np.cov(part, returns)[0, 1] / returns.std(ddof=1) * np.sqrt(252),
        }
        for ticker, part in parts.items()
    }


CASES = {
    "all in one": dict(percents={"SPY": 100}),
    "sixty-forty, monthly, with commissions": dict(
        percents={"SPY": 60, "TLT": 40}, rebalance="monthly", cost_bps=10, commission=2
    ),
    "monthly savings in real dollars": dict(
        percents={"SPY": 50, "TLT": 30, "GLD": 20}, rebalance="quarterly", flow=250, flow_frequency="monthly", inflation=True
    ),
    "dividends in cash, within a band": dict(
        percents={"SPY": 45, "TLT": 45}, rebalance=None, band=5, reinvest=False, cost_bps=5
    ),
    "borrowed half": dict(percents={"SPY": 90, "TLT": 60}, rebalance="monthly"),
    "withdrawals from stocks and bills": dict(percents={"SPY": 60, "TBILLX": 40}, flow=-1500),
    # Its deepest fall begins with the dollar before the first costs.
    "an inverse fund with high costs": dict(percents={"GLD?L=-3": 100}, rebalance=None, cost_bps=200),
    "quarterly withdrawals in percent of the balance": dict(
        percents={"SPY": 60, "TLT": 40}, flow=-1.5, flow_frequency="quarterly", flow_kind="percent"
    ),
    "withdrawals that grow with prices": dict(
        percents={"SPY": 60, "TLT": 40}, flow=-60, flow_frequency="monthly", flow_kind="inflation"
    ),
    "stocks against bonds sold short": dict(
        percents={"SPY": 100, "TLT": -40}, rebalance="monthly", short_borrow=1.5
    ),
    "more stocks than money, against gold sold short, dividends in cash": dict(
        percents={"SPY": 130, "GLD": -30, "TLT": -10}, rebalance=None, band=5, short_borrow=3, reinvest=False
    ),
    "a leveraged fund": dict(percents={"SPY?L=2": 50, "GLD": 50}, rebalance="quarterly", cost_bps=3),
}


def momentum_rotation(months=3):
    """At each month end all in the fund that grew most over the last months, free of costs; cash until there are so many."""
    closes = pd.DataFrame({ticker: prices(ticker)["close"] for ticker in ("SPY", "TLT", "GLD")})
    ends = closes.groupby(closes.index.to_period("M")).tail(1)
    best = ends.pct_change(months).dropna().idxmax(axis=1)
    held = best.reindex(closes.index).ffill().shift(1)
    changes = closes.pct_change()
    earned = pd.Series([0.0 if pd.isna(one) else changes.at[date, one] for date, one in held.items()], index=closes.index)
    values = START * (1 + earned).cumprod()
    # Each stretch of one fund, bought at the close before its first day; the last one is still held unless that close sells it.
    stretch = (held != held.shift(1)).cumsum()[held.notna()]
    won = [(1 + earned[days.index]).prod() > 1 for _, days in stretch.groupby(stretch)]
    if best.iloc[-1] == held.iloc[-1]:
        won.pop()
    return {
        "months": months,
        "chosen": best,
        "values": values.iloc[::40],
        "end_value": values.iloc[-1],
        "holding_periods": len(won),
        "holding_win_rate": np.mean(won),
    }


def moving_average_cross(fast=10, slow=30, fee_per_share=0.005):
    """Long above, short below, from the open after the cross, in whole shares; profits by average cost."""
    bars = prices("SPY")
    above = np.sign(bars["close"].rolling(fast).mean() - bars["close"].rolling(slow).mean())
    crossed = (above * above.shift(1) < 0) & (np.arange(len(bars)) > slow)
    cash, shares, entry = START, 0.0, None
    values, trades, profits = [], 0, []
    side = None
    for i, (date, bar) in enumerate(bars.iterrows()):
        cash += shares * bar["dividend"]
        if side is not None:
            worth = cash + shares * bar["open"]
            rest = worth
            for _ in range(200):
                wanted = np.trunc(side * rest / bar["open"])
                rest = worth - abs(wanted - shares) * fee_per_share
            quantity = wanted - shares
            fee = abs(quantity) * fee_per_share
            if shares != 0:
                entry_price, entry_fee = entry
                closing = abs(shares) * (entry_fee + fee / abs(quantity))
                profits.append(shares * (bar["open"] - entry_price) - closing)
            cash -= quantity * bar["open"] + fee
            shares, entry, trades = wanted, (bar["open"], fee / abs(quantity)), trades + 1
            side = None
        if crossed.iloc[i]:
            side = above.iloc[i]
        values.append(cash + shares * bar["close"])
    return {
        "fast": fast,
        "slow": slow,
        "fee_per_share": fee_per_share,
        "values": pd.Series(values).iloc[::40],
        "end_value": values[-1],
        "trades": trades,
        "profits": profits,
        "win_rate": np.mean(np.array(profits) > 0),
    }


def on_margin(weight=3.5, required=0.25, cost_bps=10):
    """Bought once on borrowed money; sold down at the open after a close that does not cover the position."""
    bars, close = prices("SPY"), total_return("SPY")
    opens = bars["open"] * close / bars["close"]
    borrowing = 1.1 * (rate_in_force("FEDFUNDS", DATES) + 0.4) / 100 / 252
    rate = cost_bps / 10_000
    shares = weight * START / (1 + weight * rate) / close.iloc[0]
    cash = START - shares * close.iloc[0] * (1 + rate)
    values, called, sales = [], False, []
    for i, date in enumerate(DATES):
        if i > 0:
            cash -= max(0.0, -cash) * borrowing[date]
        price = opens[date]
        if called and cash + shares * price < required * shares * price:
            # kept * required * position = equity - rate * (1 - kept) * position
            position = shares * price
            kept = max(0.0, (cash + position - rate * position) / (required * position - rate * position))
            sold = shares * (1 - kept)
            cash += sold * price * (1 - rate)
            shares -= sold
            sales.append((DATES[i - 1], sold * price))
        value = cash + shares * close[date]
        called = value < required * shares * close[date]
        values.append(value)
    return {
        "weight": weight,
        "cost_bps": cost_bps,
        "values": pd.Series(values).iloc[::40],
        "end_value": values[-1],
        "sale_days": [day for day, _ in sales],
        "sold": [value for _, value in sales],
    }


def with_impact(percents={"SPY": 60, "TLT": 40}, factor=1, start=1e9, cost_bps=2):
    """Monthly, in an account so large that it moves prices: the square-root law on the month before."""
    close = pd.DataFrame({ticker: total_return(ticker) for ticker in percents})
    # The market has no volume: the test trades the same made-up shares.
    volume = 1_000_000 + 1_000 * (np.arange(len(DATES)) % 7)
    dollars = pd.DataFrame({ticker: prices(ticker)["close"] * volume for ticker in percents})
    squares = np.log(close / close.shift(1)) ** 2
    usual = lambda table: table.iloc[1:].rolling(20, min_periods=5).mean().shift(1).reindex(table.index)
    rates = (factor * np.sqrt(usual(squares)) / np.sqrt(usual(dollars))).bfill()
    weights = pd.Series(percents, dtype=float) / 100
    due = last_of("M")
    cash, shares = start, close.iloc[0] * 0.0
    values, fees = [], 0.0
    for i, date in enumerate(DATES):
        price = close.loc[date]
        if i == 0 or due[i]:
            worth = cash + (shares * price).sum()

            def cost(rest):
                traded = ((weights * rest / price - shares) * price).abs()
                return (traded * cost_bps / 10_000 + traded * rates.loc[date] * np.sqrt(traded)).sum()

            rest = brentq(lambda rest: worth - cost(rest) - rest, worth * 0.5, worth, xtol=1e-6, rtol=1e-15)
            fees += cost(rest)
            shares, cash = weights * rest / price, 0.0
        values.append(cash + (shares * price).sum())
    return {
        "percents": percents,
        "factor": factor,
        "start": start,
        "cost_bps": cost_bps,
        "values": pd.Series(values).iloc[::40],
        "end_value": values[-1],
        "fees": fees,
    }


if __name__ == "__main__":
    write(
        {
            **{name: {"settings": case, **run(**case)} for name, case in CASES.items()},
            "moving_average_cross": moving_average_cross(),
            "momentum_rotation": momentum_rotation(),
            "on_margin": on_margin(),
            "with_impact": with_impact(),
        },
        scipy,
    )
