"""Tradewright for Python: backtests, optimizer runs, data and deployments of a running server.

One file, standard library only; results are pandas data frames where pandas is installed, else lists of dicts.

    import tradewright
    tw = tradewright.connect("http://127.0.0.1:3000", "tw_...")
    run = tw.backtest(allocations={"SPY": 60, "AGG": 40}, start_date="2015-01-02", end_date="2024-12-31")
    run.figures["sharpe"], run.equity, run.trades

Written by `npm run client:python` from the contract of the server. Do not edit it by hand.
"""

import datetime
import http.client
import json
import os
import re
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

try:
    import pandas
except ImportError:
    pandas = None

__all__ = ["connect", "Client", "Backtest", "TradewrightError", "InvalidRequest", "NotSignedIn", "Forbidden",
           "NotFound", "Conflict", "TooLarge", "TooManyCalls", "ServerAway", "RunFailed"]
__version__ = "0.1.0"


class TradewrightError(Exception):
    """A call that failed. `code` is stable, the text is a sentence for people."""

    def __init__(self, message, status=None, code=None, request_id=None, answer=None):
        super().__init__(message)
        self.status, self.code, self.request_id, self.answer = status, code, request_id, answer


class InvalidRequest(TradewrightError):
    """The request is not valid; the sentence names the field (400)."""


class NotSignedIn(TradewrightError):
    """The key is unknown, revoked or expired (401)."""


class Forbidden(TradewrightError):
    """The key lacks the scope, or no key may do this (403)."""


class NotFound(TradewrightError):
    """It does not exist, or it belongs to another user (404)."""


class Conflict(TradewrightError):
    """It does not fit the present state, or the run was cancelled (409)."""


class TooLarge(TradewrightError):
    """Too large, or the user's share of disk or database is full (413)."""


class TooManyCalls(TradewrightError):
    """Too many calls or too much work at once (429)."""


class ServerAway(TradewrightError):
    """The server, or something that it needs, cannot be reached (502, 503, no connection)."""


class RunFailed(TradewrightError):
    """An optimizer run that failed or was cancelled."""


_ERRORS = {400: InvalidRequest, 401: NotSignedIn, 403: Forbidden, 404: NotFound, 409: Conflict, 413: TooLarge,
           429: TooManyCalls, 502: ServerAway, 503: ServerAway, 504: ServerAway}
_LONGEST_WAIT = 65
# Bytes of an answer: one of 20 years with every trade has 17 MB. An event, and a sentence, have far less.
_MAX_ANSWER = 256 * 1024 ** 2
_MAX_LINE = 1024 ** 2
_MAX_SENTENCE = 2000
# Seconds of a whole call: the server itself gives up a run after ten minutes.
_LONGEST_CALL = 1800
# A run that took too long would take as long again.
_NOT_REPEATED = ["backtest.time-limit", "job.interrupted", "request.time"]


class _Unset:
    def __repr__(self):
        return "UNSET"


