"""Linear regression, trees, forests and boosting by scikit-learn, statsmodels and XGBoost on one table of features."""
import numpy as np
import pandas as pd
import sklearn
import statsmodels
import statsmodels.api as sm
import xgboost
from sklearn.ensemble import ExtraTreesClassifier, HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.metrics import accuracy_score, log_loss, roc_auc_score
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from common import prices, write

TRAIN, TEST = slice(0, 500), slice(500, 800)
#: So few rows that every value of a column has a code of its own: trees then divide them in the same way. Between two
#: values that meet in a node the product and histogram boosting cut at the nearest value of any node, the others halfway.
FEW = slice(0, 250)


def table():
    """What moved lately, and whether the next five days move more than usual: volatility clusters, so it can be learned."""
    bars = prices("SPY")
    close, high, low, volume = (bars[name] for name in ("close", "high", "low", "volume"))
    change = close.pct_change()
    columns = pd.DataFrame({
        "volatility_5": 100 * change.rolling(5).std(ddof=1),
        "volatility_20": 100 * change.rolling(20).std(ddof=1),
        "range": 100 * (high - low) / close,
        "volume": volume / volume.rolling(20).mean(),
        "change_5": 100 * close.pct_change(5),
        "average": 100 * (close / close.rolling(50).mean() - 1),
    }).round(5)
    moved = change.abs().rolling(5).mean().shift(-5)
    usable = columns.notna().all(axis=1) & moved.notna()
    columns, moved = columns[usable].iloc[:800], moved[usable].iloc[:800]
    return columns, (moved > moved.iloc[TRAIN].median()).astype(int).to_numpy()


columns, labels = table()
X, y = columns.to_numpy(), labels


def linear():
    scaler = StandardScaler().fit(X[TRAIN])
    Z = scaler.transform(X)
    fitted = LinearRegression().fit(Z[TRAIN], y[TRAIN])
    ols = sm.OLS(y[TRAIN], sm.add_constant(Z[TRAIN])).fit()
    assert np.allclose(fitted.coef_, ols.params[1:], rtol=1e-9)
    twice = np.column_stack([Z, Z[:, 0]])
    ridge = Ridge(alpha=1e-3 * len(y[TRAIN])).fit(twice[TRAIN], y[TRAIN])
    return {
        "coefficients": ols.params[1:],
        "intercept": ols.params[0],
        "predictions": np.clip(fitted.predict(Z[TEST]), 0, 1),
        "repeated_column": {"predictions": np.clip(ridge.predict(twice[TEST]), 0, 1)},
    }


def tree(leaf, split):
    """One tree that sees all rows and columns. Any order of the columns gives the same one, so no split was a tie."""
    trees = [
        DecisionTreeClassifier(min_samples_leaf=leaf, min_samples_split=split, random_state=seed).fit(X[FEW], y[FEW])
        for seed in range(30)
    ]
    predictions = [one.predict_proba(X[FEW])[:, 1] for one in trees]
    assert all(np.array_equal(predictions[0], other) for other in predictions), "a tie between splits"
    return {
        "min_samples_leaf": leaf,
        "min_samples_split": split,
        "predictions": predictions[0],
        "importances": trees[0].feature_importances_,
    }


def forest():
    """The mean of so many trees that chance hardly counts; `spread` is how much 1,000 trees differ by chance alone."""
    def grown(trees, seed):
        return RandomForestClassifier(
            n_estimators=trees, max_features="sqrt", min_samples_leaf=3, min_samples_split=3,
            oob_score=True, n_jobs=1, random_state=seed,
        ).fit(X[TRAIN], y[TRAIN])

    large, one, another = grown(5000, 1), grown(1000, 2), grown(1000, 3)
    predictions, first, second = (model.predict_proba(X[TEST])[:, 1] for model in (large, one, another))
    return {
        "predictions": predictions,
        "importances": large.feature_importances_,
        "out_of_bag_score": large.oob_score_,
        "accuracy": accuracy_score(y[TEST], predictions > 0.5),
        "auc": roc_auc_score(y[TEST], predictions),
        "log_loss": log_loss(y[TEST], predictions),
        "spread": np.sqrt(((first - second) ** 2).mean() / 2),
    }


