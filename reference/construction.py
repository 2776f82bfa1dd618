"""Weights by risk and return, and factor regressions, with numpy, scipy, scikit-learn, cvxopt and statsmodels."""
import cvxopt
import numpy as np
import pandas as pd
import scipy
import scipy.cluster.hierarchy as hierarchy
import scipy.optimize as optimize
import sklearn
import statsmodels
import statsmodels.api as sm
from cvxopt import matrix, solvers
from sklearn.covariance import LedoitWolf

from common import prices, write

TICKERS = ["AGG", "DBC", "EEM", "GLD", "QQQ", "SPY", "TLT", "VNQ"]
PER_YEAR = 252
CLOSES = pd.concat([prices(ticker)["close"] for ticker in TICKERS], axis=1, keys=TICKERS).dropna()
RETURNS = CLOSES.pct_change().dropna().iloc[-756:]

solvers.options.update(show_progress=False, abstol=1e-14, reltol=1e-14, feastol=1e-13, maxiters=200)

# At most 22% of each, at least 5% of AGG; stocks from 20 to 50%.
UPPER = np.full(len(TICKERS), 0.22)
LOWER = np.array([0.05 if ticker == "AGG" else 0.0 for ticker in TICKERS])
STOCKS = [TICKERS.index(ticker) for ticker in ("EEM", "QQQ", "SPY", "VNQ")]
STOCKS_MIN, STOCKS_MAX = 0.2, 0.5
HELD = np.array([0.05, 0.1, 0.1, 0.2, 0.1, 0.25, 0.15, 0.05])
TURNOVER = 0.1


def ledoit_wolf():
    fitted = LedoitWolf().fit(RETURNS.to_numpy())
    return fitted.covariance_ * PER_YEAR, fitted.shrinkage_


def limits(limited):
    """G w <= h of bounds and groups."""
    n = len(TICKERS)
    if not limited:
        return -np.eye(n), np.zeros(n)
    members = np.zeros(n)
    members[STOCKS] = 1
    return np.vstack([-np.eye(n), np.eye(n), members, -members]), np.concatenate([-LOWER, UPPER, [STOCKS_MAX, -STOCKS_MIN]])


def quadratic(p, q, limited, held=None):
    """The least of w'Pw/2 + q'w; with a turnover limit in the variables w, bought and sold."""
    n = len(q)
    scale = np.diag(p).max()
    p, q = p / scale, q / scale
    g, h = limits(limited)
    a, b = np.ones((1, n)), np.ones(1)
    if held is not None:
        p = np.pad(p, ((0, 2 * n), (0, 2 * n)))
        q = np.concatenate([q, np.zeros(2 * n)])
        trades = np.concatenate([np.zeros(n), np.ones(2 * n)])
        g = np.vstack([np.pad(g, ((0, 0), (0, 2 * n))), -np.eye(3 * n)[n:], trades])
        h = np.concatenate([h, np.zeros(2 * n), [2 * TURNOVER]])
        a = np.vstack([np.pad(a, ((0, 0), (0, 2 * n))), np.hstack([np.eye(n), -np.eye(n), np.eye(n)])])
        b = np.concatenate([b, held])
    solution = solvers.qp(matrix(p), matrix(q), matrix(g), matrix(h), matrix(a), matrix(b), kktsolver="ldl")
    # It asks for more digits than it can have with a turnover limit, and says so.
    assert solution["status"] == "optimal" or solution["gap"] < 1e-10, solution
    return np.array(solution["x"]).ravel()[:n]


def max_diversification(covariance, limited):
    """y'Cy least with y's = 1, limits in units of the sum of y."""
    n = len(covariance)
    deviations = np.sqrt(np.diag(covariance))
    g, h = limits(limited)
    g = np.vstack([g - np.outer(h, np.ones(n)), -np.eye(n)])
    scale = np.diag(covariance).max()
    solution = solvers.qp(
        matrix(covariance / scale), matrix(np.zeros(n)), matrix(g), matrix(np.zeros(len(g))),
        matrix(deviations[None, :] / np.sqrt(scale)), matrix(np.ones(1)),
    )
    y = np.array(solution["x"]).ravel()
    return y / y.sum()


