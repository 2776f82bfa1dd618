/* oxlint-disable jsx-a11y/prefer-tag-over-role -- these drawings are made of elements, which `img` cannot hold */
import type { ConstructedPortfolio, Construction } from '@tradewright/contract/construction'
import { formatPercent } from '../../../lib/format.ts'
import { formatDate, formatMonth } from '../../../lib/format-time.ts'
import { lineThrough, scaleOf, ticksOf } from '../results/robustness/scale.ts'
import classes from './construct.module.css'
import { labelSides } from './label-sides.ts'

type Results = NonNullable<Construction['results']>

/** The frontier of the last window, the tickers and what each portfolio really had. */
export function FrontierPlot({ results }: { results: Results }) {
  const { frontier, portfolios, tickers } = results
  const realised = portfolios.flatMap(({ id, label, metrics }) =>
    metrics.volatility === null || metrics.cagr === null
      ? []
      : [{ id, label, volatility: metrics.volatility, mean: metrics.cagr }],
  )
  const all = [...frontier.points, ...frontier.tickers, ...realised]
  const x = scaleOf(
    all.map(({ volatility }) => volatility),
    { zero: true },
  )
  const y = scaleOf(all.map(({ mean }) => mean))
  const placeOf = (point: { volatility: number; mean: number }) => ({ x: x.at(point.volatility), y: y.at(point.mean) })
  const sides = labelSides(
    frontier.tickers.map((point, i) => ({ ...placeOf(point), label: tickers[i]! })),
    realised.map(placeOf),
  )
  const ends = [frontier.points[0], frontier.points.at(-1)]
  const said = ends.flatMap((point) =>
    point ? [`${formatPercent(point.mean)} a year at ${formatPercent(point.volatility)} volatility`] : [],
  )
  return (
    <>
      <ul className={classes.legend}>
        <li>
          <i className={classes.keyLine} aria-hidden /> Frontier, in sample
        </li>
        <li>
          <i className={classes.keyTicker} aria-hidden /> Ticker, in sample
        </li>
        <li>
          <i className={classes.keyRealised} aria-hidden /> Portfolio, out of sample
        </li>
      </ul>
      <div
        className={classes.plot}
        role="img"
        aria-label={`Efficient frontier, in sample: from ${said.join(' to ')}. Out of sample: ${realised
          .map(({ label, mean, volatility }) => `${label} ${formatPercent(mean)} at ${formatPercent(volatility)}`)
          .join(', ')}.`}
      >
        {ticksOf(y, 5).map((tick) => (
          <span key={tick} className={classes.grid} style={{ bottom: `${y.at(tick)}%` }}>
            <span className="tabular">{formatPercent(tick)}</span>
          </span>
        ))}
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden>
          <polyline
            className={classes.frontier}
            points={lineThrough(frontier.points.map((point) => [x.at(point.volatility), y.at(point.mean)] as const))}
          />
        </svg>
        {frontier.tickers.map((point, i) => (
          <span
            key={tickers[i]}
            className={classes.dot}
            data-kind="ticker"
            data-side={sides[i]}
            style={{ left: `${x.at(point.volatility)}%`, bottom: `${y.at(point.mean)}%` }}
          >
            <span>{tickers[i]}</span>
          </span>
        ))}
        {realised.map((point) => (
          <span
            key={point.id}
            className={classes.dot}
            data-kind="realised"
            title={`${point.label}: ${formatPercent(point.mean)} a year at ${formatPercent(point.volatility)} volatility`}
            style={{ left: `${x.at(point.volatility)}%`, bottom: `${y.at(point.mean)}%` }}
          />
        ))}
        {ticksOf(x, 6).map((tick) => (
          <span key={tick} className={`${classes.axis} tabular`} style={{ left: `${x.at(tick)}%` }}>
            {formatPercent(tick)}
          </span>
        ))}
      </div>
      <p className={classes.axisName}>Annual volatility; annual return on the left</p>
    </>
  )
}

/** Colours that repeat after eight, told apart by the legend's order too. */
const SHADES = 8

/** Weights at each rebalance, stacked, in the order of the tickers. */
export function WeightsPlot({
  tickers,
  dates,
  portfolio,
}: {
  tickers: readonly string[]
  dates: readonly string[]
  portfolio: ConstructedPortfolio
}) {
  const { weights, label } = portfolio
  const last = weights.at(-1) ?? []
  const every = Math.ceil(dates.length / 6)
  return (
    <>
      <ul className={classes.legend}>
        {tickers.map((ticker, i) => (
          <li key={ticker}>
            <i className={classes.swatch} data-shade={i % SHADES} aria-hidden /> {ticker}
          </li>
        ))}
      </ul>
      <div
        className={classes.stack}
        role="img"
        aria-label={`Weights of ${label} at ${dates.length} rebalances; at the last: ${tickers
          .map((ticker, i) => `${ticker} ${formatPercent(last[i] ?? 0)}`)
          .join(', ')}.`}
      >
        {weights.map((row, at) => (
          <span key={dates[at]} className={classes.column} title={titleOf(tickers, row, dates[at]!)}>
            {row.map((weight, i) => (
              <i key={tickers[i]} data-shade={i % SHADES} style={{ flexGrow: Math.max(0, weight) }} />
            ))}
          </span>
        ))}
      </div>
      <div className={classes.stackAxis} aria-hidden>
        {dates.map((date, at) =>
          at % every === 0 ? (
            <span
              key={date}
              className="tabular"
              data-first={at === 0}
              style={{ left: at === 0 ? 0 : `${(100 * (at + 0.5)) / dates.length}%` }}
            >
              {formatMonth(date)}
            </span>
          ) : null,
        )}
      </div>
    </>
  )
}

const titleOf = (tickers: readonly string[], row: readonly number[], date: string): string =>
  `${formatDate(date)}: ${tickers.flatMap((ticker, i) => (row[i]! > 0.0005 ? [`${ticker} ${formatPercent(row[i])}`] : [])).join(', ')}`
