"""scikit-learn's RandomForestClassifier. settings: trees, leaf, split, seed, jobs (threads of one forest), processes
(evaluations or windows spread over processes with joblib)."""
import numpy as np
import sklearn
from joblib import Parallel, delayed
from sklearn.ensemble import RandomForestClassifier

from work import answer, evaluate, read_work, run_timed

directory, request, table, labels = read_work()
settings, windows = request["settings"], request["windows"]
picks = request["picks"] or [None]


def one(columns, some_windows):
    def fit_and_predict(x, y, test):
        forest = RandomForestClassifier(
            n_estimators=settings["trees"], max_features="sqrt", min_samples_leaf=settings["leaf"],
            min_samples_split=settings["split"], n_jobs=settings["jobs"], random_state=settings["seed"],
        )
        return forest.fit(x, y).predict_proba(test)[:, 1]

    return evaluate(table, labels, some_windows, columns, fit_and_predict)


if settings["processes"] > 1:
    pieces = [(c, [w]) for c in picks for w in windows]
    with Parallel(n_jobs=settings["processes"]) as pool:
        pool(delayed(int)(0) for _ in range(8))
        work = lambda: np.concatenate(pool(delayed(one)(c, w) for c, w in pieces))
        result = run_timed(work)
else:
    result = run_timed(lambda: np.concatenate([one(c, windows) for c in picks]))
answer(directory, f"scikit-learn {sklearn.__version__}", *result)