def other_labels():
    """Further questions about the same rows: does the next day, or do the next five, have more of something than usual?"""
    bars = prices("SPY")
    close, high, low, volume = (bars[name] for name in ("close", "high", "low", "volume"))
    ahead = pd.DataFrame({
        "range of the next day": ((high - low) / close).shift(-1),
        "volume of five days": (volume / volume.rolling(20).mean()).rolling(5).mean().shift(-5),
        "distance from the average": (close / close.rolling(50).mean() - 1).shift(-5),
    })
    ahead = ahead.loc[columns.index]
    return {name: (ahead[name] > ahead[name].iloc[TRAIN].median()).astype(int).to_numpy() for name in ahead}


def extra_trees():
    """
    Cuts are drawn between the lowest and the highest value, in the product between codes. On `digits`, whole numbers that
    all occur in training, both are the same, so the limit is compared there; on the values themselves accuracies are.
    """
    digits = np.column_stack([
        np.searchsorted(np.quantile(column[TRAIN], np.linspace(0, 1, 61)[1:-1]), column) for column in X.T
    ])
    assert all(len(np.unique(column[TRAIN])) == column[TRAIN].max() + 1 for column in digits.T)

    def grown(table, target, trees, seed):
        return ExtraTreesClassifier(
            n_estimators=trees, max_features="sqrt", min_samples_leaf=3, min_samples_split=3, n_jobs=1, random_state=seed,
        ).fit(table[TRAIN], target[TRAIN])

    large, one, another = grown(digits, y, 5000, 1), grown(digits, y, 1000, 2), grown(digits, y, 1000, 3)
    predictions, first, second = (model.predict_proba(digits[TEST])[:, 1] for model in (large, one, another))
    questions = {"moves of five days": y, **other_labels()}
    return {
        "digits": digits.T,
        "predictions": predictions,
        "importances": large.feature_importances_,
        "spread": np.sqrt(((first - second) ** 2).mean() / 2),
        "accuracies": {
            name: {
                "labels": "".join(map(str, target)),
                "base_rate": max(target[TEST].mean(), 1 - target[TEST].mean()),
                "accuracy": np.mean([
                    accuracy_score(target[TEST], grown(X, target, 500, seed).predict_proba(X[TEST])[:, 1] > 0.5)
                    for seed in range(4)
                ]),
            }
            for name, target in questions.items()
        },
    }


def boosting():
    """Both without sampling, so that nothing is left to chance."""
    rate = y[FEW].mean()
    settings = dict(max_depth=4, eta=0.1, min_child_weight=1, base_score=rate, tree_method="exact", nthread=1)
    settings["lambda"] = 1
    train = xgboost.DMatrix(X[FEW], label=y[FEW])
    boosted = xgboost.train({"objective": "binary:logistic", **settings}, train, num_boost_round=40)
    histogram = HistGradientBoostingClassifier(
        max_iter=40, max_depth=3, learning_rate=0.1, l2_regularization=1, min_samples_leaf=1, max_leaf_nodes=None,
        early_stopping=False, random_state=0,
    ).fit(X[FEW], y[FEW])
    return {
        "xgboost": boosted.predict(xgboost.DMatrix(X[FEW])).astype(float),
        "histogram": histogram.predict_proba(X[TEST])[:, 1],
        "histogram_losses": [log_loss(y[TEST], staged) for staged in histogram.staged_predict_proba(X[TEST])],
    }


write(
    {
        "columns": X.T,
        "labels": "".join(map(str, y)),
        "train": [TRAIN.start, TRAIN.stop],
        "few": [FEW.start, FEW.stop],
        "test": [TEST.start, TEST.stop],
        "linear": linear(),
        "tree": tree(10, 20),
        "forest": forest(),
        "extra_trees": extra_trees(),
        "boosting": boosting(),
    },
    sklearn,
    statsmodels,
    xgboost,
)
