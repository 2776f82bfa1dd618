"""Against a real server: TRADEWRIGHT_URL and TRADEWRIGHT_KEY, a key with read and research.

scripts/python-client/python-client.test.ts runs it, once as if pandas were not installed (WITHOUT_PANDAS=1).
"""

import http.server
import json
import os
import socket
import sys
import tempfile
import threading
import unittest

if os.environ.get("WITHOUT_PANDAS"):
    sys.modules["pandas"] = None

import tradewright

PERIOD = {"start_date": "2020-01-02", "end_date": "2020-12-30", "data_provider": "sample"}
WEIGHTS = {"SPY": 60, "AGG": 40}


class RealServer(unittest.TestCase):
    def setUp(self):
        self.tw = tradewright.connect()

    def test_backtest(self):
        run = self.tw.backtest(name="From Python", allocations=WEIGHTS, **PERIOD)
        self.assertIsInstance(run.figures["sharpe"], float)
        self.assertTrue(run.synthetic)
        self.assertEqual(len(run.equity), len(run.raw["test_dates"]))
        last = run.raw["account_value_history"][-1]
        if tradewright.pandas is None:
            self.assertEqual(run.equity[-1]["value"], last)
            self.assertEqual(run.trades[0]["side"], "buy")
        else:
            self.assertEqual(run.equity["value"].iloc[-1], last)
            self.assertEqual(str(run.equity.index[0].date()), run.raw["actual_start_date"])
            self.assertEqual(list(run.trades["side"])[0], "buy")
        self.assertIsInstance(tradewright.connect(use_pandas=False).backtest({
            "allocations": WEIGHTS, **PERIOD}).equity, list)

    def test_saved_strategy_is_run_again_with_the_same_figures(self):
        run = self.tw.backtest(allocations=WEIGHTS, save="Kept by Python", **PERIOD)
        saved = self.tw.get_strategy(run.raw["strategy_id"])
        self.assertEqual(self.tw.backtest(saved).figures, run.figures)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "strategy.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(self.tw.get_backtest(run.id), file)
            self.assertEqual(self.tw.backtest(path, start_value=5000).raw["settings"]["start_value"], 5000)

    def test_the_same_key_does_nothing_twice(self):
        key = "python-%s" % os.getpid() + ("-plain" if tradewright.pandas is None else "")
        first = self.tw.create_strategy(name=key, strategy_type="Rules", idempotency_key=key)
        self.assertEqual(self.tw.create_strategy(name=key, strategy_type="Rules", idempotency_key=key), first)
        with self.assertRaises(tradewright.Conflict) as caught:
            self.tw.create_strategy(name="other", strategy_type="Rules", idempotency_key=key)
        self.assertEqual(caught.exception.code, "idempotency.other")

    def test_errors_are_typed(self):
        with self.assertRaises(tradewright.NotFound):
            self.tw.get_strategy(999999)
        with self.assertRaises(tradewright.InvalidRequest) as caught:
            self.tw.backtest(allocations=WEIGHTS, start_date="soon", end_date="2020-12-30")
        self.assertEqual(caught.exception.status, 400)
        with self.assertRaises(tradewright.Forbidden) as caught:
            self.tw.control_deployment(1, action="stop")
        self.assertEqual(caught.exception.code, "api-key.scope")
        with self.assertRaises(tradewright.NotSignedIn):
            tradewright.connect(self.tw.url, "tw_" + "a" * 43).list_strategies()
        with self.assertRaises(ValueError):
            self.tw.backtest(allocations=WEIGHTS, stratDate="2020-01-01")
        with self.assertRaises(tradewright.ServerAway):
            tradewright.connect("http://127.0.0.1:9", "tw_" + "a" * 43).list_strategies()

    def test_data_goes_in_and_comes_out_page_by_page(self):
        rows = "".join("2020-01-%02d,%d.5\n" % (day, day) for day in range(6, 11))
        self.tw.import_csv(("date,close\n" + rows).encode(), ticker="PYFUND")
        records = list(self.tw.iter_browse_data(tickers=["PYFUND"], sort_order="asc", per_page=2))
        self.assertEqual([record["value"] for record in records], [6.5, 7.5, 8.5, 9.5, 10.5])
        data = self.tw.data("PYFUND", start="2020-01-08")
        self.assertEqual([row["close"] for row in data] if tradewright.pandas is None else list(data["close"]), [8.5, 9.5, 10.5])

    def test_passport(self):
        passport = self.tw.backtest(allocations=WEIGHTS, **PERIOD).passport(rows=True)
        self.assertTrue(self.tw.verify_passport(json.dumps(passport).encode())["identical"])

    def test_events(self):
        seen = []

        def listen():
            for event in self.tw.events():
                seen.append(event)
                if event["state"] == "completed":
                    return

        listener = threading.Thread(target=listen, daemon=True)
        listener.start()
        while listener.is_alive():
            self.tw.backtest(allocations=WEIGHTS, **PERIOD)
            listener.join(0.5)
        self.assertEqual(seen[-1]["kind"], "backtest")


