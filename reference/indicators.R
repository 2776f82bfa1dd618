# Indicators by TTR (Debian r-cran-ttr), the library of R's quantmod, on the first 300 bars of SPY.
suppressMessages({library(TTR); library(jsonlite)})
arguments <- commandArgs()
folder <- dirname(sub("--file=", "", grep("--file=", arguments, value = TRUE)))
output <- commandArgs(trailingOnly = TRUE)[1]
read_market <- function(ticker) read.csv(file.path(folder, "market", paste0(ticker, ".csv")))[1:300, ]

spy <- read_market("SPY")
bars <- as.matrix(spy[, c("high", "low", "close")])
close <- spy$close
change <- ROC(close, n = 1, type = "discrete")
other <- ROC(read_market("TLT")$close, n = 1, type = "discrete")
bands <- BBands(close, n = 20, sd = 2)
macd <- MACD(close, nFast = 12, nSlow = 26, nSig = 9, percent = FALSE)
stochastic <- stoch(bars, nFastK = 14, nFastD = 3, nSlowD = 3)
direction <- ADX(bars, n = 14)
range <- ATR(bars, n = 14)

feature <- function(key, parameters, values, from = 0) {
  list(key = key, parameters = parameters, from = from, values = values)
}
# TTR begins the sums of ADX with one value less than a full window, a difference that fades.
faded <- 250
features <- list(
  feature("sma", list(window = 20), SMA(close, 20)),
  feature("ema", list(window = 20), EMA(close, 20)),
  feature("rsi", list(window = 14), RSI(close, 14)),
  feature("macd", list(output = "line"), macd[, "macd"]),
  feature("macd", list(output = "signal"), macd[, "signal"]),
  feature("macd", list(output = "histogram"), macd[, "macd"] - macd[, "signal"]),
  feature("bollinger", list(output = "percent_b"), bands[, "pctB"]),
  feature("bollinger", list(output = "width"), (bands[, "up"] - bands[, "dn"]) / bands[, "mavg"]),
  feature("atr", list(output = "dollars"), range[, "atr"]),
  feature("atr", list(output = "percent"), 100 * range[, "atr"] / close),
  feature("stochastic", list(output = "k"), 100 * stochastic[, "fastD"]),
  feature("stochastic", list(output = "d"), 100 * stochastic[, "slowD"]),
  feature("williams_r", list(window = 14), -100 * WPR(bars, 14)),
  feature("cci", list(window = 20), CCI(bars, 20)),
  feature("adx", list(output = "adx"), direction[, "ADX"], faded),
  feature("adx", list(output = "plus_di"), direction[, "DIp"], faded),
  feature("adx", list(output = "minus_di"), direction[, "DIn"], faded),
  feature("momentum", list(output = "percent"), 100 * ROC(close, 10, type = "discrete")),
  feature("momentum", list(output = "difference"), momentum(close, 10)),
  feature("percent_change", list(window = 5), ROC(close, 5, type = "discrete")),
  feature("log_return", list(window = 5), ROC(close, 5, type = "continuous")),
  feature("volatility", list(window = 20), runSD(change, 20)),
  feature("correlation", list(window = 60, other_ticker = "TLT"), runCor(change, other, 60)),
  feature("beta", list(window = 60, other_ticker = "TLT"), runCov(change, other, 60) / runVar(other, n = 60)),
  feature("volume_ratio", list(window = 20), spy$volume / SMA(spy$volume, 20))
)

# All rows while the indicators warm up, then one a week.
rows <- c(1:90, seq(95, 300, by = 5))
features <- lapply(features, function(one) {
  values <- as.numeric(one$values)
  list(
    key = unbox(one$key), parameters = lapply(one$parameters, unbox), from = unbox(one$from),
    values = signif(values, 12)[rows]
  )
})
libraries <- list(
  R = unbox(paste(R.version$major, R.version$minor, sep = ".")),
  TTR = unbox(as.character(packageVersion("TTR")))
)
lines <- vapply(features, function(one) as.character(toJSON(one, digits = NA, na = "null")), "")
text <- c(
  paste0('{"libraries": ', toJSON(libraries), ","),
  paste0('"values": {"rows": ', toJSON(rows - 1), ', "features": ['),
  paste(lines, collapse = ",\n"),
  "]}}"
)
writeLines(text, output)
