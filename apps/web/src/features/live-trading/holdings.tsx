import { formatNumber, formatPercent } from '../../lib/format.ts'
import classes from './holdings.module.css'

interface Holding {
  symbol: string
  /** A part of the value of the deployment. */
  weight: number | null
  target: number | null
}

interface HoldingsProps {
  holdings: readonly Holding[]
  /** Not shown here. */
  leftOut: number
}

/** What is held against what the last decision wanted: a bar with a tick at the target. */
export function Holdings({ holdings, leftOut }: HoldingsProps) {
  if (holdings.length === 0) return <p className={classes.note}>Nothing but cash.</p>
  return (
    <>
      <table className={classes.table}>
        <thead>
          <tr>
            <th colSpan={2}>Holdings</th>
            <th className={classes.number}>now</th>
            <th className={classes.number}>target</th>
          </tr>
        </thead>
        <tbody>
          {holdings.map(({ symbol, weight, target }) => (
            <tr key={symbol}>
              <th scope="row">{symbol}</th>
              <td className={classes.track} aria-hidden>
                <Bar weight={weight} target={target} />
              </td>
              <td className={classes.number}>{formatPercent(weight)}</td>
              <td className={`${classes.number} ${classes.target}`}>{target === null ? '–' : formatPercent(target)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {leftOut > 0 && <p className={classes.note}>And {leftOut} more.</p>}
    </>
  )
}

const percent = (part: number) => `${Math.min(100, Math.abs(part) * 100)}%`

function Bar({ weight, target }: Pick<Holding, 'weight' | 'target'>) {
  return (
    <div className={classes.bar}>
      {weight !== null && <span className={classes.held} data-short={weight < 0} style={{ width: percent(weight) }} />}
      {target !== null && <span className={classes.tick} style={{ left: percent(target) }} />}
    </div>
  )
}

/** `Largest gap to its target: 1.4 pp, TLT`; null where nothing was decided or nothing is off. */
export function gapText(holdings: readonly Holding[]): string | null {
  const gaps = holdings.flatMap(({ symbol, weight, target }) =>
    weight === null || target === null ? [] : [{ symbol, gap: Math.abs(weight - target) }],
  )
  const largest = gaps.toSorted((a, b) => b.gap - a.gap)[0]
  if (!largest) return null
  if (largest.gap < 0.0005) return 'All at their targets'
  return `Largest gap to its target: ${formatNumber(largest.gap * 100, { decimals: 1, suffix: ' pp' })}, ${largest.symbol}`
}
