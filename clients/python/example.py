"""A walk through the Python client, cell by cell: run it whole, or paste the cells into a notebook.

    export TRADEWRIGHT_URL=http://127.0.0.1:3000 TRADEWRIGHT_KEY=tw_...
    python3 example.py

The key needs the scopes read and research (Settings, API Keys).
"""

# %% Connect
import json
import os

import tradewright

tw = tradewright.connect()
print("Server version", tw.get_version()["version"])

# %% Run a backtest. "sample" is the synthetic sample market, which needs no network; leave it out for real prices.
provider = os.environ.get("EXAMPLE_PROVIDER", "sample")
period = {"start_date": "2019-01-02", "end_date": "2022-12-30", "data_provider": provider}
balanced = tw.backtest(name="Sixty forty", allocations={"SPY": 60, "AGG": 40}, **period)
print(balanced)
for note in balanced.notes:
    print("Note:", note)

# %% Figures are fractions and ratios; None has its reason beside it
for name in ("cagr", "sharpe", "volatility", "sortino"):
    value = balanced.figures[name]
    print("%-12s" % name, "n/a: %s" % balanced.reasons.get("metrics." + name) if value is None else "%.4f" % value)

# %% The account at every bar, and the fills: data frames with pandas, else lists of dicts
equity, trades = balanced.equity, balanced.trades
print(len(equity), "bars,", len(trades), "trades")
if tradewright.pandas is not None:
    print(equity.tail(3))
    print(equity["value"].resample("Y").last())
else:
    print(equity[-1])

# %% Compare weights
for stocks in (20, 80):
    run = tw.backtest(allocations={"SPY": stocks, "AGG": 100 - stocks}, **period)
    print("%d%% SPY: CAGR %.2f%%, Sharpe %.2f" % (stocks, 100 * run.figures["cagr"], run.figures["sharpe"]))

# %% Errors are typed, with a sentence and a stable code
try:
    tw.backtest(allocations={"SPY": 100}, start_date="2030-01-01", end_date="2020-01-01")
except tradewright.InvalidRequest as error:
    print("Refused:", error, "(%s)" % error.code)

# %% A passport lets others verify the result
verdict = tw.verify_passport(json.dumps(balanced.passport(rows=True)).encode())
print(verdict["verdict"])