class Answers(http.server.BaseHTTPRequestHandler):
    """Answers from a list, and keeps what it was asked."""

    planned, asked = [], []

    def do_POST(self):
        self.rfile.read(int(self.headers.get("content-length") or 0))
        self.asked.append(dict(self.headers))
        status, headers, body = self.planned.pop(0)
        if status == 0:
            self.close_connection = True
            return
        content = json.dumps(body).encode()
        self.send_response(status)
        for name, value in {**headers, "content-length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST

    def log_message(self, *args):
        pass


class UnreliableServer(unittest.TestCase):
    def setUp(self):
        self.server = http.server.HTTPServer(("127.0.0.1", 0), Answers)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.tw = tradewright.connect("http://127.0.0.1:%d" % self.server.server_port, "tw_" + "a" * 43)
        Answers.asked.clear()

    def plan(self, *answers):
        Answers.planned[:] = answers

    def test_what_can_be_repeated_is_repeated_under_the_same_key(self):
        away = {"error": "Away.", "code": "database.away"}
        self.plan((503, {}, away), (0, {}, None), (200, {}, {"id": 1}))
        self.assertEqual(self.tw.create_strategy(name="x", strategy_type="ML"), {"id": 1})
        keys = {asked["idempotency-key"] for asked in ({k.lower(): v for k, v in one.items()} for one in Answers.asked)}
        self.assertEqual((len(Answers.asked), len(keys)), (3, 1))

    def test_what_would_be_done_twice_is_not_repeated(self):
        self.plan((503, {}, {"error": "Away.", "code": "database.away"}))
        with self.assertRaises(tradewright.ServerAway):
            self.tw.control_deployment(1, action="start")
        self.assertEqual(len(Answers.asked), 1)

    def test_waits_as_long_as_it_is_told(self):
        self.plan((429, {"retry-after": "0"}, {"error": "Slow down.", "code": "api-key.rate"}), (200, {}, {"strategies": []}))
        self.assertEqual(self.tw.list_strategies(), {"strategies": []})

    def test_does_not_follow_a_redirect_with_the_key(self):
        self.plan((302, {"location": "http://127.0.0.1:9/"}, {}))
        with self.assertRaises(tradewright.TradewrightError) as caught:
            self.tw.list_strategies()
        self.assertEqual(caught.exception.code, "client.not-tradewright")

    def test_an_error_cannot_steer_the_terminal(self):
        self.plan((400, {}, {"error": "No\x1b[2J\u202e" + "x" * 9999, "code": "x"}))
        with self.assertRaises(tradewright.InvalidRequest) as caught:
            self.tw.list_strategies()
        self.assertTrue(str(caught.exception).startswith("No [2J x"))
        self.assertLess(len(str(caught.exception)), 2001)


class EndlessServer(unittest.TestCase):
    """A server that sends without end: the client gives it up and keeps its memory."""

    def setUp(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self.pour, daemon=True).start()
        self.addCleanup(self.listener.close)
        self.tw = tradewright.connect("http://127.0.0.1:%d" % self.listener.getsockname()[1], "tw_" + "a" * 43)
        limits = {"_MAX_ANSWER": 1 << 20, "_MAX_LINE": 1 << 16}
        for name, value in limits.items():
            self.addCleanup(setattr, tradewright, name, getattr(tradewright, name))
            setattr(tradewright, name, value)

    def pour(self):
        while True:
            try:
                connection, _ = self.listener.accept()
                with connection:
                    connection.recv(65536)
                    connection.sendall(b"HTTP/1.1 %s Oh\r\nconnection: close\r\n\r\n" % self.status)
                    while True:
                        connection.sendall(b"x" * 65536)
            except OSError:
                if self.listener.fileno() < 0:
                    return

    def test_answers_errors_and_events_have_an_end(self):
        self.status = b"200"
        for call in (self.tw.list_strategies, lambda: next(self.tw.events())):
            with self.assertRaises(tradewright.TradewrightError) as caught:
                call()
            self.assertEqual(caught.exception.code, "client.too-long")
        self.status = b"400"
        with self.assertRaises(tradewright.InvalidRequest) as caught:
            self.tw.list_strategies()
        self.assertEqual(caught.exception.code, "client.not-tradewright")

    def test_a_call_has_an_end(self):
        self.status = b"200"
        self.addCleanup(setattr, tradewright, "_LONGEST_CALL", tradewright._LONGEST_CALL)
        tradewright._LONGEST_CALL = 0
        with self.assertRaises(tradewright.ServerAway):
            self.tw.list_strategies()


if __name__ == "__main__":
    unittest.main()
