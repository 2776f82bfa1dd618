"""XGBoost's hist booster. settings: rounds, depth, eta, threads, seed."""
import numpy as np
import xgboost

from work import answer, evaluate, read_work, run_timed

directory, request, table, labels = read_work()
settings = request["settings"]
parameters = dict(
    objective="binary:logistic", tree_method="hist", max_bin=256, max_depth=settings["depth"], eta=settings["eta"],
    nthread=settings["threads"], seed=settings["seed"], subsample=settings.get("subsample", 1), verbosity=0,
)


def fit_and_predict(x, y, test):
    train = xgboost.DMatrix(x, label=y, nthread=settings["threads"])
    booster = xgboost.train(parameters, train, num_boost_round=settings["rounds"])
    return booster.predict(xgboost.DMatrix(test, nthread=settings["threads"]))


table = np.ascontiguousarray(table)
result = run_timed(lambda: evaluate(table, labels, request["windows"], None, fit_and_predict))
answer(directory, f"xgboost {xgboost.__version__}", *result)
