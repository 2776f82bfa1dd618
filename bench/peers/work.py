"""What the peer scripts share: read the table and the request, time the work, write the answer."""
import json
import os
import sys
import time

import numpy as np


def read_work():
    directory, request = sys.argv[1], json.loads(sys.argv[2])
    shape = json.load(open(os.path.join(directory, "table.json")))
    values = np.fromfile(os.path.join(directory, "columns.f64"), dtype=np.float64)
    table = values.reshape(shape["columns"], shape["rows"]).T
    labels = np.fromfile(os.path.join(directory, "labels.u8"), dtype=np.uint8).astype(np.int64)
    return directory, request, table, labels


def evaluate(table, labels, windows, columns, fit_and_predict):
    """Fits every window on its training rows and predicts its test rows."""
    chosen = table if columns is None else table[:, columns]
    return np.concatenate(
        [fit_and_predict(chosen[a:b], labels[a:b], chosen[b:c]) for a, b, c in windows]
    )


def run_timed(work):
    """Wall and processor time without imports and reading."""
    processor, wall = time.process_time(), time.perf_counter()
    probabilities = work()
    return probabilities, (time.perf_counter() - wall) * 1e3, (time.process_time() - processor) * 1e3


def answer(directory, name, probabilities, wall, processor):
    np.asarray(probabilities, dtype=np.float64).tofile(os.path.join(directory, "probabilities.f64"))
    print(json.dumps({"name": name, "wall_ms": wall, "cpu_ms": processor}))
