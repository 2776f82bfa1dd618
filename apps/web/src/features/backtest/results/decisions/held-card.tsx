import { Card } from '../../../../ui/layout/card.tsx'
import { formatBarDate } from '../bar-date.ts'
import {
  type BlockNames,
  blockNames,
  conditionStates,
  percent,
  type RulesSection,
  wayWords,
  weightsAt,
} from './decisions.ts'
import classes from './decisions.module.css'

interface HeldCardProps {
  rules: RulesSection
  /** Whether the run reaches today, so that its last decision is the one in force. */
  isCurrent: boolean
}

/** What the last decision of a run holds, and why. */
export function HeldCard({ rules, isCurrent }: HeldCardProps) {
  const last = rules.check_dates.length - 1
  if (last < 0) return null
  const names = blockNames(rules)
  const weights = weightsAt(rules, last)
  const date = formatBarDate(rules.check_dates[last]!)
  const total = weights.reduce((sum, { weight }) => sum + Math.abs(weight), 0)
  return (
    <Card title={isCurrent ? 'Today it would hold' : 'Held at the end of the run'} hint={`Decided ${date}`}>
      <div className={classes.held}>
        <div className={classes.heldBar} aria-hidden>
          {weights.map(({ ticker, weight }, i) => (
            <span
              key={ticker}
              data-cash={isCash(ticker, names)}
              style={{ flexGrow: Math.abs(weight) / total, opacity: Math.max(0.35, 1 - i * 0.25) }}
            />
          ))}
        </div>
        <ul className={`${classes.heldList} tabular`}>
          {weights.map(({ ticker, weight }) => (
            <li key={ticker}>
              <b>{ticker === 'cash' ? 'Cash' : ticker}</b> {percent(weight)}
            </li>
          ))}
        </ul>
        <p className={classes.heldWhy}>{whyHeld(rules, names, last)}</p>
      </div>
    </Card>
  )
}

export const isCash = (ticker: string, { cash }: BlockNames): boolean =>
  ticker.toLowerCase() === 'cash' || ticker === cash

/** The way taken, and since when the conditions on it have had their answers. */
function whyHeld(rules: RulesSection, names: BlockNames, check: number): string {
  const way = rules.ways[rules.way_history[check] ?? -1] ?? ''
  const steps = way.split(', ').map((step) => names.nodeOf(step.split(' ')[0] ?? ''))
  const asked = new Set(steps.flatMap((node) => (node?.kind === 'if' ? [node.condition.id] : [])))
  const states = conditionStates(rules, names)
    .filter(({ block, ticker, answer }) => ticker === null && answer !== null && asked.has(block))
    .map(({ title, answer, since }) => {
      const when = since === null ? 'is' : 'has been'
      return `${title} ${when} ${String(answer)}${since === null ? '' : ` since ${formatBarDate(since)}`}.`
    })
  return [`${wayWords(way, names)}.`, ...states].join(' ')
}