UNSET = _Unset()


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Following one would hand the key to another address."""

    def redirect_request(self, *args, **kwargs):
        return None


class _Transport:
    def __init__(self, url, key, timeout=660, retries=4, use_pandas=None):
        parts = urllib.parse.urlsplit(url.strip())
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise ValueError("The address must begin with http:// or https://, such as http://127.0.0.1:3000.")
        if not re.fullmatch(r"tw_[\w-]{1,200}", key.strip(), re.ASCII):
            raise ValueError("An API key begins with tw_. Make one under Settings, API Keys.")
        if use_pandas and pandas is None:
            raise ValueError("pandas is not installed.")
        path = re.sub(r"/(api(/v1)?)?/*$", "", parts.path)
        self.url = "%s://%s%s" % (parts.scheme, parts.netloc, path)
        self._key, self._timeout, self._retries = key.strip(), timeout, retries
        self._pandas = pandas if use_pandas or use_pandas is None else None
        self._opener = urllib.request.build_opener(_NoRedirect)

    def __repr__(self):
        return "<tradewright %s>" % self.url

    def _open(self, method, path, headers, data=None):
        headers = {"authorization": "Bearer " + self._key, "user-agent": "tradewright-python/" + __version__, **headers}
        request = urllib.request.Request(self.url + "/api/v1" + path, data=data, headers=headers, method=method)
        return self._opener.open(request, timeout=self._timeout)

    def _call(self, method, path, query=None, body=None, form=None, repeats=False, key=None):
        """`repeats`: may be sent again when the answer was lost; `key`: its Idempotency-Key."""
        query = _given(query or {})
        if query:
            path += "?" + urllib.parse.urlencode({name: _text(value) for name, value in query.items()})
        headers, data = {"accept": "application/json"}, None
        if form is not None:
            data, headers["content-type"] = _multipart(form)
        elif body is not None:
            data, headers["content-type"] = json.dumps(_given(body)).encode(), "application/json"
        if key is not None:
            headers["idempotency-key"] = key
        attempt = 0
        while True:
            attempt += 1
            delay = 0.5 * 2 ** (attempt - 1)
            try:
                with self._open(method, path, headers, data) as response:
                    return _answer(_read(response, self.url), self.url)
            except urllib.error.HTTPError as refusal:
                error = _error_of(refusal, self.url)
                again = repeats and error.status == 503 and error.code not in _NOT_REPEATED
                if error.status == 429 or error.code == "idempotency.unfinished":
                    again, delay = True, _number(refusal.headers.get("retry-after"), delay)
                if not again or attempt >= self._retries or delay > _LONGEST_WAIT:
                    raise error from None
            except (urllib.error.URLError, http.client.HTTPException, OSError) as lost:
                refused = isinstance(getattr(lost, "reason", lost), ConnectionRefusedError)
                if refused or not repeats or attempt >= self._retries:
                    sentence = "Tradewright cannot be reached at %s. Is it running?" % self.url
                    raise ServerAway(sentence, code="client.server-away") from lost
            time.sleep(delay)

    def _paged(self, page_of, size_name, size, lists, arguments):
        size = arguments.pop(size_name, size)
        page = 1
        while True:
            answer = page_of(page=page, **{size_name: size}, **arguments)
            items = [item for path in lists for item in _at(answer, path)]
            yield from items
            if len(items) < size:
                return
            page += 1

    def _frame(self, rows, index=None):
        if self._pandas is None:
            return rows
        frame = self._pandas.DataFrame(rows)
        if index is None or not rows:
            return frame
        frame[index] = self._pandas.to_datetime(frame[index])
        return frame.set_index(index)

    def events(self):
        """Runs and jobs as they change, without end: dicts with job_id, kind, subject, state, progress and error.

        Scope: read. Ends when the server closes the connection.
        """
        try:
            with self._open("GET", "/events", {"accept": "text/event-stream"}) as response:
                name = None
                for line in iter(lambda: response.readline(_MAX_LINE), b""):
                    if len(line) == _MAX_LINE:
                        raise _too_long(self.url)
                    text = line.decode("utf-8").rstrip("\r\n")
                    if text.startswith("event: "):
                        name = text[7:]
                    elif text.startswith("data: ") and name == "job":
                        yield json.loads(text[6:])
        except urllib.error.HTTPError as refusal:
            raise _error_of(refusal, self.url) from None
        except (urllib.error.URLError, http.client.HTTPException, OSError) as lost:
            raise ServerAway("The connection to %s was lost." % self.url, code="client.server-away") from lost


def _given(values):
    return {name: value for name, value in values.items() if value is not UNSET}


def _quoted(value):
    return urllib.parse.quote(str(value), safe="")


def _text(value):
    if isinstance(value, str):
        return value
    if isinstance(value, (datetime.date, datetime.datetime)):
        return value.isoformat()[:10]
    return json.dumps(value)


def _number(text, otherwise):
    try:
        return float(text)
    except (TypeError, ValueError):
        return otherwise


def _at(value, path):
    for name in path:
        value = value[name]
    return value


def _read(response, url, limit=None):
    """The whole body, within limits of size and time: `read()` alone would wait and collect for ever."""
    chunks, size, end = [], 0, time.monotonic() + _LONGEST_CALL
    limit = _MAX_ANSWER if limit is None else limit
    while True:
        chunk = response.read1(65536) if hasattr(response, "read1") else response.read(65536)
        if not chunk:
            return b"".join(chunks)
        chunks.append(chunk)
        size += len(chunk)
        if size > limit:
            raise _too_long(url)
        if time.monotonic() > end:
            raise ServerAway("%s does not come to the end of its answer." % url, code="client.server-away")


def _too_long(url):
    return TradewrightError("The answer of %s is longer than any answer of Tradewright. Check the address." % url,
                            code="client.too-long")


def _plain(text):
    """What a terminal would obey is shown as a space: an error is printed as it is."""
    return re.sub(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]", " ", text[:_MAX_SENTENCE])


def _answer(content, url):
    try:
        return json.loads(content)
    except ValueError:
        raise TradewrightError("%s did not answer as Tradewright does. Check the address." % url) from None


def _error_of(refusal, url):
    try:
        answer = json.loads(_read(refusal, url, _MAX_LINE))
        message, code = _plain(answer["error"]), answer["code"]
    except (TradewrightError, ValueError, KeyError, TypeError, OSError, http.client.HTTPException):
        sentence = "%s answered %d, and not as Tradewright does. Check the address." % (url, refusal.code)
        return _ERRORS.get(refusal.code, TradewrightError)(sentence, refusal.code, "client.not-tradewright")
    kind = _ERRORS.get(refusal.code, TradewrightError)
    return kind(message, refusal.code, code, answer.get("request_id"), answer)


def _multipart(fields):
    boundary = uuid.uuid4().hex
    parts = []
    for name, value in _given(fields).items():
        for one in value if isinstance(value, list) else [value]:
            if one is None:
                continue
            file_name, content = "", one
            if isinstance(one, tuple):
                file_name, content = '; filename="%s"' % re.sub(r'[\r\n"\\]', "_", one[0]), one[1]
            head = '--%s\r\nContent-Disposition: form-data; name="%s"%s\r\n\r\n' % (boundary, name, file_name)
            content = content if isinstance(content, bytes) else _text(content).encode()
            parts += [head.encode(), content, b"\r\n"]
    parts.append(("--%s--\r\n" % boundary).encode())
    return b"".join(parts), "multipart/form-data; boundary=" + boundary


def _file(file):
    """A path, bytes, or an open file."""
    if isinstance(file, bytes):
        return ("file", file)
    if hasattr(file, "read"):
        content = file.read()
        return (os.path.basename(str(getattr(file, "name", "file"))), content if isinstance(content, bytes) else content.encode())
    with open(file, "rb") as opened:
        return (os.path.basename(os.fspath(file)), opened.read())


class _Calls(_Transport):
    """Every call that a key may make. Answers are dicts, as the server wrote them."""

    def accept_broker_figures(self, id, *, accept_losses=UNSET):
        """Resolve a disagreement: take the broker’s positions and cash as true, assigning what changed to the
        deployments that held it. Shares that nothing took the place of are booked as a loss only with
        accept_losses; else 409 capital.loss.

        POST /api/v1/deployment/:id/accept-broker. Scope: trade-paper, or trade-live for real money.
        Answer: message
        """
        return self._call(
            "POST", "/deployment/%s/accept-broker" % (_quoted(id),), body={"accept_losses": accept_losses})

    def answer_held_order(self, id, *, ticker, side, action):
        """Answer for an order that was cancelled at the broker or refused: `send` sends it again with the
        next check, which is made at once where the market is open; `leave` leaves it out until the signal
        changes or a rebalance is due. An order that is not asked about answers 409.

        POST /api/v1/deployment/:id/held-order. Scope: trade-paper, or trade-live for real money.
        Answer: deployment
        """
        return self._call(
            "POST", "/deployment/%s/held-order" % (_quoted(id),), body={"ticker": ticker, "side": side,
            "action": action})

    def apply_saved_query(
            self, id, *, name=UNSET, description=UNSET, tickers=UNSET, categories=UNSET, providers=UNSET,
            start_date=UNSET, end_date=UNSET):
        """Count a use of a saved query; with a name, also change it.

        PUT /api/v1/data-collector/saved-queries/:id. Scope: research.
        Answer: query
        """
        return self._call(
            "PUT", "/data-collector/saved-queries/%s" % (_quoted(id),), body={"name": name,
            "description": description, "tickers": tickers, "categories": categories, "providers": providers,
            "start_date": start_date, "end_date": end_date})

    def browse_data(
            self, *, tickers=UNSET, categories=UNSET, providers=UNSET, start_date=UNSET, end_date=UNSET,
            store_id=UNSET, layer=UNSET, as_of=UNSET, page=UNSET, per_page=UNSET, sort_by=UNSET,
            sort_order=UNSET, search=UNSET):
        """A page of stored records.

        POST /api/v1/data-collector/data/browse. Scope: read.
        Answer: records, page, pages, total
        """
        return self._call(
            "POST", "/data-collector/data/browse", body={"tickers": tickers, "categories": categories,
            "providers": providers, "start_date": start_date, "end_date": end_date, "store_id": store_id,
            "layer": layer, "as_of": as_of, "page": page, "per_page": per_page, "sort_by": sort_by,
            "sort_order": sort_order, "search": search}, repeats=True)

    def iter_browse_data(self, **arguments):
        """Every item of `browse_data`, page after page; the same arguments, without page."""
        return self._paged(self.browse_data, "per_page", 1000, [["records"]], arguments)

    def browse_with_transforms(
            self, *, tickers=UNSET, categories=UNSET, providers=UNSET, start_date=UNSET, end_date=UNSET,
            store_id=UNSET, layer=UNSET, as_of=UNSET, pivot=UNSET, starter_transform=UNSET,
            data_granularity=UNSET):
        """Stored data as a table with a column per category, and a starter transform computed on it.

        POST /api/v1/data-collector/data/browse-with-transforms. Scope: read.
        Answer: row_count, columns, data, synthetic
        """
        return self._call(
            "POST", "/data-collector/data/browse-with-transforms", body={"tickers": tickers,
            "categories": categories, "providers": providers, "start_date": start_date, "end_date": end_date,
            "store_id": store_id, "layer": layer, "as_of": as_of, "pivot": pivot,
            "starter_transform": starter_transform, "data_granularity": data_granularity}, repeats=True)

    def cancel_collection_run(self, id):
        """Ask the run of a job to stop. It ends as cancelled within seconds and keeps what it has stored.

        POST /api/v1/data-collector/jobs/:id/cancel. Scope: research.
        """
        return self._call("POST", "/data-collector/jobs/%s/cancel" % (_quoted(id),))

    def cancel_construction(self, id):
        """Stop a construction. One that has ended stays as it is.

        POST /api/v1/portfolio-constructions/:id/cancel. Scope: research.
        Answer: construction
        """
        return self._call("POST", "/portfolio-constructions/%s/cancel" % (_quoted(id),))

    def cancel_job(self, id):
        """Ask a job to stop. One that has not begun is cancelled at once, a running one within seconds.

        POST /api/v1/jobs/:id/cancel. Scope: research.
        Answer: job_id, kind, subject, state, progress, error, cancel_requested, attempts, created_at,
            started_at, finished_at, result
        """
        return self._call("POST", "/jobs/%s/cancel" % (_quoted(id),))

    def cancel_optimization_run(self, id):
        """End a run within seconds. It becomes abandoned, with what it found.

        POST /api/v1/optimization-runs/:id/cancel. Scope: research.
        Answer: run
        """
        return self._call("POST", "/optimization-runs/%s/cancel" % (_quoted(id),))

    def cancel_study(self, id):
        """Stop a study within seconds. One that has ended stays as it is.

        POST /api/v1/parameter-studies/:id/cancel. Scope: research.
        Answer: study
        """
        return self._call("POST", "/parameter-studies/%s/cancel" % (_quoted(id),))

    def check_backtest(
            self, *, strategyName=UNSET, saveStrategy=UNSET, saveBacktest=UNSET, backtestName=UNSET,
            strategyType=UNSET, startDate=UNSET, endDate=UNSET, includeFirstReturn=UNSET,
            dataGranularity=UNSET, startValue=UNSET, cashflow=UNSET, cashflowFreq=UNSET, cashflowKind=UNSET,
            adjustInflation=UNSET, investDividends=UNSET, referenceTicker=UNSET, rebalanceFrequency=UNSET,
            rebalanceBandPct=UNSET, tradingCostBps=UNSET, commission=UNSET, halfSpreadBps=UNSET,
            impactFactor=UNSET, fillTiming=UNSET, seed=UNSET, shortBorrowPct=UNSET, stopType=UNSET,
            stopPct=UNSET, maintenanceMargin=UNSET, riskFreeTicker=UNSET, allowMixedPrices=UNSET,
            endedTicker=UNSET, replacementTicker=UNSET, delistingReturnPct=UNSET, dataProvider=UNSET,
            ticker=UNSET, allocation=UNSET, rules=UNSET, external=UNSET, mlModelType=UNSET, trainSize=UNSET,
            testSize=UNSET, walkForwardEnabled=UNSET, wfStepSizePct=UNSET, wfTrainWindowPct=UNSET,
            wfTestWindowPct=UNSET, max_features=UNSET, min_samples_leaf=UNSET, min_samples_split=UNSET,
            n_estimators=UNSET, boosting_rounds=UNSET, max_depth=UNSET, learning_rate=UNSET,
            min_leaf_share=UNSET, find_rounds=UNSET, features=UNSET, target=UNSET, signal1_ticker=UNSET,
            signal1_allocation=UNSET, signal0_ticker=UNSET, signal0_allocation=UNSET,
            referenceBacktestId=UNSET, asOf=UNSET, signals=UNSET, signalsOf=UNSET, retryData=UNSET,
            runId=UNSET):
        """Check a form without running it. What is allowed but probably not intended comes back as
        `warnings`, and the reason why a run would be refused as `problems`: a form is half-filled while it is
        typed. Data is not looked at.

        POST /api/v1/backtest/check. Scope: research.
        saveStrategy: true or false
        saveBacktest: true or false
        strategyType: Asset Allocation, ML, Rules or External signal
        startDate: YYYY-MM-DD
        endDate: YYYY-MM-DD
        includeFirstReturn: true or false
        dataGranularity: daily (default), hourly, 15minute, 5minute or minute
        startValue: Above 0; default 10000
        cashflow: Default 0; negative withdraws
        cashflowFreq: Yearly (default), Monthly or Quarterly
        cashflowKind: dollars (default), percent of the balance, or inflation: dollars of the start that grow
            with consumer prices
        adjustInflation: true or false
        investDividends: true or false
        rebalanceFrequency: none, daily, weekly, monthly, quarterly or yearly (default)
        rebalanceBandPct: Absolute band in percentage points; left out: none
        tradingCostBps: Default 1
        commission: Dollars per trade, default 0
        halfSpreadBps: Half of the bid-ask spread in basis points, beside the trading cost; default 0
        impactFactor: Market impact: this times the volatility of a bar times the root of the order over the
            volume; default 0, usual 1
        fillTiming: next_open (default), next_close or same_close, of decisions by a model or by rules
        seed: Whole number, default 42
        shortBorrowPct: Cost of borrowed shares in percent a year, 0 to 1000; left out: no short positions
        stopType: Closes a position that falls by stopPct: fixed, from its entry price, or trailing, from its
            best price; left out: none
        stopPct: Percent, above 0 and below 100, with stopType
        maintenanceMargin: Of accounts that borrow: us (default, as US brokers ask for), off, or percent of
            every position
        riskFreeTicker: Left out: the 3-month T-bill where it is available
        allowMixedPrices: true or false
        endedTicker: When the prices of a ticker end early: stop (default), cash or replace
        replacementTicker: Held in place of a ticker that ended, with endedTicker replace
        delistingReturnPct: Final value of a ticker that ended, in percent off its last price, with
            endedTicker cash or replace: 0 (default), -100 for a total loss, -30 as is usual for delisted
            shares
        dataProvider: auto (default), yahoo, fred or the id of another provider
        rules: JSON of {version, check, cash, root}
        external: JSON of {allocations, initial, max_weight_pct}
        mlModelType: Random Forest (default), Linear Regression, XGBoost or Extra Trees
        trainSize: Percent, default 70
        testSize: Percent, default 100 - trainSize; both together must be 100
        walkForwardEnabled: true or false
        wfStepSizePct: Left out: automatic
        wfTrainWindowPct: Default 50
        wfTestWindowPct: Default 10
        max_features: sqrt (default), log2, auto, all, a share up to 1, or a number of columns
        min_samples_leaf: Rows, default 3; below 1 a share of the training rows (recommended: 0.05)
        min_samples_split: Default 3
        n_estimators: 1 to 5000, default 3000 (recommended: 500)
        boosting_rounds: 1 to 5000, default 100 (recommended: 200)
        max_depth: 1 to 16, default 6 (recommended: 2)
        learning_rate: Default 0.3 (recommended: 0.05)
        min_leaf_share: Of the training rows, up to 0.5; left out: none (recommended: 0.02)
        find_rounds: Finds the number of rounds, up to boosting_rounds, on purged folds of the training rows
        features: JSON list of {id, name, params}
        target: JSON of {id, params}, or an id
        referenceBacktestId: The id of one of the user's saved backtests; another's answers 404
        asOf: A moment in UTC like 2024-12-31T15:30:00Z, or a date for its end: only what the data store held
            then is used, and no provider is asked. Left out: the data of today
        signals: CSV
        signalsOf: The id of one of the user's saved strategies: the signals that it received are used
        retryData: true or false
        runId: 1 to 100 characters
        Answer: warnings, problems, rule_problems, reading
        """
        return self._call(
            "POST", "/backtest/check", form={"strategyName": strategyName, "saveStrategy": saveStrategy,
            "saveBacktest": saveBacktest, "backtestName": backtestName, "strategyType": strategyType,
            "startDate": startDate, "endDate": endDate, "includeFirstReturn": includeFirstReturn,
            "dataGranularity": dataGranularity, "startValue": startValue, "cashflow": cashflow,
            "cashflowFreq": cashflowFreq, "cashflowKind": cashflowKind, "adjustInflation": adjustInflation,
            "investDividends": investDividends, "referenceTicker": referenceTicker,
            "rebalanceFrequency": rebalanceFrequency, "rebalanceBandPct": rebalanceBandPct,
            "tradingCostBps": tradingCostBps, "commission": commission, "halfSpreadBps": halfSpreadBps,
            "impactFactor": impactFactor, "fillTiming": fillTiming, "seed": seed,
            "shortBorrowPct": shortBorrowPct, "stopType": stopType, "stopPct": stopPct,
            "maintenanceMargin": maintenanceMargin, "riskFreeTicker": riskFreeTicker,
            "allowMixedPrices": allowMixedPrices, "endedTicker": endedTicker,
            "replacementTicker": replacementTicker, "delistingReturnPct": delistingReturnPct,
            "dataProvider": dataProvider, "ticker[]": ticker, "allocation[]": allocation, "rules": rules,
            "external": external, "mlModelType": mlModelType, "trainSize": trainSize, "testSize": testSize,
            "walkForwardEnabled": walkForwardEnabled, "wfStepSizePct": wfStepSizePct,
            "wfTrainWindowPct": wfTrainWindowPct, "wfTestWindowPct": wfTestWindowPct,
            "max_features": max_features, "min_samples_leaf": min_samples_leaf,
            "min_samples_split": min_samples_split, "n_estimators": n_estimators,
            "boosting_rounds": boosting_rounds, "max_depth": max_depth, "learning_rate": learning_rate,
            "min_leaf_share": min_leaf_share, "find_rounds": find_rounds, "features": features,
            "target": target, "signal1_ticker[]": signal1_ticker, "signal1_allocation[]": signal1_allocation,
            "signal0_ticker[]": signal0_ticker, "signal0_allocation[]": signal0_allocation,
            "referenceBacktestId": referenceBacktestId, "asOf": asOf, "signals": signals,
            "signalsOf": signalsOf, "retryData": retryData, "runId": runId}, repeats=True)

    def check_deployment(self, id):
        """Make the next check of a running deployment due at once, in the same way as a scheduled one, at
        most once a minute. While the market is closed nothing is sent, and the answer says so. What is not
        running answers 409.

        POST /api/v1/deployment/:id/check. Scope: trade-paper, or trade-live for real money.
        Answer: outcome, message, next_run_at
        """
        return self._call("POST", "/deployment/%s/check" % (_quoted(id),))

    def check_optimization(
            self, *, target_asset=UNSET, related_assets=UNSET, feature_types=UNSET, feature_configs=UNSET,
            target_id=UNSET, start_date=UNSET, end_date=UNSET, data_granularity=UNSET, population_size=UNSET,
            generations=UNSET, mutation_rate=UNSET, max_features=UNSET, evaluation_metric=UNSET,
            ml_model=UNSET, train_size=UNSET, test_size=UNSET, signal1_allocations=UNSET,
            signal0_allocations=UNSET, n_estimators=UNSET, min_samples_leaf=UNSET, min_samples_split=UNSET,
            max_features_rf=UNSET, boosting_rounds=UNSET, max_depth=UNSET, learning_rate=UNSET,
            min_leaf_share=UNSET, find_rounds=UNSET, early_stopping=UNSET, es_patience=UNSET,
            es_min_improvement=UNSET, seed_features=UNSET, walk_forward_enabled=UNSET,
            wf_train_window_pct=UNSET, wf_test_window_pct=UNSET, wf_step_size_pct=UNSET,
            wf_fitness_mode=UNSET, variance_penalty=UNSET, variance_exponent=UNSET, targets=UNSET,
            target_list_ids=UNSET, feature_list_ids=UNSET, window_sizes=UNSET, hold_out_pct=UNSET, seed=UNSET,
            nested_walk_forward=UNSET, nested_windows=UNSET, data_provider=UNSET, allow_mixed_prices=UNSET,
            ended_ticker=UNSET, replacement_ticker=UNSET, delisting_return_pct=UNSET, client_run_id=UNSET,
            wait=UNSET):
        """Check a request without running it; the reason why a run would be refused is one of `problems`.

        POST /api/v1/feature-optimization/check. Scope: research.
        Answer: candidate_features, most_evaluations, problems
        """
        return self._call(
            "POST", "/feature-optimization/check", body={"target_asset": target_asset,
            "related_assets": related_assets, "feature_types": feature_types,
            "feature_configs": feature_configs, "target_id": target_id, "start_date": start_date,
            "end_date": end_date, "data_granularity": data_granularity, "population_size": population_size,
            "generations": generations, "mutation_rate": mutation_rate, "max_features": max_features,
            "evaluation_metric": evaluation_metric, "ml_model": ml_model, "train_size": train_size,
            "test_size": test_size, "signal1_allocations": signal1_allocations,
            "signal0_allocations": signal0_allocations, "n_estimators": n_estimators,
            "min_samples_leaf": min_samples_leaf, "min_samples_split": min_samples_split,
            "max_features_rf": max_features_rf, "boosting_rounds": boosting_rounds, "max_depth": max_depth,
            "learning_rate": learning_rate, "min_leaf_share": min_leaf_share, "find_rounds": find_rounds,
            "early_stopping": early_stopping, "es_patience": es_patience,
            "es_min_improvement": es_min_improvement, "seed_features": seed_features,
            "walk_forward_enabled": walk_forward_enabled, "wf_train_window_pct": wf_train_window_pct,
            "wf_test_window_pct": wf_test_window_pct, "wf_step_size_pct": wf_step_size_pct,
            "wf_fitness_mode": wf_fitness_mode, "variance_penalty": variance_penalty,
            "variance_exponent": variance_exponent, "targets": targets, "target_list_ids": target_list_ids,
            "feature_list_ids": feature_list_ids, "window_sizes": window_sizes, "hold_out_pct": hold_out_pct,
            "seed": seed, "nested_walk_forward": nested_walk_forward, "nested_windows": nested_windows,
            "data_provider": data_provider, "allow_mixed_prices": allow_mixed_prices,
            "ended_ticker": ended_ticker, "replacement_ticker": replacement_ticker,
            "delisting_return_pct": delisting_return_pct, "client_run_id": client_run_id, "wait": wait},
            repeats=True)

    def choose_ticker(self, id, *, from_, to, action):
        """Answer a ticker change: `trade` maps the old ticker to the new one, `sell` lets the next decision
        sell the new one. A change that is not there, or no longer, answers 409.

        POST /api/v1/deployment/:id/ticker-change. Scope: trade-paper, or trade-live for real money.
        Answer: deployment
        """
        return self._call(
            "POST", "/deployment/%s/ticker-change" % (_quoted(id),), body={"from": from_, "to": to,
            "action": action})

    def compare_backtests(self, *, backtests):
        """Compare results, saved ones by id, others by the runId they were run with, on their common period:
        every figure is recomputed there. Results without two days in common answer 400.

        POST /api/v1/backtests/compare. Scope: research.
        Answer: start_date, end_date, start_ticker, end_ticker, compared
        """
        return self._call("POST", "/backtests/compare", body={"backtests": backtests}, repeats=True)

    def compute_robustness(self, id, *, seed=UNSET):
        """Compute the robustness board of a saved backtest or a recent run as a job, and keep it with the
        result. Answers the job at once; one that is under way for the same result is answered instead of a
        second. Cancel it by its id.

        POST /api/v1/backtests/:id/robustness. Scope: research.
        Answer: job_id, kind, subject, state, progress, error
        """
        return self._call("POST", "/backtests/%s/robustness" % (_quoted(id),), body={"seed": seed})

    def contribute(self, id, *, contribution_type, amount=UNSET, note=UNSET, idempotency_key=None):
        """Pay cash in or out of a deployment with a fixed contribution.

        POST /api/v1/deployment/:id/contributions. Scope: trade-paper, or trade-live for real money.
        Answer: deployment, error, message
        """
        return self._call(
            "POST", "/deployment/%s/contributions" % (_quoted(id),), body={"amount": amount,
            "contribution_type": contribution_type, "note": note}, repeats=True, key=idempotency_key or
            str(uuid.uuid4()))

    def control_deployment(self, id, *, action, positions=UNSET, confirmation=UNSET):
        """Start, pause, resume or stop. A stop cancels open orders; it keeps the positions, or sells all of
        them, also those of a deployment that was stopped before. A move that the state does not allow answers
        409. Start and resume on an account with real money answer 400 without the confirmation.

        POST /api/v1/deployment/:id/control. Scope: trade-paper, or trade-live for real money.
        Answer: deployment
        """
        return self._call(
            "POST", "/deployment/%s/control" % (_quoted(id),), body={"action": action, "positions": positions,
            "confirmation": confirmation})

    def create_collection_job(
            self, *, name=UNSET, job_kind=UNSET, provider_id=UNSET, data_store_id=UNSET, tickers=UNSET,
            data_granularity=UNSET, categories=UNSET, start_date=UNSET, end_date=UNSET,
            dynamic_date_mode=UNSET, dynamic_start_offset_days=UNSET, dynamic_end_offset_days=UNSET,
            is_scheduled=UNSET, schedule_cron=UNSET, schedule_start_time=UNSET, schedule_end_time=UNSET,
            schedule_timezone=UNSET, schedule_start_date=UNSET, schedule_end_date=UNSET, schedule_days=UNSET,
            schedule_market_hours_only=UNSET, schedule_active=UNSET, additional_params=UNSET,
            transform_config=UNSET, depends_on_job_ids=UNSET, idempotency_key=None):
        """Create a collection job.

        POST /api/v1/data-collector/jobs. Scope: research.
        Answer: job
        """
        return self._call(
            "POST", "/data-collector/jobs", body={"name": name, "job_kind": job_kind,
            "provider_id": provider_id, "data_store_id": data_store_id, "tickers": tickers,
            "data_granularity": data_granularity, "categories": categories, "start_date": start_date,
            "end_date": end_date, "dynamic_date_mode": dynamic_date_mode,
            "dynamic_start_offset_days": dynamic_start_offset_days,
            "dynamic_end_offset_days": dynamic_end_offset_days, "is_scheduled": is_scheduled,
            "schedule_cron": schedule_cron, "schedule_start_time": schedule_start_time,
            "schedule_end_time": schedule_end_time, "schedule_timezone": schedule_timezone,
            "schedule_start_date": schedule_start_date, "schedule_end_date": schedule_end_date,
            "schedule_days": schedule_days, "schedule_market_hours_only": schedule_market_hours_only,
            "schedule_active": schedule_active, "additional_params": additional_params,
            "transform_config": transform_config, "depends_on_job_ids": depends_on_job_ids}, repeats=True,
            key=idempotency_key or str(uuid.uuid4()))

    def create_deployment(
            self, *, deployment_name=UNSET, strategy_id=UNSET, alpaca_account_id=UNSET,
            rebalance_threshold=UNSET, rebalance_frequency=UNSET, check_frequency_minutes=UNSET,
            trading_frequency_type=UNSET, end_of_day_minutes_before_close=UNSET, trading_days=UNSET,
            ticker_mapping=UNSET, bypass_market_hours=UNSET, buying_power_forgiveness_pct=UNSET,
            email_notifications_enabled=UNSET, notification_emails=UNSET, notification_events=UNSET,
            training_mode=UNSET, holdout_train_size=UNSET, training_start_date=UNSET, training_end_date=UNSET,
            retraining_schedule=UNSET, dry_run=UNSET, max_daily_loss_pct=UNSET, max_drawdown_pct=UNSET,
            loss_action=UNSET, order_limits=UNSET, order_execution=UNSET, capital_policy=UNSET,
            capital_policy_value=UNSET, capital_currency=UNSET, auto_start=UNSET, contribution_mode=UNSET,
            confirmation=UNSET, idempotency_key=None):
        """Deploy a strategy with cash: an amount, or a percent of the account.

        POST /api/v1/deployment/create. Scope: trade-paper, or trade-live for real money.
        Answer: deployment, deployment_id, start_error
        """
        return self._call(
            "POST", "/deployment/create", body={"deployment_name": deployment_name,
            "strategy_id": strategy_id, "alpaca_account_id": alpaca_account_id,
            "rebalance_threshold": rebalance_threshold, "rebalance_frequency": rebalance_frequency,
            "check_frequency_minutes": check_frequency_minutes,
            "trading_frequency_type": trading_frequency_type,
            "end_of_day_minutes_before_close": end_of_day_minutes_before_close, "trading_days": trading_days,
            "ticker_mapping": ticker_mapping, "bypass_market_hours": bypass_market_hours,
            "buying_power_forgiveness_pct": buying_power_forgiveness_pct,
            "email_notifications_enabled": email_notifications_enabled,
            "notification_emails": notification_emails, "notification_events": notification_events,
            "training_mode": training_mode, "holdout_train_size": holdout_train_size,
            "training_start_date": training_start_date, "training_end_date": training_end_date,
            "retraining_schedule": retraining_schedule, "dry_run": dry_run,
            "max_daily_loss_pct": max_daily_loss_pct, "max_drawdown_pct": max_drawdown_pct,
            "loss_action": loss_action, "order_limits": order_limits, "order_execution": order_execution,
            "capital_policy": capital_policy, "capital_policy_value": capital_policy_value,
            "capital_currency": capital_currency, "auto_start": auto_start,
            "contribution_mode": contribution_mode, "confirmation": confirmation}, repeats=True,
            key=idempotency_key or str(uuid.uuid4()))

    def create_deployment_with_positions(
            self, *, deployment_name=UNSET, strategy_id=UNSET, alpaca_account_id=UNSET,
            rebalance_threshold=UNSET, rebalance_frequency=UNSET, check_frequency_minutes=UNSET,
            trading_frequency_type=UNSET, end_of_day_minutes_before_close=UNSET, trading_days=UNSET,
            ticker_mapping=UNSET, bypass_market_hours=UNSET, buying_power_forgiveness_pct=UNSET,
            email_notifications_enabled=UNSET, notification_emails=UNSET, notification_events=UNSET,
            training_mode=UNSET, holdout_train_size=UNSET, training_start_date=UNSET, training_end_date=UNSET,
            retraining_schedule=UNSET, dry_run=UNSET, max_daily_loss_pct=UNSET, max_drawdown_pct=UNSET,
            loss_action=UNSET, order_limits=UNSET, order_execution=UNSET, capital_policy=UNSET,
            capital_policy_value=UNSET, capital_currency=UNSET, auto_start=UNSET, contribution_mode=UNSET,
            confirmation=UNSET, contributed_positions=UNSET, contributed_cash=UNSET, idempotency_key=None):
        """Deploy a strategy with positions of the account and extra cash.

        POST /api/v1/deployment/create-with-positions. Scope: trade-paper, or trade-live for real money.
        Answer: deployment, deployment_id, start_error
        """
        return self._call(
            "POST", "/deployment/create-with-positions", body={"deployment_name": deployment_name,
            "strategy_id": strategy_id, "alpaca_account_id": alpaca_account_id,
            "rebalance_threshold": rebalance_threshold, "rebalance_frequency": rebalance_frequency,
            "check_frequency_minutes": check_frequency_minutes,
            "trading_frequency_type": trading_frequency_type,
            "end_of_day_minutes_before_close": end_of_day_minutes_before_close, "trading_days": trading_days,
            "ticker_mapping": ticker_mapping, "bypass_market_hours": bypass_market_hours,
            "buying_power_forgiveness_pct": buying_power_forgiveness_pct,
            "email_notifications_enabled": email_notifications_enabled,
            "notification_emails": notification_emails, "notification_events": notification_events,
            "training_mode": training_mode, "holdout_train_size": holdout_train_size,
            "training_start_date": training_start_date, "training_end_date": training_end_date,
            "retraining_schedule": retraining_schedule, "dry_run": dry_run,
            "max_daily_loss_pct": max_daily_loss_pct, "max_drawdown_pct": max_drawdown_pct,
            "loss_action": loss_action, "order_limits": order_limits, "order_execution": order_execution,
            "capital_policy": capital_policy, "capital_policy_value": capital_policy_value,
            "capital_currency": capital_currency, "auto_start": auto_start,
            "contribution_mode": contribution_mode, "confirmation": confirmation,
            "contributed_positions": contributed_positions, "contributed_cash": contributed_cash},
            repeats=True, key=idempotency_key or str(uuid.uuid4()))

    def create_strategy(self, *, name, strategy_type, description=UNSET, config=UNSET, idempotency_key=None):
        """Create a strategy, or update the one of the same name and type.

        POST /api/v1/strategies. Scope: research.
        Answer: id, name, description, strategy_type, created_at, updated_at, config
        """
        return self._call(
            "POST", "/strategies", body={"name": name, "description": description,
            "strategy_type": strategy_type, "config": config}, repeats=True, key=idempotency_key or
            str(uuid.uuid4()))

    def create_ticker_list(self, *, name, list_type, tickers=UNSET):
        """Save a new list. A name that a list of the same kind has already answers 409.

        POST /api/v1/ticker-lists. Scope: research.
        Answer: list
        """
        return self._call(
            "POST", "/ticker-lists", body={"name": name, "list_type": list_type, "tickers": tickers})

    def delete_backtest(self, id):
        """Delete a saved backtest or a recent run, and the links that share it.

        DELETE /api/v1/backtests/:id. Scope: research.
        """
        return self._call("DELETE", "/backtests/%s" % (_quoted(id),))

    def delete_collection_job(self, id):
        """Delete a collection job and its run history. The data it collected is kept.

        DELETE /api/v1/data-collector/jobs/:id. Scope: research.
        """
        return self._call("DELETE", "/data-collector/jobs/%s" % (_quoted(id),))

    def delete_construction(self, id):
        """Delete a construction; one in progress is stopped.

        DELETE /api/v1/portfolio-constructions/:id. Scope: research.
        """
        return self._call("DELETE", "/portfolio-constructions/%s" % (_quoted(id),))

    def delete_deployment(self, id):
        """Delete a stopped or created deployment: its money and positions become unallocated, its model, logs
        and history go.

        DELETE /api/v1/deployment/:id/delete. Scope: trade-paper, or trade-live for real money.
        Answer: message
        """
        return self._call("DELETE", "/deployment/%s/delete" % (_quoted(id),))

    def delete_factor_file(self, id):
        """Delete a file of factor returns.

        DELETE /api/v1/factor-files/:id. Scope: research.
        """
        return self._call("DELETE", "/factor-files/%s" % (_quoted(id),))

    def delete_optimization_run(self, id):
        """Delete a run; one in progress is cancelled first.

        DELETE /api/v1/optimization-runs/:id. Scope: research.
        """
        return self._call("DELETE", "/optimization-runs/%s" % (_quoted(id),))

    def delete_saved_query(self, id):
        """Delete a saved query.

        DELETE /api/v1/data-collector/saved-queries/:id. Scope: research.
        """
        return self._call("DELETE", "/data-collector/saved-queries/%s" % (_quoted(id),))

    def delete_strategy(self, id):
        """Delete a strategy together with its saved backtests.

        DELETE /api/v1/strategies/:id. Scope: research.
        """
        return self._call("DELETE", "/strategies/%s" % (_quoted(id),))

    def delete_study(self, id):
        """Delete a study; one in progress is stopped.

        DELETE /api/v1/parameter-studies/:id. Scope: research.
        """
        return self._call("DELETE", "/parameter-studies/%s" % (_quoted(id),))

    def delete_ticker_list(self, id):
        """Delete a list. Runs that used it keep their tickers.

        DELETE /api/v1/ticker-lists/:id. Scope: research.
        """
        return self._call("DELETE", "/ticker-lists/%s" % (_quoted(id),))

    def disallocate(self, id, *, disallocation_pct=UNSET, note=UNSET, idempotency_key=None):
        """Give a percent of the current capital, cash and positions alike, back to the account.

        POST /api/v1/deployment/:id/disallocate. Scope: trade-paper, or trade-live for real money.
        Answer: disallocation_summary
        """
        return self._call(
            "POST", "/deployment/%s/disallocate" % (_quoted(id),),
            body={"disallocation_pct": disallocation_pct, "note": note}, repeats=True, key=idempotency_key or
            str(uuid.uuid4()))

    def emergency_stop(self, id):
        """Stop a deployment at once: no new orders are sent, open orders are cancelled. Works while data or
        database fail. Positions are kept.

        POST /api/v1/deployment/:id/emergency-stop. Scope: trade-paper, or trade-live for real money.
        Answer: message, stopped, cancelled_orders, problems
        """
        return self._call("POST", "/deployment/%s/emergency-stop" % (_quoted(id),))

    def emergency_stop_all(self):
        """The same for every deployment of the signed-in user.

        POST /api/v1/deployment/emergency-stop. Scope: trade-paper, or trade-live for real money.
        Answer: message, stopped, cancelled_orders, problems
        """
        return self._call("POST", "/deployment/emergency-stop")

    def export_optimization_run(self, id):
        """The whole run as a JSON file, every individual included: what a rerun or another tool needs.

        GET /api/v1/optimization-runs/:id/export. Scope: read.
        Answer: id, status, paused, created_at, finished_at, client_run_id, target_asset, related_assets,
            feature_types, target_id, date_range, ga_parameters, ml_config, optimization_config,
            trading_signals, error_message, error_code, train_period, test_period, current_generation,
            best_fitness, progress, synthetic, spliced_tickers, generation_history, results, format, version
        """
        return self._call("GET", "/optimization-runs/%s/export" % (_quoted(id),), repeats=True)

    def get_activity(self, id, *, limit=UNSET):
        """Signals, trades and events, newest first.

        GET /api/v1/deployment/:id/activity. Scope: read.
        Answer: activity, left_out
        """
        return self._call(
            "GET", "/deployment/%s/activity" % (_quoted(id),), query={"limit": limit}, repeats=True)

    def get_available_data(self, *, store_id=UNSET, layer=UNSET):
        """What the filters of a store and layer may offer.

        GET /api/v1/data-collector/data/available. Scope: read.
        Answer: tickers, categories, providers, granularities, date_range
        """
        return self._call(
            "GET", "/data-collector/data/available", query={"store_id": store_id, "layer": layer},
            repeats=True)

    def get_backtest(self, id):
        """A saved backtest or a recent run: its result, and the settings of the form that made it.

        GET /api/v1/backtests/:id. Scope: read.
        Answer: id, name, strategy_name, strategy_id, created_at, saved, result_data, strategy_config
        """
        return self._call("GET", "/backtests/%s" % (_quoted(id),), repeats=True)

    def get_backtest_revisions(self, id):
        """How many values that a result was computed from were revised, removed or added since: what the data
        store held then is compared with what it holds now. No provider is asked.

        GET /api/v1/backtests/:id/revisions. Scope: read.
        Answer: data_at, reason, values, revised, removed, added, series
        """
        return self._call("GET", "/backtests/%s/revisions" % (_quoted(id),), repeats=True)

    def get_checklist(self):
        """Which of the first steps the user has completed. A step stays completed when what it created is
        deleted later.

        GET /api/v1/home/checklist. Scope: read.
        Answer: done, hidden
        """
        return self._call("GET", "/home/checklist", repeats=True)

    def get_construction(self, id):
        """A construction with its portfolios, weights and frontier, once it is complete.

        GET /api/v1/portfolio-constructions/:id. Scope: read.
        Answer: id, status, name, tickers, methods, start_date, end_date, progress, error_message, created_at,
            finished_at, covariance, window_months, rebalance, config, results
        """
        return self._call("GET", "/portfolio-constructions/%s" % (_quoted(id),), repeats=True)

    def get_correlations(
            self, ticker, *, min_correlation=UNSET, period_days=UNSET, limit=UNSET, lag_days=UNSET):
        """Lagged correlations with the ticker, strongest first. A ticker without data answers 404 with a
        sentence in `error`.

        GET /api/v1/leading-indicators/correlations/:ticker. Scope: research.
        Answer: ticker, correlations, period, tested, expected_false_hits, synthetic, notes
        """
        return self._call(
            "GET", "/leading-indicators/correlations/%s" % (_quoted(ticker),),
            query={"min_correlation": min_correlation, "period_days": period_days, "limit": limit,
            "lag_days": lag_days}, repeats=True)

    def get_deployment(self, id):
        """One deployment.

        GET /api/v1/deployment/:id. Scope: read.
        Answer: deployment
        """
        return self._call("GET", "/deployment/%s" % (_quoted(id),), repeats=True)

    def get_deployment_details(self, id, *, page=UNSET, page_size=UNSET, entry_types=UNSET, search=UNSET):
        """A deployment with a page of its ledger, newest entries first.

        GET /api/v1/deployment/:id/details. Scope: read.
        Answer: error, deployment
        """
        return self._call(
            "GET", "/deployment/%s/details" % (_quoted(id),), query={"page": page, "page_size": page_size,
            "entry_types": entry_types, "search": search}, repeats=True)

    def iter_get_deployment_details(self, id, **arguments):
        """Every item of `get_deployment_details`, page after page; the same arguments, without page."""
        return self._paged(
            lambda **given: self.get_deployment_details(id, **given), "page_size", 500, [["deployment",
            "ledger_entries"]], arguments)

    def get_deployment_overview(self, id):
        """All that the page of one deployment shows.

        GET /api/v1/deployment/:id/overview. Scope: read.
        Answer: deployment, value, cash, positions, equity, replay, next_run_at, last_decision, orders,
            health, model, model_versions, retraining, emergency_stopped
        """
        return self._call("GET", "/deployment/%s/overview" % (_quoted(id),), repeats=True)

    def get_deployments_at_a_glance(self):
        """Whether the US market is open, and of each deployment its light, what it holds against its targets,
        its last decision and how it fared in the last 30 days.

        GET /api/v1/deployment/glance. Scope: read.
        Answer: market, recent, deployments
        """
        return self._call("GET", "/deployment/glance", repeats=True)

    def get_generation(self, id, generation):
        """One generation with all its individuals.

        GET /api/v1/optimization-runs/:id/generations/:generation. Scope: read.
        Answer: generation, best_fitness, avg_fitness, best_features_count, diversity, population_details,
            population_size, new_evaluations
        """
        return self._call(
            "GET", "/optimization-runs/%s/generations/%s" % (_quoted(id), _quoted(generation),), repeats=True)

    def get_home_alerts(self):
        """What needs attention: deployments that do not trade although they run, the newest warning of each
        deployment in the last 7 days, and brokerage accounts that are not verified.

        GET /api/v1/home/alerts. Scope: read.
        Answer: alerts
        """
        return self._call("GET", "/home/alerts", repeats=True)

    def get_home_results(self):
        """The newest backtests, saved or not, and the best saved ones by Sharpe ratio, one of each strategy,
        with small curves.

        GET /api/v1/home/results. Scope: read.
        Answer: latest, best, left_out
        """
        return self._call("GET", "/home/results", repeats=True)

    def get_inbox(self):
        """The newest 100 alerts, one for each cause with its deployments; open ones first. They are kept for
        30 days.

        GET /api/v1/alerts/inbox. Scope: read.
        Answer: alerts
        """
        return self._call("GET", "/alerts/inbox", repeats=True)

    def get_job(self, id):
        """The status of a job of the signed-in user.

        GET /api/v1/jobs/:id. Scope: read.
        Answer: job_id, kind, subject, state, progress, error, cancel_requested, attempts, created_at,
            started_at, finished_at, result
        """
        return self._call("GET", "/jobs/%s" % (_quoted(id),), repeats=True)

    def get_log_tail(self, id, *, lines=UNSET):
        """The last lines of the log, oldest first: `timestamp - [LEVEL] - logger - function:line - message`,
        in UTC.

        GET /api/v1/deployment/:id/logs/tail. Scope: read.
        Answer: lines
        """
        return self._call(
            "GET", "/deployment/%s/logs/tail" % (_quoted(id),), query={"lines": lines}, repeats=True)

    def get_optimization_run(self, id, *, after_generation=UNSET):
        """A run with its history and results. With after_generation, only the later generations of the
        history.

        GET /api/v1/optimization-runs/:id. Scope: read.
        Answer: id, status, paused, created_at, finished_at, client_run_id, target_asset, related_assets,
            feature_types, target_id, date_range, ga_parameters, ml_config, optimization_config,
            trading_signals, error_message, error_code, train_period, test_period, current_generation,
            best_fitness, progress, synthetic, spliced_tickers, generation_history, results
        """
        return self._call(
            "GET", "/optimization-runs/%s" % (_quoted(id),), query={"after_generation": after_generation},
            repeats=True)

    def get_passport(self, id, *, rows=UNSET):
        """The passport of a result: strategy, settings, seed, versions and the SHA-256 of every series and of
        the result, with nothing about its owner. With rows=true it holds the rows as well, as long as they
        are those of the run.

        GET /api/v1/backtests/:id/passport. Scope: read.
        Answer: format, version, made_by, request, model, series, result, account, seal
        """
        return self._call(
            "GET", "/backtests/%s/passport" % (_quoted(id),), query={"rows": rows}, repeats=True)

    def get_portfolio(
            self, *, account_id=UNSET, force_refresh=UNSET, synthetic_benchmarks=UNSET, filter_type=UNSET,
            start_date=UNSET, end_date=UNSET):
        """A brokerage account with its performance, of the default account when none is named. Answered from
        the cache at once and refreshed behind when it is older than a minute; force_refresh=true asks the
        broker first.

        GET /api/v1/alpaca/portfolio. Scope: read.
        Answer: portfolio
        """
        return self._call(
            "GET", "/alpaca/portfolio", query={"account_id": account_id, "force_refresh": force_refresh,
            "synthetic_benchmarks": synthetic_benchmarks, "filter_type": filter_type,
            "start_date": start_date, "end_date": end_date}, repeats=True)

    def get_proposal(self, id):
        """One proposal, with what accepting it would change as things stand now.

        GET /api/v1/proposals/:id. Scope: read.
        Answer: id, kind, origin, title, subject, state, real_money, created_at, expires_at, answered_at,
            outcome, reason, changes, notices, obstacle, fingerprint, link
        """
        return self._call("GET", "/proposals/%s" % (_quoted(id),), repeats=True)

    def get_record(self, id):
        """The forward record of a deployment with its calibration; null where it has none.

        GET /api/v1/deployment/:id/record. Scope: read.
        Answer: record, link_expires_at
        """
        return self._call("GET", "/deployment/%s/record" % (_quoted(id),), repeats=True)

    def get_record_file(self, id):
        """The whole chain as a file, which `tradewright verify` checks without a server.

        GET /api/v1/deployment/:id/record/file. Scope: read.
        Answer: format, version, header, entries, head
        """
        return self._call("GET", "/deployment/%s/record/file" % (_quoted(id),), repeats=True)

    def get_robustness(self, id):
        """The robustness board of a saved backtest or a recent run, null before it was computed; and its job
        while that waits or runs, or after it failed.

        GET /api/v1/backtests/:id/robustness. Scope: read.
        Answer: board, job
        """
        return self._call("GET", "/backtests/%s/robustness" % (_quoted(id),), repeats=True)

    def get_sale_lots(self, *, account_id, sale_id):
        """The lots that a sale can take, and those that were chosen for it.

        GET /api/v1/alpaca/portfolio/lots/sale. Scope: read.
        Answer: symbol, qty, lots
        """
        return self._call(
            "GET", "/alpaca/portfolio/lots/sale", query={"account_id": account_id, "sale_id": sale_id},
            repeats=True)

    def get_sec_tickers(self, *, limit=UNSET):
        """The largest companies that report to the SEC. A limit outside 1 to 200 is clamped.

        GET /api/v1/data-collector/sec-tickers. Scope: read.
        Answer: tickers
        """
        return self._call("GET", "/data-collector/sec-tickers", query={"limit": limit}, repeats=True)

    def get_shared_passport(self, token):
        """The passport of a shared result, without rows, by the token of its link, where its owner shares it:
        it has every trade and signal, and anyone can verify it on an instance of their own. The same 404 and
        429 as for the result.

        GET /api/v1/shared/:token/passport. Any key may call it.
        Answer: format, version, made_by, request, model, series, result, account, seal
        """
        return self._call("GET", "/shared/%s/passport" % (_quoted(token),), repeats=True)

    def get_shared_record(self, token):
        """A shared forward record. Unknown, expired and revoked links answer the same 404; many calls from
        one address 429.

        GET /api/v1/records/:token. Any key may call it.
        Answer: record, expires_at
        """
        return self._call("GET", "/records/%s" % (_quoted(token),), repeats=True)

    def get_shared_record_file(self, token):
        """The whole chain of a shared record as a file.

        GET /api/v1/records/:token/file. Any key may call it.
        Answer: format, version, header, entries, head
        """
        return self._call("GET", "/records/%s/file" % (_quoted(token),), repeats=True)

    def get_shared_result(self, token):
        """A shared result, by the token of its link, without anything about its owner: no ids, no rows of
        features and no trades. Unknown, expired and revoked links answer the same 404; many calls from one
        address answer 429.

        GET /api/v1/shared/:token. Any key may call it.
        Answer: expires_at, has_passport, result
        """
        return self._call("GET", "/shared/%s" % (_quoted(token),), repeats=True)

    def get_signals(self, id):
        """The newest signals that a strategy received, accepted and refused ones, and whether it has an
        address.

        GET /api/v1/strategies/:id/signals. Scope: read.
        Answer: has_address, address_created_at, accepted, current, entries
        """
        return self._call("GET", "/strategies/%s/signals" % (_quoted(id),), repeats=True)

    def get_statement(self, *, account_id, month):
        """The statement of an account for a month: values, flows, profit, trades and positions.

        GET /api/v1/alpaca/portfolio/statement. Scope: read.
        Answer: statement
        """
        return self._call(
            "GET", "/alpaca/portfolio/statement", query={"account_id": account_id, "month": month},
            repeats=True)

    def get_store_quality(self, id, *, layer=UNSET):
        """Gaps, jumps and stale series of a store.

        GET /api/v1/data-collector/data-stores/:id/quality. Scope: read.
        Answer: series
        """
        return self._call(
            "GET", "/data-collector/data-stores/%s/quality" % (_quoted(id),), query={"layer": layer},
            repeats=True)

    def get_strategy(self, id):
        """One strategy with its config.

        GET /api/v1/strategies/:id. Scope: read.
        Answer: id, name, description, strategy_type, created_at, updated_at, config
        """
        return self._call("GET", "/strategies/%s" % (_quoted(id),), repeats=True)

    def get_strategy_performance(self):
        """How each strategy with a saved backtest did, best CAGR first. Strategies without one are not
        listed.

        GET /api/v1/strategy-performance. Scope: read.
        Answer: all
        """
        return self._call("GET", "/strategy-performance", repeats=True)

    def get_strategy_record(self, id):
        """The forward record of a saved strategy with its calibration; null where it has none.

        GET /api/v1/strategies/:id/record. Scope: read.
        Answer: record, link_expires_at
        """
        return self._call("GET", "/strategies/%s/record" % (_quoted(id),), repeats=True)

    def get_strategy_record_file(self, id):
        """The whole chain as a file, which `tradewright verify` checks without a server.

        GET /api/v1/strategies/:id/record/file. Scope: read.
        Answer: format, version, header, entries, head
        """
        return self._call("GET", "/strategies/%s/record/file" % (_quoted(id),), repeats=True)

    def get_study(self, id):
        """A study with the figures of all its variants, once it is complete.

        GET /api/v1/parameter-studies/:id. Scope: read.
        Answer: id, status, strategy_name, start_date, end_date, method, variants, evaluated, seconds,
            progress, error_message, created_at, finished_at, numbers, measure, hold_out_pct, config, results
        """
        return self._call("GET", "/parameter-studies/%s" % (_quoted(id),), repeats=True)

    def get_system_health(self):
        """How this process, its database, the job queue and live trading are doing. Counts of all users
        together.

        GET /api/v1/health. Scope: read.
        Answer: process, database, jobs, live_trading
        """
        return self._call("GET", "/health", repeats=True)

    def get_tax_lots(self, *, account_id, year=UNSET):
        """Tax lots of a brokerage account, realised gains by year and wash sales, from the broker’s own list
        of executions. Not tax advice.

        GET /api/v1/alpaca/portfolio/lots. Scope: read.
        Answer: tax
        """
        return self._call(
            "GET", "/alpaca/portfolio/lots", query={"account_id": account_id, "year": year}, repeats=True)

    def get_version(self):
        """Version of the program, of its API and of its tables, and, where called with an API key, what it
        may do.

        GET /api/v1/version. Any key may call it.
        Answer: version, api, commit, schema, key
        """
        return self._call("GET", "/version", repeats=True)

    def get_volume_shares(self, *, strategy_id, ticker_mapping, capital):
        """The largest orders that a strategy may send with this capital, against the average volume of each
        ticker.

        POST /api/v1/deployment/volume-shares. Scope: read.
        Answer: volumes
        """
        return self._call(
            "POST", "/deployment/volume-shares", body={"strategy_id": strategy_id,
            "ticker_mapping": ticker_mapping, "capital": capital}, repeats=True)

    def import_csv(
            self, file, *, ticker, granularity=UNSET, columns=UNSET, known_after_days=UNSET, currency=UNSET,
            store=UNSET):
        """Import a CSV file as a series of provider csv. One import of a user runs at a time.

        POST /api/v1/data-collector/import. Scope: research.
        columns: JSON that maps a header of the file to a category, or to date. Usual headers can be left out.
        known_after_days: For values that are no prices, in a file without a column known_at: days from the
            date of a row to its publication. Left out: the end of the period after its own.
        currency: Of the prices. Left out: what a column or a header of the file says, else USD.
        Answer: ticker, rows, records_stored, message, notes
        """
        return self._call(
            "POST", "/data-collector/import", form={**{"ticker": ticker, "granularity": granularity,
            "columns": columns, "known_after_days": known_after_days, "currency": currency, "store": store},
            "file": _file(file)})

    def import_factor_file(self, file, *, name=UNSET):
        """Keep a CSV of factor returns in percent, as in the data library of Kenneth French: a header line,
        then rows of YYYYMMDD or YYYYMM.

        POST /api/v1/factor-files. Scope: research.
        Answer: file
        """
        return self._call("POST", "/factor-files", form={**{"name": name}, "file": _file(file)})

    def list_account_positions(self, id):
        """Positions of an account, and which deployments own how much of each.

        GET /api/v1/deployment/account/:id/positions. Scope: read.
        Answer: positions
        """
        return self._call("GET", "/deployment/account/%s/positions" % (_quoted(id),), repeats=True)

    def list_activities(self, *, kind, account_id=UNSET, page=UNSET, page_size=UNSET):
        """Trades or transactions of a brokerage account, newest first, in pages.

        GET /api/v1/alpaca/portfolio/activities. Scope: read.
        Answer: trades, transactions, total, page, page_size, activities_complete
        """
        return self._call(
            "GET", "/alpaca/portfolio/activities", query={"account_id": account_id, "kind": kind,
            "page": page, "page_size": page_size}, repeats=True)

    def iter_list_activities(self, **arguments):
        """Every item of `list_activities`, page after page; the same arguments, without page."""
        return self._paged(self.list_activities, "page_size", 500, [["trades"], ["transactions"]], arguments)

    def list_backtests(self):
        """The signed-in user's saved backtests, newest first.

        GET /api/v1/backtests/all. Scope: read.
        Answer: backtests, left_out
        """
        return self._call("GET", "/backtests/all", repeats=True)

    def list_collection_jobs(self):
        """The collection jobs of the signed-in user.

        GET /api/v1/data-collector/jobs. Scope: read.
        Answer: jobs, left_out
        """
        return self._call("GET", "/data-collector/jobs", repeats=True)

    def list_collection_runs(self):
        """The newest 200 runs of the signed-in user, newest first.

        GET /api/v1/data-collector/runs. Scope: read.
        Answer: runs, left_out
        """
        return self._call("GET", "/data-collector/runs", repeats=True)

    def list_constructions(self):
        """The signed-in user's constructions, newest first.

        GET /api/v1/portfolio-constructions. Scope: read.
        Answer: constructions, left_out
        """
        return self._call("GET", "/portfolio-constructions", repeats=True)

    def list_data_stores(self):
        """The data stores of the signed-in user, the system store first.

        GET /api/v1/data-stores. Scope: read.
        Answer: data_stores, left_out
        """
        return self._call("GET", "/data-stores", repeats=True)

    def list_deployable_strategies(self):
        """Saved strategies as the deploy form shows them; those that cannot be deployed say why.

        GET /api/v1/deployment/strategies. Scope: read.
        Answer: strategies, left_out
        """
        return self._call("GET", "/deployment/strategies", repeats=True)

    def list_deployments(self):
        """The deployments of the signed-in user, newest first.

        GET /api/v1/deployment/list. Scope: read.
        Answer: deployments, left_out
        """
        return self._call("GET", "/deployment/list", repeats=True)

    def list_factor_files(self):
        """The signed-in user's files of factor returns, newest first.

        GET /api/v1/factor-files. Scope: read.
        Answer: files
        """
        return self._call("GET", "/factor-files", repeats=True)

    def list_features(self):
        """Every feature a model can learn from, with its parameters.

        GET /api/v1/features. Scope: read.
        Answer: features
        """
        return self._call("GET", "/features", repeats=True)

    def list_indicator_tickers(self):
        """The tickers that can be analysed, by category.

        GET /api/v1/leading-indicators/available-tickers. Scope: read.
        Answer: tickers
        """
        return self._call("GET", "/leading-indicators/available-tickers", repeats=True)

    def list_jobs(self):
        """Jobs of the signed-in user that wait or run, oldest first.

        GET /api/v1/jobs. Scope: read.
        Answer: jobs
        """
        return self._call("GET", "/jobs", repeats=True)

    def list_optimization_runs(self):
        """The signed-in user's runs, newest first.

        GET /api/v1/optimization-runs. Scope: read.
        Answer: optimization_runs, left_out
        """
        return self._call("GET", "/optimization-runs", repeats=True)

    def list_proposals(self):
        """What agents and scripts have proposed: open proposals, soonest expiry first, and the newest
        answered ones.

        GET /api/v1/proposals. Scope: read.
        Answer: open, answered, left_out
        """
        return self._call("GET", "/proposals", repeats=True)

    def list_providers(self):
        """The data providers that the signed-in user may use.

        GET /api/v1/data-collector/providers. Scope: read.
        Answer: providers, left_out
        """
        return self._call("GET", "/data-collector/providers", repeats=True)

    def list_recent_runs(self):
        """The newest 50 runs of the signed-in user that were not saved, and the newest 50 that were, newest
        first. Of those that were not saved, older ones are deleted.

        GET /api/v1/backtests/recent. Scope: read.
        Answer: runs, left_out
        """
        return self._call("GET", "/backtests/recent", repeats=True)

    def list_rule_examples(self):
        """Published rule sets as trees to begin with, each with its source.

        GET /api/v1/rules/examples. Scope: read.
        Answer: examples
        """
        return self._call("GET", "/rules/examples", repeats=True)

    def list_saved_queries(self):
        """The saved queries of the signed-in user.

        GET /api/v1/data-collector/saved-queries. Scope: read.
        Answer: queries, left_out
        """
        return self._call("GET", "/data-collector/saved-queries", repeats=True)

    def list_starter_transforms(self):
        """The starter transforms.

        GET /api/v1/data-collector/transforms/starter-kit. Scope: read.
        Answer: transforms
        """
        return self._call("GET", "/data-collector/transforms/starter-kit", repeats=True)

    def list_strategies(self):
        """The signed-in user's strategies, newest first.

        GET /api/v1/strategies. Scope: read.
        Answer: strategies, left_out
        """
        return self._call("GET", "/strategies", repeats=True)

    def list_strategy_results(self, id):
        """A strategy's saved backtests, newest first.

        GET /api/v1/strategies/:id/results. Scope: read.
        Answer: backtests
        """
        return self._call("GET", "/strategies/%s/results" % (_quoted(id),), repeats=True)

    def list_studies(self):
        """The signed-in user's studies, newest first.

        GET /api/v1/parameter-studies. Scope: read.
        Answer: studies, left_out
        """
        return self._call("GET", "/parameter-studies", repeats=True)

    def list_targets(self):
        """Every target a model can predict, with its parameters.

        GET /api/v1/targets. Scope: read.
        Answer: targets
        """
        return self._call("GET", "/targets", repeats=True)

    def list_ticker_lists(self):
        """The signed-in user's ticker lists, by name.

        GET /api/v1/ticker-lists. Scope: read.
        Answer: lists, left_out
        """
        return self._call("GET", "/ticker-lists", repeats=True)

    def list_trading_accounts(self):
        """Brokerage accounts with what is allocated in them and what is left. A broker that fails leaves
        nulls.

        GET /api/v1/deployment/accounts. Scope: read.
        Answer: accounts
        """
        return self._call("GET", "/deployment/accounts", repeats=True)

    def look_up_ticker(self, *, ticker):
        """Name of one ticker, where its data would come from and since when. Leverage such as ?L=2 is
        ignored. A provider is asked about at most 20 a minute for one user; beyond that the state is
        `unchecked`.

        GET /api/v1/tickers/lookup. Scope: read.
        Answer: ticker, name, state, provider, data_since, sample
        """
        return self._call("GET", "/tickers/lookup", query={"ticker": ticker}, repeats=True)

    def pause_optimization_run(self, id):
        """Stop computing after what was stored last; the run stays in progress. Pausing a paused run changes
        nothing.

        POST /api/v1/optimization-runs/:id/pause. Scope: research.
        Answer: run
        """
        return self._call("POST", "/optimization-runs/%s/pause" % (_quoted(id),))

    def preview_decision(self, id):
        """What would be decided and traded now. Nothing is sent and nothing is kept.

        POST /api/v1/deployment/:id/preview. Scope: research.
        Answer: decision, orders, volumes, market_open, next_check_at
        """
        return self._call("POST", "/deployment/%s/preview" % (_quoted(id),), repeats=True)

    def preview_new_deployment(
            self, *, deployment_name=UNSET, strategy_id=UNSET, alpaca_account_id=UNSET,
            rebalance_threshold=UNSET, rebalance_frequency=UNSET, check_frequency_minutes=UNSET,
            trading_frequency_type=UNSET, end_of_day_minutes_before_close=UNSET, trading_days=UNSET,
            ticker_mapping=UNSET, bypass_market_hours=UNSET, buying_power_forgiveness_pct=UNSET,
            email_notifications_enabled=UNSET, notification_emails=UNSET, notification_events=UNSET,
            training_mode=UNSET, holdout_train_size=UNSET, training_start_date=UNSET, training_end_date=UNSET,
            retraining_schedule=UNSET, dry_run=UNSET, max_daily_loss_pct=UNSET, max_drawdown_pct=UNSET,
            loss_action=UNSET, order_limits=UNSET, order_execution=UNSET, capital_policy=UNSET,
            capital_policy_value=UNSET, capital_currency=UNSET, auto_start=UNSET, contribution_mode=UNSET,
            confirmation=UNSET):
        """The same for a deployment that is not created yet: the fields of `create`, the name may be missing.
        A strategy with a model answers 409: its model is trained when it is deployed.

        POST /api/v1/deployment/preview-new. Scope: research.
        Answer: decision, orders, volumes, market_open, next_check_at
        """
        return self._call(
            "POST", "/deployment/preview-new", body={"deployment_name": deployment_name,
            "strategy_id": strategy_id, "alpaca_account_id": alpaca_account_id,
            "rebalance_threshold": rebalance_threshold, "rebalance_frequency": rebalance_frequency,
            "check_frequency_minutes": check_frequency_minutes,
            "trading_frequency_type": trading_frequency_type,
            "end_of_day_minutes_before_close": end_of_day_minutes_before_close, "trading_days": trading_days,
            "ticker_mapping": ticker_mapping, "bypass_market_hours": bypass_market_hours,
            "buying_power_forgiveness_pct": buying_power_forgiveness_pct,
            "email_notifications_enabled": email_notifications_enabled,
            "notification_emails": notification_emails, "notification_events": notification_events,
            "training_mode": training_mode, "holdout_train_size": holdout_train_size,
            "training_start_date": training_start_date, "training_end_date": training_end_date,
            "retraining_schedule": retraining_schedule, "dry_run": dry_run,
            "max_daily_loss_pct": max_daily_loss_pct, "max_drawdown_pct": max_drawdown_pct,
            "loss_action": loss_action, "order_limits": order_limits, "order_execution": order_execution,
            "capital_policy": capital_policy, "capital_policy_value": capital_policy_value,
            "capital_currency": capital_currency, "auto_start": auto_start,
            "contribution_mode": contribution_mode, "confirmation": confirmation})

    def receive_signal(self, address, *, id=UNSET, allocation=UNSET, weights=UNSET, secret=UNSET, time=UNSET):
        """Send a signal: the name of an allocation of the strategy, or weights within its limits. Signed by
        the headers X-Tradewright-Timestamp and X-Tradewright-Signature, or with secret and time in the body.
        The same id again is answered with doubled: true, and nothing is done twice. Orders cannot be sent.

        POST /api/v1/signals/:address. Any key may call it.
        id: Of this event, chosen by the sender. Needed with a signature; else made from time and target.
        weights: Percentages by ticker.
        secret: In place of a signature, for senders that cannot sign.
        time: When it was sent, like 2026-03-04T20:55:00Z; needed with secret.
        Answer: message, id, doubled
        """
        return self._call(
            "POST", "/signals/%s" % (_quoted(address),), body={"id": id, "allocation": allocation,
            "weights": weights, "secret": secret, "time": time})

    def regress_on_factors(self, id, *, series=UNSET, ticker=UNSET, file=UNSET, window_months=UNSET):
        """Regress the excess returns of a result, or of one ticker over its days, on series and on factors of
        a file, with Newey-West errors and rolling loadings. Nothing is kept.

        POST /api/v1/backtests/:id/factors. Scope: research.
        ticker: Regress this ticker over the days of the result, in place of the result
        Answer: regression, not_available
        """
        return self._call(
            "POST", "/backtests/%s/factors" % (_quoted(id),), body={"series": series, "ticker": ticker,
            "file": file, "window_months": window_months}, repeats=True)

    def rename_backtest(self, id, *, name):
        """Rename a saved backtest or a recent run. Its strategy keeps its name.

        PUT /api/v1/backtests/:id. Scope: research.
        Answer: id, name, strategy_name, strategy_id, created_at, saved
        """
        return self._call("PUT", "/backtests/%s" % (_quoted(id),), body={"name": name})

    def replay_deployment_month(self, id):
        """The same for a deployment, with the capital that it was given.

        POST /api/v1/deployment/:id/replay-month. Scope: research.
        Answer: replay
        """
        return self._call("POST", "/deployment/%s/replay-month" % (_quoted(id),))

    def replay_new_deployment(
            self, *, deployment_name=UNSET, strategy_id=UNSET, alpaca_account_id=UNSET,
            rebalance_threshold=UNSET, rebalance_frequency=UNSET, check_frequency_minutes=UNSET,
            trading_frequency_type=UNSET, end_of_day_minutes_before_close=UNSET, trading_days=UNSET,
            ticker_mapping=UNSET, bypass_market_hours=UNSET, buying_power_forgiveness_pct=UNSET,
            email_notifications_enabled=UNSET, notification_emails=UNSET, notification_events=UNSET,
            training_mode=UNSET, holdout_train_size=UNSET, training_start_date=UNSET, training_end_date=UNSET,
            retraining_schedule=UNSET, dry_run=UNSET, max_daily_loss_pct=UNSET, max_drawdown_pct=UNSET,
            loss_action=UNSET, order_limits=UNSET, order_execution=UNSET, capital_policy=UNSET,
            capital_policy_value=UNSET, capital_currency=UNSET, auto_start=UNSET, contribution_mode=UNSET,
            confirmation=UNSET):
        """What a deployment with these fields of `create` would have done in the last month, by the engine of
        the backtest with the deployment’s schedule and rebalancing. A simulation: nothing is sent and nothing
        is kept.

        POST /api/v1/deployment/replay-new. Scope: research.
        Answer: replay
        """
        return self._call(
            "POST", "/deployment/replay-new", body={"deployment_name": deployment_name,
            "strategy_id": strategy_id, "alpaca_account_id": alpaca_account_id,
            "rebalance_threshold": rebalance_threshold, "rebalance_frequency": rebalance_frequency,
            "check_frequency_minutes": check_frequency_minutes,
            "trading_frequency_type": trading_frequency_type,
            "end_of_day_minutes_before_close": end_of_day_minutes_before_close, "trading_days": trading_days,
            "ticker_mapping": ticker_mapping, "bypass_market_hours": bypass_market_hours,
            "buying_power_forgiveness_pct": buying_power_forgiveness_pct,
            "email_notifications_enabled": email_notifications_enabled,
            "notification_emails": notification_emails, "notification_events": notification_events,
            "training_mode": training_mode, "holdout_train_size": holdout_train_size,
            "training_start_date": training_start_date, "training_end_date": training_end_date,
            "retraining_schedule": retraining_schedule, "dry_run": dry_run,
            "max_daily_loss_pct": max_daily_loss_pct, "max_drawdown_pct": max_drawdown_pct,
            "loss_action": loss_action, "order_limits": order_limits, "order_execution": order_execution,
            "capital_policy": capital_policy, "capital_policy_value": capital_policy_value,
            "capital_currency": capital_currency, "auto_start": auto_start,
            "contribution_mode": contribution_mode, "confirmation": confirmation})

    def rerun_optimization(self, id, *, idempotency_key=None):
        """Start a new run with the same request and seed. On the same data it finds the same winner.

        POST /api/v1/optimization-runs/:id/rerun. Scope: research.
        Answer: run
        """
        return self._call(
            "POST", "/optimization-runs/%s/rerun" % (_quoted(id),), repeats=True, key=idempotency_key or
            str(uuid.uuid4()))

    def resume_optimization_run(self, id):
        """Resume a paused run from its last generation.

        POST /api/v1/optimization-runs/:id/resume. Scope: research.
        Answer: run
        """
        return self._call("POST", "/optimization-runs/%s/resume" % (_quoted(id),))

    def run_backtest(
            self, *, strategyName=UNSET, saveStrategy=UNSET, saveBacktest=UNSET, backtestName=UNSET,
            strategyType=UNSET, startDate=UNSET, endDate=UNSET, includeFirstReturn=UNSET,
            dataGranularity=UNSET, startValue=UNSET, cashflow=UNSET, cashflowFreq=UNSET, cashflowKind=UNSET,
            adjustInflation=UNSET, investDividends=UNSET, referenceTicker=UNSET, rebalanceFrequency=UNSET,
            rebalanceBandPct=UNSET, tradingCostBps=UNSET, commission=UNSET, halfSpreadBps=UNSET,
            impactFactor=UNSET, fillTiming=UNSET, seed=UNSET, shortBorrowPct=UNSET, stopType=UNSET,
            stopPct=UNSET, maintenanceMargin=UNSET, riskFreeTicker=UNSET, allowMixedPrices=UNSET,
            endedTicker=UNSET, replacementTicker=UNSET, delistingReturnPct=UNSET, dataProvider=UNSET,
            ticker=UNSET, allocation=UNSET, rules=UNSET, external=UNSET, mlModelType=UNSET, trainSize=UNSET,
            testSize=UNSET, walkForwardEnabled=UNSET, wfStepSizePct=UNSET, wfTrainWindowPct=UNSET,
            wfTestWindowPct=UNSET, max_features=UNSET, min_samples_leaf=UNSET, min_samples_split=UNSET,
            n_estimators=UNSET, boosting_rounds=UNSET, max_depth=UNSET, learning_rate=UNSET,
            min_leaf_share=UNSET, find_rounds=UNSET, features=UNSET, target=UNSET, signal1_ticker=UNSET,
            signal1_allocation=UNSET, signal0_ticker=UNSET, signal0_allocation=UNSET,
            referenceBacktestId=UNSET, asOf=UNSET, signals=UNSET, signalsOf=UNSET, retryData=UNSET,
            runId=UNSET, idempotency_key=None):
        """Run a backtest and answer its result. With saveBacktest or saveStrategy the run continues when the
        client disconnects; without, leaving cancels it. A cancelled run answers 409, one that takes over 10
        minutes 503.

        POST /api/v1/backtest. Scope: research.
        saveStrategy: true or false
        saveBacktest: true or false
        strategyType: Asset Allocation, ML, Rules or External signal
        startDate: YYYY-MM-DD
        endDate: YYYY-MM-DD
        includeFirstReturn: true or false
        dataGranularity: daily (default), hourly, 15minute, 5minute or minute
        startValue: Above 0; default 10000
        cashflow: Default 0; negative withdraws
        cashflowFreq: Yearly (default), Monthly or Quarterly
        cashflowKind: dollars (default), percent of the balance, or inflation: dollars of the start that grow
            with consumer prices
        adjustInflation: true or false
        investDividends: true or false
        rebalanceFrequency: none, daily, weekly, monthly, quarterly or yearly (default)
        rebalanceBandPct: Absolute band in percentage points; left out: none
        tradingCostBps: Default 1
        commission: Dollars per trade, default 0
        halfSpreadBps: Half of the bid-ask spread in basis points, beside the trading cost; default 0
        impactFactor: Market impact: this times the volatility of a bar times the root of the order over the
            volume; default 0, usual 1
        fillTiming: next_open (default), next_close or same_close, of decisions by a model or by rules
        seed: Whole number, default 42
        shortBorrowPct: Cost of borrowed shares in percent a year, 0 to 1000; left out: no short positions
        stopType: Closes a position that falls by stopPct: fixed, from its entry price, or trailing, from its
            best price; left out: none
        stopPct: Percent, above 0 and below 100, with stopType
        maintenanceMargin: Of accounts that borrow: us (default, as US brokers ask for), off, or percent of
            every position
        riskFreeTicker: Left out: the 3-month T-bill where it is available
        allowMixedPrices: true or false
        endedTicker: When the prices of a ticker end early: stop (default), cash or replace
        replacementTicker: Held in place of a ticker that ended, with endedTicker replace
        delistingReturnPct: Final value of a ticker that ended, in percent off its last price, with
            endedTicker cash or replace: 0 (default), -100 for a total loss, -30 as is usual for delisted
            shares
        dataProvider: auto (default), yahoo, fred or the id of another provider
        rules: JSON of {version, check, cash, root}
        external: JSON of {allocations, initial, max_weight_pct}
        mlModelType: Random Forest (default), Linear Regression, XGBoost or Extra Trees
        trainSize: Percent, default 70
        testSize: Percent, default 100 - trainSize; both together must be 100
        walkForwardEnabled: true or false
        wfStepSizePct: Left out: automatic
        wfTrainWindowPct: Default 50
        wfTestWindowPct: Default 10
        max_features: sqrt (default), log2, auto, all, a share up to 1, or a number of columns
        min_samples_leaf: Rows, default 3; below 1 a share of the training rows (recommended: 0.05)
        min_samples_split: Default 3
        n_estimators: 1 to 5000, default 3000 (recommended: 500)
        boosting_rounds: 1 to 5000, default 100 (recommended: 200)
        max_depth: 1 to 16, default 6 (recommended: 2)
        learning_rate: Default 0.3 (recommended: 0.05)
        min_leaf_share: Of the training rows, up to 0.5; left out: none (recommended: 0.02)
        find_rounds: Finds the number of rounds, up to boosting_rounds, on purged folds of the training rows
        features: JSON list of {id, name, params}
        target: JSON of {id, params}, or an id
        referenceBacktestId: The id of one of the user's saved backtests; another's answers 404
        asOf: A moment in UTC like 2024-12-31T15:30:00Z, or a date for its end: only what the data store held
            then is used, and no provider is asked. Left out: the data of today
        signals: CSV
        signalsOf: The id of one of the user's saved strategies: the signals that it received are used
        retryData: true or false
        runId: 1 to 100 characters
        Answer: strategy, strategy_name, strategy_type, start_date, end_date, actual_start_date,
            actual_end_date, limiting_ticker, data_provider, data_granularity, data_at, is_as_of, cagr,
            sharpe, target_accuracy, metrics, figure_notes, risk_free, chart_data, account_value_history,
            test_dates, ticker_dates, detailed_results, nominal_value_history, cash_history, exposure_history,
            cashflow_history, growth_history, drawdown_history, rolling_sharpe_history, monthly_returns,
            yearly_returns, trades, analysis, data_sources, revised_values, series_sources, synthetic,
            synthetic_tickers, data_problems, ended_tickers, spliced_tickers, notes, wiped_out, settings,
            seed, fingerprint, reference_backtest_name, reference_cagr, reference_sharpe, reference_metrics,
            reference_account_value_history, reference_growth_history, reference_period, ml_model_type,
            train_size, test_size, ml_params, ml_config, signal1_allocation, signal0_allocation, train_period,
            test_period, features, target, feature_importances, test_predictions, test_probabilities,
            test_feature_values, accuracy_details, honesty, walk_forward_enabled, walk_forward_windows,
            walk_forward_summary, allocation, rules, strategy_id, backtest_id, result_id, result_name
        """
        return self._call(
            "POST", "/backtest", form={"strategyName": strategyName, "saveStrategy": saveStrategy,
            "saveBacktest": saveBacktest, "backtestName": backtestName, "strategyType": strategyType,
            "startDate": startDate, "endDate": endDate, "includeFirstReturn": includeFirstReturn,
            "dataGranularity": dataGranularity, "startValue": startValue, "cashflow": cashflow,
            "cashflowFreq": cashflowFreq, "cashflowKind": cashflowKind, "adjustInflation": adjustInflation,
            "investDividends": investDividends, "referenceTicker": referenceTicker,
            "rebalanceFrequency": rebalanceFrequency, "rebalanceBandPct": rebalanceBandPct,
            "tradingCostBps": tradingCostBps, "commission": commission, "halfSpreadBps": halfSpreadBps,
            "impactFactor": impactFactor, "fillTiming": fillTiming, "seed": seed,
            "shortBorrowPct": shortBorrowPct, "stopType": stopType, "stopPct": stopPct,
            "maintenanceMargin": maintenanceMargin, "riskFreeTicker": riskFreeTicker,
            "allowMixedPrices": allowMixedPrices, "endedTicker": endedTicker,
            "replacementTicker": replacementTicker, "delistingReturnPct": delistingReturnPct,
            "dataProvider": dataProvider, "ticker[]": ticker, "allocation[]": allocation, "rules": rules,
            "external": external, "mlModelType": mlModelType, "trainSize": trainSize, "testSize": testSize,
            "walkForwardEnabled": walkForwardEnabled, "wfStepSizePct": wfStepSizePct,
            "wfTrainWindowPct": wfTrainWindowPct, "wfTestWindowPct": wfTestWindowPct,
            "max_features": max_features, "min_samples_leaf": min_samples_leaf,
            "min_samples_split": min_samples_split, "n_estimators": n_estimators,
            "boosting_rounds": boosting_rounds, "max_depth": max_depth, "learning_rate": learning_rate,
            "min_leaf_share": min_leaf_share, "find_rounds": find_rounds, "features": features,
            "target": target, "signal1_ticker[]": signal1_ticker, "signal1_allocation[]": signal1_allocation,
            "signal0_ticker[]": signal0_ticker, "signal0_allocation[]": signal0_allocation,
            "referenceBacktestId": referenceBacktestId, "asOf": asOf, "signals": signals,
            "signalsOf": signalsOf, "retryData": retryData, "runId": runId}, repeats=True, key=idempotency_key
            or str(uuid.uuid4()))

    def run_collection_job(self, id, *, idempotency_key=None):
        """Run a job and answer when the run has ended. It continues when the client disconnects.

        POST /api/v1/data-collector/jobs/:id/run. Scope: research.
        Answer: records_fetched, records_stored, message, run_id
        """
        return self._call(
            "POST", "/data-collector/jobs/%s/run" % (_quoted(id),), repeats=True, key=idempotency_key or
            str(uuid.uuid4()))

    def run_optimization(
            self, *, target_asset=UNSET, related_assets=UNSET, feature_types=UNSET, feature_configs=UNSET,
            target_id=UNSET, start_date=UNSET, end_date=UNSET, data_granularity=UNSET, population_size=UNSET,
            generations=UNSET, mutation_rate=UNSET, max_features=UNSET, evaluation_metric=UNSET,
            ml_model=UNSET, train_size=UNSET, test_size=UNSET, signal1_allocations=UNSET,
            signal0_allocations=UNSET, n_estimators=UNSET, min_samples_leaf=UNSET, min_samples_split=UNSET,
            max_features_rf=UNSET, boosting_rounds=UNSET, max_depth=UNSET, learning_rate=UNSET,
            min_leaf_share=UNSET, find_rounds=UNSET, early_stopping=UNSET, es_patience=UNSET,
            es_min_improvement=UNSET, seed_features=UNSET, walk_forward_enabled=UNSET,
            wf_train_window_pct=UNSET, wf_test_window_pct=UNSET, wf_step_size_pct=UNSET,
            wf_fitness_mode=UNSET, variance_penalty=UNSET, variance_exponent=UNSET, targets=UNSET,
            target_list_ids=UNSET, feature_list_ids=UNSET, window_sizes=UNSET, hold_out_pct=UNSET, seed=UNSET,
            nested_walk_forward=UNSET, nested_windows=UNSET, data_provider=UNSET, allow_mixed_prices=UNSET,
            ended_ticker=UNSET, replacement_ticker=UNSET, delisting_return_pct=UNSET, client_run_id=UNSET,
            wait=UNSET, idempotency_key=None):
        """Start a run and answer its results when it ends. The run continues when the client disconnects. A
        run that was cancelled answers 409 (optimizer.cancelled), one that failed answers its error; a paused
        run keeps the call waiting.

        POST /api/v1/feature-optimization. Scope: research.
        Answer: run_id, results
        """
        return self._call(
            "POST", "/feature-optimization", body={"target_asset": target_asset,
            "related_assets": related_assets, "feature_types": feature_types,
            "feature_configs": feature_configs, "target_id": target_id, "start_date": start_date,
            "end_date": end_date, "data_granularity": data_granularity, "population_size": population_size,
            "generations": generations, "mutation_rate": mutation_rate, "max_features": max_features,
            "evaluation_metric": evaluation_metric, "ml_model": ml_model, "train_size": train_size,
            "test_size": test_size, "signal1_allocations": signal1_allocations,
            "signal0_allocations": signal0_allocations, "n_estimators": n_estimators,
            "min_samples_leaf": min_samples_leaf, "min_samples_split": min_samples_split,
            "max_features_rf": max_features_rf, "boosting_rounds": boosting_rounds, "max_depth": max_depth,
            "learning_rate": learning_rate, "min_leaf_share": min_leaf_share, "find_rounds": find_rounds,
            "early_stopping": early_stopping, "es_patience": es_patience,
            "es_min_improvement": es_min_improvement, "seed_features": seed_features,
            "walk_forward_enabled": walk_forward_enabled, "wf_train_window_pct": wf_train_window_pct,
            "wf_test_window_pct": wf_test_window_pct, "wf_step_size_pct": wf_step_size_pct,
            "wf_fitness_mode": wf_fitness_mode, "variance_penalty": variance_penalty,
            "variance_exponent": variance_exponent, "targets": targets, "target_list_ids": target_list_ids,
            "feature_list_ids": feature_list_ids, "window_sizes": window_sizes, "hold_out_pct": hold_out_pct,
            "seed": seed, "nested_walk_forward": nested_walk_forward, "nested_windows": nested_windows,
            "data_provider": data_provider, "allow_mixed_prices": allow_mixed_prices,
            "ended_ticker": ended_ticker, "replacement_ticker": replacement_ticker,
            "delisting_return_pct": delisting_return_pct, "client_run_id": client_run_id, "wait": wait},
            repeats=True, key=idempotency_key or str(uuid.uuid4()))

    def save_backtest(self, id, *, name, save_strategy=UNSET, save_backtest=UNSET):
        """Save the strategy of a finished run, the run itself as a backtest, or both, as the boxes of the
        form would have. A strategy of the same name and type is updated.

        POST /api/v1/backtests/:id/save. Scope: research.
        Answer: id, name, strategy_name, strategy_id, created_at, saved
        """
        return self._call(
            "POST", "/backtests/%s/save" % (_quoted(id),), body={"name": name, "save_strategy": save_strategy,
            "save_backtest": save_backtest})

    def save_query(
            self, *, name, description=UNSET, tickers=UNSET, categories=UNSET, providers=UNSET,
            start_date=UNSET, end_date=UNSET):
        """Save a set of filters.

        POST /api/v1/data-collector/saved-queries. Scope: research.
        Answer: query
        """
        return self._call(
            "POST", "/data-collector/saved-queries", body={"name": name, "description": description,
            "tickers": tickers, "categories": categories, "providers": providers, "start_date": start_date,
            "end_date": end_date})

    def search_tickers(self, *, q=UNSET, limit=UNSET):
        """Tickers whose symbol or name has the text, best first: stored series, the built-in catalogue,
        companies of the SEC. Without text, what is stored and the most common tickers.

        GET /api/v1/tickers/search. Scope: read.
        Answer: tickers
        """
        return self._call("GET", "/tickers/search", query={"q": q, "limit": limit}, repeats=True)

    def set_safety(
            self, id, *, dry_run=UNSET, max_daily_loss_pct=UNSET, max_drawdown_pct=UNSET, loss_action=UNSET,
            confirmation=UNSET):
        """Dry run and loss limits, also while it runs. What is left out stays. Ending the dry run of a
        running deployment with real money answers 400 without the confirmation.

        PUT /api/v1/deployment/:id/safety. Scope: trade-paper, or trade-live for real money.
        Answer: deployment
        """
        return self._call(
            "PUT", "/deployment/%s/safety" % (_quoted(id),), body={"dry_run": dry_run,
            "max_daily_loss_pct": max_daily_loss_pct, "max_drawdown_pct": max_drawdown_pct,
            "loss_action": loss_action, "confirmation": confirmation})

    def start_construction(
            self, *, backtest, methods, covariance=UNSET, window_months=UNSET, rebalance=UNSET, min_pct=UNSET,
            max_pct=UNSET, bounds=UNSET, groups=UNSET, turnover_pct=UNSET, views=UNSET, idempotency_key=None):
        """Find weights by several methods, again at each rebalance from what was known then, and trade them
        with costs beside equal weights and your own. It continues when the client disconnects; read it again
        until it has ended.

        POST /api/v1/portfolio-constructions. Scope: research.
        backtest: The fields of POST /api/backtest, of a strategy of type Asset Allocation: tickers, period
            and costs; percentages, your own weights, may be left out
        window_months: Of daily returns before each rebalance, from which risks and returns are estimated
        min_pct: Of every ticker that has no bound of its own
        turnover_pct: Largest part of the account that a rebalance may exchange; left out: no limit
        views: Of Black-Litterman
        Answer: construction
        """
        return self._call(
            "POST", "/portfolio-constructions", body={"backtest": backtest, "methods": methods,
            "covariance": covariance, "window_months": window_months, "rebalance": rebalance,
            "min_pct": min_pct, "max_pct": max_pct, "bounds": bounds, "groups": groups,
            "turnover_pct": turnover_pct, "views": views}, repeats=True, key=idempotency_key or
            str(uuid.uuid4()))

    def start_study(
            self, *, backtest, numbers, method=UNSET, count=UNSET, seed=UNSET, hold_out_pct=UNSET,
            measure=UNSET, idempotency_key=None):
        """Start a study: the backtest of a rule strategy with other numbers, up to 10,000 times. It continues
        when the client leaves; read it again until it has ended.

        POST /api/v1/parameter-studies. Scope: research.
        backtest: The fields of POST /api/backtest, of a strategy of type Rules; nothing is saved as a
            backtest
        method: Every combination of the values, or a random sample
        count: Variants of a random search
        seed: Of a random search
        hold_out_pct: The last part of the period, which the choice of the best variant never sees
        measure: What the best variant is chosen by
        Answer: study
        """
        return self._call(
            "POST", "/parameter-studies", body={"backtest": backtest, "numbers": numbers, "method": method,
            "count": count, "seed": seed, "hold_out_pct": hold_out_pct, "measure": measure}, repeats=True,
            key=idempotency_key or str(uuid.uuid4()))

    def update_collection_job(
            self, id, *, name=UNSET, job_kind=UNSET, provider_id=UNSET, data_store_id=UNSET, tickers=UNSET,
            data_granularity=UNSET, categories=UNSET, start_date=UNSET, end_date=UNSET,
            dynamic_date_mode=UNSET, dynamic_start_offset_days=UNSET, dynamic_end_offset_days=UNSET,
            is_scheduled=UNSET, schedule_cron=UNSET, schedule_start_time=UNSET, schedule_end_time=UNSET,
            schedule_timezone=UNSET, schedule_start_date=UNSET, schedule_end_date=UNSET, schedule_days=UNSET,
            schedule_market_hours_only=UNSET, schedule_active=UNSET, additional_params=UNSET,
            transform_config=UNSET, depends_on_job_ids=UNSET):
        """Change a collection job.

        PUT /api/v1/data-collector/jobs/:id. Scope: research.
        Answer: job
        """
        return self._call(
            "PUT", "/data-collector/jobs/%s" % (_quoted(id),), body={"name": name, "job_kind": job_kind,
            "provider_id": provider_id, "data_store_id": data_store_id, "tickers": tickers,
            "data_granularity": data_granularity, "categories": categories, "start_date": start_date,
            "end_date": end_date, "dynamic_date_mode": dynamic_date_mode,
            "dynamic_start_offset_days": dynamic_start_offset_days,
            "dynamic_end_offset_days": dynamic_end_offset_days, "is_scheduled": is_scheduled,
            "schedule_cron": schedule_cron, "schedule_start_time": schedule_start_time,
            "schedule_end_time": schedule_end_time, "schedule_timezone": schedule_timezone,
            "schedule_start_date": schedule_start_date, "schedule_end_date": schedule_end_date,
            "schedule_days": schedule_days, "schedule_market_hours_only": schedule_market_hours_only,
            "schedule_active": schedule_active, "additional_params": additional_params,
            "transform_config": transform_config, "depends_on_job_ids": depends_on_job_ids})

    def update_deployment(
            self, id, *, deployment_name=UNSET, strategy_id=UNSET, alpaca_account_id=UNSET,
            rebalance_threshold=UNSET, rebalance_frequency=UNSET, check_frequency_minutes=UNSET,
            trading_frequency_type=UNSET, end_of_day_minutes_before_close=UNSET, trading_days=UNSET,
            ticker_mapping=UNSET, bypass_market_hours=UNSET, buying_power_forgiveness_pct=UNSET,
            email_notifications_enabled=UNSET, notification_emails=UNSET, notification_events=UNSET,
            training_mode=UNSET, holdout_train_size=UNSET, training_start_date=UNSET, training_end_date=UNSET,
            retraining_schedule=UNSET, dry_run=UNSET, max_daily_loss_pct=UNSET, max_drawdown_pct=UNSET,
            loss_action=UNSET, order_limits=UNSET, order_execution=UNSET):
        """Change everything but the capital. Refused while it runs.

        PUT /api/v1/deployment/:id/update. Scope: trade-paper, or trade-live for real money.
        Answer: deployment, error
        """
        return self._call(
            "PUT", "/deployment/%s/update" % (_quoted(id),), body={"deployment_name": deployment_name,
            "strategy_id": strategy_id, "alpaca_account_id": alpaca_account_id,
            "rebalance_threshold": rebalance_threshold, "rebalance_frequency": rebalance_frequency,
            "check_frequency_minutes": check_frequency_minutes,
            "trading_frequency_type": trading_frequency_type,
            "end_of_day_minutes_before_close": end_of_day_minutes_before_close, "trading_days": trading_days,
            "ticker_mapping": ticker_mapping, "bypass_market_hours": bypass_market_hours,
            "buying_power_forgiveness_pct": buying_power_forgiveness_pct,
            "email_notifications_enabled": email_notifications_enabled,
            "notification_emails": notification_emails, "notification_events": notification_events,
            "training_mode": training_mode, "holdout_train_size": holdout_train_size,
            "training_start_date": training_start_date, "training_end_date": training_end_date,
            "retraining_schedule": retraining_schedule, "dry_run": dry_run,
            "max_daily_loss_pct": max_daily_loss_pct, "max_drawdown_pct": max_drawdown_pct,
            "loss_action": loss_action, "order_limits": order_limits, "order_execution": order_execution})

    def update_strategy(self, id, *, name=UNSET, description=UNSET, strategy_type=UNSET, config=UNSET):
        """Change a strategy. What is left out stays; config is replaced as a whole. A name in use answers
        409.

        PUT /api/v1/strategies/:id. Scope: research.
        Answer: id, name, description, strategy_type, created_at, updated_at, config
        """
        return self._call(
            "PUT", "/strategies/%s" % (_quoted(id),), body={"name": name, "description": description,
            "strategy_type": strategy_type, "config": config})

    def update_ticker_list(self, id, *, name, list_type, tickers=UNSET):
        """Replace a list.

        PUT /api/v1/ticker-lists/:id. Scope: research.
        Answer: list
        """
        return self._call(
            "PUT", "/ticker-lists/%s" % (_quoted(id),), body={"name": name, "list_type": list_type,
            "tickers": tickers})

    def validate_asset(self, *, ticker, leverage=UNSET, account_id=UNSET, signal_ticker=UNSET):
        """Whether a ticker can be traded in an account with this leverage. With signal_ticker, another symbol
        than the signal’s is taken to realise the leverage itself.

        POST /api/v1/asset/validate. Scope: read.
        Answer: validation
        """
        return self._call(
            "POST", "/asset/validate", body={"ticker": ticker, "leverage": leverage, "account_id": account_id,
            "signal_ticker": signal_ticker}, repeats=True)

    def validate_mapping(self, *, ticker_mapping, account_id=UNSET):
        """The same for a whole ticker mapping. CASHX is never validated.

        POST /api/v1/asset/validate-mapping. Scope: read.
        Answer: validation
        """
        return self._call(
            "POST", "/asset/validate-mapping", body={"ticker_mapping": ticker_mapping,
            "account_id": account_id}, repeats=True)

    def verify_passport(self, file):
        """Run a passport again, on its rows or, where it has none, on the data of this instance, and compare
        every value to the last bit. Nothing is kept.

        POST /api/v1/passports/verify. Scope: research.
        Answer: identical, verdict, differences, data_differences, notes
        """
        return self._call("POST", "/passports/verify", form={**{}, "file": _file(file)}, repeats=True)

    def verify_record_file(self, file):
        """Recompute the chain of a record: whole, or the first entry that does not fit. Nothing is kept.

        POST /api/v1/records/verify. Scope: research.
        Answer: is_whole, entries, head, first_bad, verdict, proves
        """
        return self._call("POST", "/records/verify", form={**{}, "file": _file(file)}, repeats=True)


_FORM_FIELDS = [
    "strategyName",
    "saveStrategy",
    "saveBacktest",
    "backtestName",
    "strategyType",
    "startDate",
    "endDate",
    "includeFirstReturn",
    "dataGranularity",
    "startValue",
    "cashflow",
    "cashflowFreq",
    "cashflowKind",
    "adjustInflation",
    "investDividends",
    "referenceTicker",
    "rebalanceFrequency",
    "rebalanceBandPct",
    "tradingCostBps",
    "commission",
    "halfSpreadBps",
    "impactFactor",
    "fillTiming",
    "seed",
    "shortBorrowPct",
    "stopType",
    "stopPct",
    "maintenanceMargin",
    "riskFreeTicker",
    "allowMixedPrices",
    "endedTicker",
    "replacementTicker",
    "delistingReturnPct",
    "dataProvider",
    "ticker[]",
    "allocation[]",
    "rules",
    "external",
    "mlModelType",
    "trainSize",
    "testSize",
    "walkForwardEnabled",
    "wfStepSizePct",
    "wfTrainWindowPct",
    "wfTestWindowPct",
    "max_features",
    "min_samples_leaf",
    "min_samples_split",
    "n_estimators",
    "boosting_rounds",
    "max_depth",
    "learning_rate",
    "min_leaf_share",
    "find_rounds",
    "features",
    "target",
    "signal1_ticker[]",
    "signal1_allocation[]",
    "signal0_ticker[]",
    "signal0_allocation[]",
    "referenceBacktestId",
    "asOf",
    "signals",
    "signalsOf",
    "retryData",
    "runId"
]
_RENAMED = {
    "name": "strategyName",
    "type": "strategyType",
    "strategy_type": "strategyType",
    "allocation": "allocations",
    "selectedFeatures": "features",
    "selectedTarget": "target",
    "ml_model": "mlModelType",
    "signal1_allocation": "signal1Allocations",
    "signal0_allocation": "signal0Allocations"
}
_ALLOCATIONS = {
    "allocations": [
        "ticker[]",
        "allocation[]"
    ],
    "signal1Allocations": [
        "signal1_ticker[]",
        "signal1_allocation[]"
    ],
    "signal0Allocations": [
        "signal0_ticker[]",
        "signal0_allocation[]"
    ]
}
_LEFT_OUT = [
    "id",
    "name",
    "type",
    "description",
    "strategyName",
    "strategyType",
    "created_at",
    "updated_at",
    "target_asset",
    "related_assets",
    "optimization_results",
    "targetParams"
]


def _settings(value):
    if not isinstance(value, dict):
        raise ValueError("A strategy is a dict.")
    for inner in ("optimized_strategy", "results"):
        if isinstance(value.get(inner), dict):
            return _settings(value[inner])
    if isinstance(value.get("strategy_config"), dict):
        named = {"name": value.get("strategy_name"), "type": value.get("strategy_type")}
        return _settings({**value["strategy_config"], **named})
    if isinstance(value.get("root"), dict) and "version" in value:
        return {"strategyType": "Rules", "rules": value}
    rest = dict(value)
    config, parameters = rest.pop("config", None), rest.pop("ml_parameters", None)
    target_id, target_config = rest.pop("target_id", None), rest.pop("target_config", None)
    target = {} if target_id is None else {"target": {"id": target_id, "params": target_config or {}}}
    settings = {**(config or {}), **(parameters or {}), **target, **rest}
    settings = {_RENAMED.get(name) or _form_name(name): setting for name, setting in settings.items()}
    return _with_sizes(_with_params(settings))


def _with_params(settings):
    """A target whose parameters stand beside it."""
    target, beside = settings.get("target"), settings.get("targetParams")
    if target is None or beside is None:
        return settings
    target = target if isinstance(target, dict) else {"id": target}
    return {**settings, "target": {**target, "params": {**beside, **(target.get("params") or {})}}}


def _with_sizes(settings):
    """Train and test size in percent; some writers give fractions, or one of the two."""
    sizes = {name: float(settings[name]) for name in ("trainSize", "testSize") if settings.get(name) is not None}
    total = sum(sizes.values())
    if not sizes:
        return settings
    if abs(total - 1) <= 1e-6 if len(sizes) == 2 else 0 < total < 1:
        sizes = {name: round(size * 100, 6) for name, size in sizes.items()}
    train = sizes.get("trainSize", 100 - sizes.get("testSize", 0))
    sizes = {"trainSize": train, "testSize": sizes.get("testSize", round(100 - train, 6))}
    return {**settings, **{name: int(size) if size == int(size) else size for name, size in sizes.items()}}


def _form_name(name):
    if name in _FORM_FIELDS:
        return name
    camel = re.sub(r"_([a-z0-9])", lambda found: found.group(1).upper(), name)
    return camel if camel in _FORM_FIELDS or camel in _ALLOCATIONS else name


def _form(strategy, changes):
    """A strategy as the form of POST /api/v1/backtest takes it, by the same rules as `tradewright backtest`."""
    form = {}
    for name, value in {**_settings(strategy), **_settings(changes)}.items():
        if value is None or value is UNSET:
            continue
        if name in _ALLOCATIONS:
            tickers, percentages = _ALLOCATIONS[name]
            rows = value.items() if isinstance(value, dict) else [(row["ticker"], row["allocation"]) for row in value]
            form[tickers], form[percentages] = [], []
            for ticker, percent in rows:
                form[tickers].append(ticker)
                form[percentages].append(_text(percent))
        elif name in _FORM_FIELDS:
            form[name] = [_text(one) for one in value] if name.endswith("[]") else _text(value)
        elif name not in _LEFT_OUT:
            raise ValueError('A backtest has no setting "%s".' % name)
    if "strategyType" not in form:
        kinds = {"external": "External signal", "rules": "Rules", "target": "ML", "features": "ML"}
        form["strategyType"] = next((kinds[name] for name in kinds if name in form), "Asset Allocation")
    return form


_BAR_COLUMNS = {"value": "account_value_history", "cash": "cash_history", "exposure": "exposure_history",
                "cashflow": "cashflow_history", "growth": "growth_history", "drawdown": "drawdown_history"}


class Backtest:
    """A result. `raw` is the whole answer of the server."""

    def __init__(self, client, raw):
        self._client, self.raw = client, raw
        self.id, self.name, self.notes = raw["result_id"], raw["result_name"], raw["notes"]
        #: Every figure by its name; None where there is none, and `reasons` says why.
        self.figures, self.reasons = raw["metrics"], raw["figure_notes"]
        #: The prices of a traded ticker are made up by the sample market.
        self.synthetic = raw["synthetic"]

    def __repr__(self):
        mark = " on synthetic data" if self.synthetic else ""
        return "<Backtest %s %r%s: CAGR %s, Sharpe %s>" % (
            self.id, self.name, mark, self.figures["cagr"], self.figures["sharpe"])

    @property
    def equity(self):
        """The account at every bar: a data frame by date, or a list of dicts."""
        columns = {name: self.raw[key] for name, key in _BAR_COLUMNS.items()}
        rows = [{"date": date, **{name: values[at] for name, values in columns.items()}}
                for at, date in enumerate(self.raw["test_dates"])]
        return self._client._frame(rows, "date")

    @property
    def trades(self):
        """Every fill: a data frame by date, or a list of dicts."""
        return self._client._frame(self.raw["trades"], "date")

    @property
    def monthly_returns(self):
        """Year, month and return: a data frame, or a list of dicts."""
        return self._client._frame(self.raw["monthly_returns"])

    def passport(self, rows=False):
        """The passport with which another instance can verify this result."""
        return self._client.get_passport(self.id, rows="true" if rows else "false")


class Client(_Calls):
    """A server and a key; made by `connect`."""

    def backtest(self, strategy=None, *, save=None, idempotency_key=None, **settings):
        """Run a backtest and give its result as a Backtest.

        strategy: a dict, or the path of a JSON file: a strategy or saved backtest of the server, the result of an
        optimizer run, a tree of rules, or settings of the form. settings go before it: start_date, end_date,
        allocations={"SPY": 60}, data_provider, rebalance_frequency, trading_cost_bps and all others of the form.
        save: a name under which strategy and backtest are saved. Scope: research.
        """
        if isinstance(strategy, (str, os.PathLike)):
            with open(strategy, encoding="utf-8") as file:
                strategy = json.load(file)
        saving = {} if save is None else {"strategyName": save, "saveStrategy": True, "saveBacktest": True}
        form = _form(strategy or {}, {**settings, **saving})
        key = idempotency_key or str(uuid.uuid4())
        return Backtest(self, self._call("POST", "/backtest", form=form, repeats=True, key=key))

    def optimize(self, request=None, *, on_progress=None, poll_seconds=2, **fields):
        """Start an optimizer run, wait for its end, and give the run with its results.

        request: a dict with the fields of `run_optimization`; fields go before it. on_progress is called with each
        state of the run. Give run["results"] to `backtest` to test the winner. Scopes: research, read.
        """
        body = {**(request or {}), **fields, "wait": False}
        run_id = self.run_optimization(**body)["run_id"]
        while True:
            run = self.get_optimization_run(run_id)
            if run["status"] not in ("running", "cancel_requested"):
                break
            if on_progress is not None:
                on_progress(run)
            time.sleep(poll_seconds)
        if run["status"] != "completed":
            raise RunFailed(run["error_message"] or "The run was cancelled.", code=run["error_code"], answer=run)
        return run

    def data(self, *tickers, start=None, end=None, granularity=None):
        """Stored series, a row per ticker and time: a data frame by timestamp, or a list of dicts. Scope: read."""
        available = self.get_available_data()
        span = available["date_range"]
        first, last = (datetime.date.fromisoformat(_text(given or stored or "1970-01-01"))
                       for given, stored in ((start, span["min"]), (end, span["max"])))
        selection = {"categories": available["categories"]}
        if granularity is not None:
            selection["data_granularity"] = granularity
        rows = [row for ticker in tickers for row in self._rows({**selection, "tickers": [ticker]}, first, last)]
        return self._frame(rows, "timestamp")

    def _rows(self, selection, first, last):
        """One answer has at most 50,000 rows: a range that has more is read in halves."""
        try:
            return self.browse_with_transforms(start_date=str(first), end_date=str(last), **selection)["data"]
        except TradewrightError as error:
            if error.code == "transform.no-data":
                return []
            if error.code != "transform.invalid" or first >= last or not selection["categories"]:
                raise
        middle = first + (last - first) // 2
        later = self._rows(selection, middle + datetime.timedelta(days=1), last)
        return self._rows(selection, first, middle) + later


def connect(url=None, key=None, *, timeout=660, retries=4, use_pandas=None):
    """A Client. Without url and key, TRADEWRIGHT_URL and TRADEWRIGHT_KEY, else what `tradewright login` stored.

    timeout: seconds that a call may take. retries: attempts of calls that can be repeated without doing anything
    twice. use_pandas: False gives lists of dicts although pandas is installed.
    """
    stored = {}
    if url is None and key is None and not os.environ.get("TRADEWRIGHT_KEY"):
        folder = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
        try:
            with open(os.path.join(folder, "tradewright", "credentials.json"), encoding="utf-8") as file:
                stored = json.load(file)
        except OSError:
            pass
    url = url or os.environ.get("TRADEWRIGHT_URL") or stored.get("url")
    key = key or os.environ.get("TRADEWRIGHT_KEY") or stored.get("key")
    if not url or not key:
        raise NotSignedIn("Give url and key, set TRADEWRIGHT_URL and TRADEWRIGHT_KEY, or run: tradewright login")
    # A stored key is for the server that it was stored with.
    if stored.get("key") == key and stored["url"].rstrip("/") != url.rstrip("/"):
        raise NotSignedIn("The stored key is for %s." % stored["url"])
    return Client(url, key, timeout=timeout, retries=retries, use_pandas=use_pandas)
