"""The simulation of one ticker per portfolio as a numba loop. Work as bench/backtest/simulation-loop.bench.ts writes it."""
import json
import sys
import time

import numba
import numpy as np


@numba.njit
def portfolio(close, signals, start, points, values, cashes, exposures, growths, trades):
    """In or out at the close of a decision, sized after costs; the operations of engine/trading/simulation.ts."""
    cash, quantity, growth, before, count = start, 0.0, 1.0, start, 0
    for bar in range(close.shape[0]):
        price = close[bar]
        value = cash
        if quantity != 0.0:
            value += quantity * price
        if signals[bar] >= 0 and value > 0.0:
            remaining = value
            trade = 0.0
            for _ in range(50):
                wanted = signals[bar] * remaining / price if price > 0.0 else quantity
                trade = wanted - quantity
                if abs(trade) * price < 1e-9 * value:
                    trade = 0.0
                cost = abs(trade) * price * points / 10_000 if trade != 0.0 else 0.0
                following = value - cost
                if abs(following - remaining) <= 1e-14 * value:
                    break
                remaining = following
            if trade != 0.0:
                fee = abs(trade) * price * points / 10_000
                quantity += trade
                cash -= trade * price + fee
                trades[count, 0] = bar
                trades[count, 1] = trade
                trades[count, 2] = price
                trades[count, 3] = fee
                count += 1
            value = cash
            if quantity != 0.0:
                value += quantity * price
        growth = max(0.0, growth * (value / before))
        growths[bar] = growth
        if value <= 1e-9 * before:
            break
        values[bar] = value
        cashes[bar] = cash
        exposures[bar] = abs(quantity * price) / value
        before = value
    return count


@numba.njit
def sweep(closes, signals, start, points, ends, counts):
    bars = closes.shape[1]
    values, cashes, exposures, growths = np.zeros(bars), np.zeros(bars), np.zeros(bars), np.zeros(bars)
    trades = np.zeros((bars, 4))
    for i in range(closes.shape[0]):
        counts[i] = portfolio(closes[i], signals[i], start, points, values, cashes, exposures, growths, trades)
        ends[i] = values[bars - 1]


directory, request = sys.argv[1], json.loads(sys.argv[2])
shape = (request["columns"], request["bars"])
closes = np.fromfile(f"{directory}/closes.f64", dtype=np.float64).reshape(shape)
signals = np.fromfile(f"{directory}/signals.i8", dtype=np.int8).reshape(shape)
ends, counts = np.zeros(shape[0]), np.zeros(shape[0], dtype=np.int64)
points = float(request["points"])
# The first call compiles.
sweep(closes, signals, 100.0, points, ends, counts)
times = []
for _ in range(request["repeats"]):
    before = time.process_time()
    sweep(closes, signals, 100.0, points, ends, counts)
    times.append((time.process_time() - before) * 1e3)
print(json.dumps({"name": f"numba {numba.__version__}", "cpu_ms": times, "ends": ends.tolist(), "trades": counts.tolist()}))