def risk_parity(covariance):
    """Newton's method on w'Cw/2 - sum(ln w)."""
    covariance = covariance / np.diag(covariance).max()
    w = 1 / np.sqrt(np.diag(covariance))
    for _ in range(200):
        step = np.linalg.solve(covariance + np.diag(1 / w**2), covariance @ w - 1 / w)
        size = 1.0
        while (w - size * step).min() <= 0:
            size /= 2
        w = w - size * step
    return w / w.sum()


def hrp(covariance):
    """The snippets of the paper."""
    deviations = np.sqrt(np.diag(covariance))
    correlation = covariance / np.outer(deviations, deviations)
    distance = np.sqrt(((1 - correlation) / 2).clip(0))
    order = hierarchy.leaves_list(hierarchy.linkage(distance, "single"))
    weights = np.ones(len(covariance))
    runs = [list(order)]

    def variance(members):
        part = covariance[np.ix_(members, members)]
        inverse = 1 / np.diag(part)
        inverse /= inverse.sum()
        return inverse @ part @ inverse

    while runs:
        runs = [run[j:k] for run in runs for j, k in ((0, len(run) // 2), (len(run) // 2, len(run))) if len(run) > 1]
        for first, second in zip(runs[::2], runs[1::2]):
            share = 1 - variance(first) / (variance(first) + variance(second))
            weights[first] *= share
            weights[second] *= 1 - share
    return order, weights


def cvar_of(weights, confidence):
    """Mean of the worst part of the losses, the bar at its edge counted in part."""
    losses = np.sort(-RETURNS.to_numpy() @ weights)[::-1]
    tail = (1 - confidence) * len(losses)
    whole = int(np.floor(tail))
    return (losses[:whole].sum() + (tail - whole) * losses[whole]) / tail


def min_cvar(confidence, limited):
    """The program of Rockafellar and Uryasev, by an interior-point method."""
    x = RETURNS.to_numpy() * 100
    t, n = x.shape
    g, h = limits(limited)
    cost = np.concatenate([np.zeros(n), [1], np.full(t, 1 / ((1 - confidence) * t))])
    g = np.vstack([
        np.hstack([-x, -np.ones((t, 1)), -np.eye(t)]),
        np.hstack([np.zeros((t, n + 1)), -np.eye(t)]),
        np.hstack([g, np.zeros((len(g), 1 + t))]),
    ])
    h = np.concatenate([np.zeros(2 * t), h])
    a = np.concatenate([np.ones(n), np.zeros(1 + t)])[None, :]
    solution = solvers.lp(matrix(cost), matrix(g), matrix(h), matrix(a), matrix(np.ones(1)))
    w = np.array(solution["x"]).ravel()[:n]
    return {"weights": w, "cvar": cvar_of(w, confidence)}


def black_litterman(covariance):
    """Posterior mean and covariance of He and Litterman, by the inverse formula."""
    n, tau, aversion = len(covariance), 0.05, 2.5
    prior_weights = HELD
    prior = aversion * covariance @ prior_weights
    absolute, relative = np.zeros(n), np.zeros(n)
    absolute[TICKERS.index("GLD")] = 1
    relative[TICKERS.index("QQQ")], relative[TICKERS.index("SPY")] = 1, -1
    p, expected, confidence = np.vstack([absolute, relative]), np.array([0.08, 0.02]), np.array([0.5, 0.8])
    noise = np.diag(np.diag(p @ (tau * covariance) @ p.T) * (1 - confidence) / confidence)
    precision = np.linalg.inv(tau * covariance) + p.T @ np.linalg.inv(noise) @ p
    mean = np.linalg.solve(precision, np.linalg.solve(tau * covariance, prior) + p.T @ np.linalg.solve(noise, expected))
    posterior = covariance + np.linalg.inv(precision)
    return {
        "prior": prior, "mean": mean, "covariance": posterior,
        "weights": quadratic(aversion * posterior, -mean, False),
        "limited": quadratic(aversion * posterior, -mean, True),
    }


def frontier_point(covariance, mean):
    """Least variance for a mean halfway between the least variance and the largest mean."""
    n = len(mean)
    safest = quadratic(covariance, np.zeros(n), True)
    g, h = limits(True)
    boldest = optimize.linprog(-mean, A_ub=g, b_ub=h, A_eq=np.ones((1, n)), b_eq=[1], bounds=(None, None)).x
    wanted = (safest @ mean + boldest @ mean) / 2
    g, h = np.vstack([g, -mean]), np.concatenate([h, [-wanted]])
    solution = solvers.qp(matrix(covariance), matrix(np.zeros(n)), matrix(g), matrix(h), matrix(np.ones((1, n))), matrix(np.ones(1)))
    w = np.array(solution["x"]).ravel()
    return {"safest_mean": safest @ mean, "boldest_mean": boldest @ mean, "mean": wanted, "volatility": np.sqrt(w @ covariance @ w)}


def published_hrp():
    """
    The ten series of the paper: normal numbers by its seed. Python 2 drew which series are repeated; these five are the only ones
    of all 3,125 with the weights that the paper prints.
    """
    np.random.seed(12345)
    x = np.random.normal(0, 1, size=(10000, 5))
    noise = np.random.normal(0, 0.25, size=(10000, 5))
    covariance = np.cov(np.append(x, x[:, [2, 0, 4, 1, 1]] + noise, axis=1), rowvar=0)
    return {"covariance": covariance, "weights": hrp(covariance)[1]}


def regressions():
    """Daily returns of a mix over bills on funds and the change of a rate; monthly ones on funds."""
    closes = pd.concat([prices(t)["close"] for t in ("SPY", "TLT", "GLD", "QQQ")], axis=1, keys=("SPY", "TLT", "GLD", "QQQ")).dropna()
    daily = closes.pct_change().dropna()
    mix = daily @ np.array([0.4, 0.2, 0.1, 0.3])
    # Not a combination of the factors: yesterday counts too.
    mix = (mix + 0.3 * daily["GLD"].shift(1)).dropna()
    factors = daily.loc[mix.index, ["SPY", "TLT"]]
    found = {}
    for name, y, x in (("daily", mix, factors), ("monthly", monthly(mix), factors.apply(monthly))):
        lags = int(np.floor(4 * (len(y) / 100) ** (2 / 9)))
        fit = sm.OLS(y.to_numpy(), sm.add_constant(x.to_numpy())).fit(
            cov_type="HAC", cov_kwds={"maxlags": lags, "use_correction": True}, use_t=True
        )
        found[name] = {
            "lags": lags, "n": int(fit.nobs), "coefficients": fit.params, "errors": fit.bse, "t": fit.tvalues,
            "p": fit.pvalues, "r_squared": fit.rsquared, "adjusted": fit.rsquared_adj,
            "residual_deviation": np.sqrt(fit.mse_resid),
        }
    window = 252
    rolling = [
        sm.OLS(mix.to_numpy()[end - window:end], sm.add_constant(factors.to_numpy()[end - window:end])).fit().params
        for end in (window, len(mix) // 2, len(mix))
    ]
    return {"y": mix.to_numpy()[:5], **found, "rolling": rolling}


def monthly(returns):
    return (1 + returns).groupby(returns.index.to_period("M")).prod() - 1


if __name__ == "__main__":
    covariance, shrinkage = ledoit_wolf()
    mean = RETURNS.mean().to_numpy() * PER_YEAR
    sample = RETURNS.cov().to_numpy() * PER_YEAR
    zeros = np.zeros(len(TICKERS))
    order, hierarchical = hrp(covariance)
    write(
        {
            "estimates": {"n": len(RETURNS), "mean": mean, "shrinkage": shrinkage, "covariance": covariance, "sample": sample},
            "min_variance": quadratic(covariance, zeros, False),
            "min_variance_limited": quadratic(covariance, zeros, True),
            "min_variance_turnover": quadratic(covariance, zeros, True, HELD),
            "mean_variance": quadratic(4 * covariance, -mean, False),
            "mean_variance_limited": quadratic(4 * covariance, -mean, True),
            "mean_variance_turnover": quadratic(4 * covariance, -mean, True, HELD),
            "max_diversification": max_diversification(covariance, False),
            "max_diversification_limited": max_diversification(covariance, True),
            "risk_parity": risk_parity(covariance),
            "risk_parity_limited": quadratic(np.eye(len(TICKERS)), -risk_parity(covariance), True),
            "hrp": {"order": order, "weights": hierarchical},
            "min_cvar": min_cvar(0.95, False),
            "min_cvar_limited": min_cvar(0.95, True),
            "min_cvar_90": min_cvar(0.9, True),
            "black_litterman": black_litterman(covariance),
            "frontier": frontier_point(covariance, mean),
            "published_hrp": published_hrp(),
            "regressions": regressions(),
        },
        scipy, sklearn, statsmodels, cvxopt,
    )
