/** How the columns of the table are computed. docs/method.md has the same with sources. */
export const HOW = {
  correlation:
    'Correlation: between the metric, as it was known at the time, and the return of the chosen ticker that many ' +
    'trading days later; a lag of 1 is the next return. SMA 5, 10 and 20 are the price over its moving average, ' +
    'since a price level says nothing about returns.',
  directionalAccuracy:
    'Directional accuracy and Sharpe: for holding the ticker in the direction indicated by the metric’s distance ' +
    'from its mean, within this same period and before costs. They describe the pair’s past and are not a ' +
    'backtest.',
  pValue:
    'p-value: how often chance alone gives a correlation at least as strong, by Student’s t. Adjusted p: ' +
    'corrected for the number of pairs that were tested (Benjamini and Hochberg, 1995); below 0.05 a pair is ' +
    'worth a look.',
} as const
