"""numpy's time for 10,000 paths of 30 years of five assets with flows and yearly rebalancing, months drawn in blocks."""
import json
import time

import numpy as np

PATHS, MONTHS, HISTORY, BLOCK = 10_000, 360, 240, 12
random = np.random.default_rng(1)
gross = 1 + random.normal(0.006, 0.04, (HISTORY, 5))
weights = np.full(5, 0.2)


def follow():
    # Stationary bootstrap: a new place with one chance in twelve, else the next month.
    breaks = random.random((PATHS, MONTHS)) < 1 / BLOCK
    breaks[:, 0] = True
    places = random.integers(0, HISTORY, (PATHS, MONTHS))
    since = np.arange(MONTHS) - np.maximum.accumulate(np.where(breaks, np.arange(MONTHS), 0), axis=1)
    begun = np.take_along_axis(places, np.maximum.accumulate(np.where(breaks, np.arange(MONTHS), 0), axis=1), axis=1)
    rows = (begun + since) % HISTORY
    held = np.tile(weights, (PATHS, 1))
    values = np.full((PATHS, MONTHS + 1), 10_000.0)
    growth = np.ones((PATHS, MONTHS + 1))
    for month in range(1, MONTHS + 1):
        held = held * gross[rows[:, month - 1]]
        total = held.sum(axis=1)
        if month % 12 == 0:
            total = total - 0.0001 * np.abs(held - np.outer(total, weights)).sum(axis=1)
            held = np.outer(total, weights)
        growth[:, month] = total
        values[:, month] = np.maximum(0, values[:, month - 1] * total / growth[:, month - 1] - (400 if month % 12 == 0 else 0))
    bands = np.quantile(values[:, ::3], [0.05, 0.25, 0.5, 0.75, 0.95], axis=0)
    return bands, np.quantile(1 / (1 / growth[:, 1:]).sum(axis=1), 0.05)


follow()
times = []
for _ in range(3):
    begun = time.process_time()
    follow()
    times.append(time.process_time() - begun)
print(json.dumps({"name": f"numpy {np.__version__}", "seconds": sorted(times)[1]}))
