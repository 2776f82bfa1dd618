import classes from '../results.module.css'

/** The licence of the chart library asks for it. */
export function ChartCredit() {
  return (
    <p className={classes.credit}>
      Charts are drawn with{' '}
      <a href="https://www.tradingview.com/lightweight-charts/" rel="noreferrer" target="_blank">
        Lightweight Charts
      </a>{' '}
      by TradingView.
    </p>
  )
}
