import classes from '../setup.module.css'

const EXAMPLES = [
  ['Stocks', 'SPY, AAPL'],
  ['Crypto', 'BTC-USD, ETH-USD'],
  ['Economic series', 'DGS10, CPIAUCSL'],
  ['Funding rate', 'BTC-FR'],
  ['Open interest', 'BTC-OI'],
  ['Long/short', 'BTC-LS'],
  ['Liquidations', 'BTC-LIQ'],
  ['Cash', 'CASHX, a constant $100'],
  ['Cash with interest', 'TBILLX, which earns the T-bill rate; testfol.io calls it CASHX'],
  ['Leverage', 'SPY?L=2, reset daily; the leverage field writes it'],
  ['Expense', 'SPY?E=0.5, which costs 0.5% a year'],
  ['Before it existed', 'TLT?FB=VUSTX: until TLT has prices it is VUSTX, joined by returns and marked in the result'],
  ['Leveraged fallback', 'UPRO?FB=SPY?L=3: what follows FB is the fallback, with its own parameters'],
  ['Bond from a yield', 'DGS10?M=10: a 10-year Treasury built from daily yields; also as fallback, IEF?FB=DGS10?M=8'],
] as const

export function TickerExamples() {
  return (
    <details className={classes.examples}>
      <summary>Ticker examples</summary>
      <dl>
        {EXAMPLES.map(([kind, tickers]) => (
          <div key={kind}>
            <dt>{kind}</dt>
            <dd>{tickers}</dd>
          </div>
        ))}
      </dl>
      <p className={classes.hint}>Derivatives data uses a system key limited to 40 calls a minute.</p>
    </details>
  )
}
