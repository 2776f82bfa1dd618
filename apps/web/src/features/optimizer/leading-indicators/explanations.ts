/** How the columns of the table are computed. docs/method.md has the same with sources. */
export const HOW = {
  correlation:
    'Correlation: between the metric, as known at the time, and the chosen ticker’s return that many trading days ' +
    'later; a lag of 1 is the next return. SMA 5, 10 and 20 are the price divided by its moving average, since a ' +
    'price level says nothing about returns.',
  directionalAccuracy:
    'Directional accuracy and Sharpe: for holding the ticker in the direction indicated by the metric’s distance ' +
    'from its mean, within the same period and before costs. They describe the pair’s past and are not a backtest.',
  pValue:
    'p-value: how often chance alone gives a correlation at least as strong, by Student’s t. Adjusted p: corrected ' +
    'for the number of pairs tested (Benjamini and Hochberg, 1995); a pair below 0.05 is worth a closer look.',
} as const
