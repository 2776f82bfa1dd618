"""What the scripts share: reading the market, and writing values with the libraries that made them."""
import datetime
import json
import math
import os
import platform
import sys

import numpy as np
import pandas as pd

MARKET = os.path.join(os.path.dirname(os.path.abspath(__file__)), "market")
DIGITS = 12


def prices(ticker):
    """Daily bars by date; dividend and split are 0 where there is none."""
    table = pd.read_csv(os.path.join(MARKET, f"{ticker}.csv"), index_col="date", parse_dates=True)
    return table.fillna({"dividend": 0.0, "split": 0.0})


def economic(ticker):
    """Monthly observations, stamped with the first day of their month."""
    return pd.read_csv(os.path.join(MARKET, f"{ticker}.csv"), index_col="date", parse_dates=["date", "known_at"])


def rate_in_force(ticker, dates):
    """In percent a year: the observation of the month that a date lies in."""
    table = economic(ticker)
    return table["value"].reindex(table.index.union(dates)).ffill().reindex(dates)


def plain(value):
    """As JSON: 12 significant digits, null for a missing value, dates as text."""
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple, np.ndarray, pd.Series, pd.Index)):
        return [plain(one) for one in value]
    if isinstance(value, (pd.Timestamp, datetime.date)):
        return value.strftime("%Y-%m-%d")
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, (float, np.floating)):
        return float(f"{value:.{DIGITS}g}") if math.isfinite(value) else None
    return value


def write(values, *libraries):
    """To the file named on the command line. One entry a line, so that a change shows where it is."""
    versions = {"python": platform.python_version()}
    versions.update({library.__name__: library.__version__ for library in (np, pd, *libraries)})
    lines = ",\n".join(f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in plain(values).items())
    with open(sys.argv[1], "w") as file:
        file.write(f'{{"libraries": {json.dumps(versions)},\n"values": {{\n{lines}\n}}}}\n')

