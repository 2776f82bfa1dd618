import classes from './leading-indicators.module.css'

const HOW = [
  'Correlation: of the metric, as it was known at the time, with the return of the chosen ticker so many trading days later; a lag of 1 is the very next return. SMA 5, 10 and 20 are the price over its moving average, since a price level says nothing about returns.',
  'Directional accuracy and Sharpe: of holding the ticker in the direction to which the metric pointed by its distance from its mean, in this very period and before costs. They describe the past of the pair and are no backtest.',
  "p-value: how often chance alone gives a correlation at least as strong, by Student's t. Adjusted p: the same with regard to all the pairs that were tested (Benjamini and Hochberg, 1995); below 0.05 a pair is worth a look.",
]

export function CorrelationMethods() {
  return (
    <details className={classes.how}>
      <summary>How are these computed?</summary>
      {HOW.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </details>
  )
}
