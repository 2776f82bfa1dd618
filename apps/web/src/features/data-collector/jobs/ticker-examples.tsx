import classes from './job-fields.module.css'

const EXAMPLES = [
  ['Stocks and funds', 'SPY, AAPL', 'Yahoo Finance'],
  ['Crypto', 'BTC-USD, ETH-USD', 'Coinbase, Yahoo Finance'],
  ['Economic series', 'DGS10, CPIAUCSL, UNRATE', 'FRED'],
  ['Funding rate', 'BTC-FR', 'Coinalyze'],
  ['Open interest', 'BTC-OI', 'Coinalyze'],
  ['Long/short ratio', 'BTC-LS', 'Coinalyze'],
  ['Liquidations', 'BTC-LIQ', 'Coinalyze'],
] as const

export function TickerExamples() {
  return (
    <details className={classes.examples}>
      <summary>Ticker examples</summary>
      <dl>
        {EXAMPLES.map(([kind, tickers, providers]) => (
          <div key={kind}>
            <dt>{kind}</dt>
            <dd>
              {tickers} <span>{providers}</span>
            </dd>
          </div>
        ))}
      </dl>
      <p>Leverage such as SPY?L=2, CASHX and TBILLX are computed when a series is used; only SPY is collected.</p>
    </details>
  )
}
