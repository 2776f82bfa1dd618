import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import type { BacktestResult } from '@tradewright/contract/backtest-result'
import { Card } from '../../../ui/card.tsx'
import { type Check, checksOf } from './honesty.ts'
import classes from './honesty-card.module.css'

const ICONS = { Passed: IconCircleCheck, Caution: IconAlertTriangle, Failed: IconCircleX }

export function HonestyCard({ result }: { result: BacktestResult }) {
  const checks = checksOf(result)
  return (
    <Card title="Honesty checks" hint="What this result does and does not show" actions={<Totals checks={checks} />}>
      <ul className={classes.checks}>
        {checks.map((check) => (
          <CheckItem key={check.title} check={check} />
        ))}
      </ul>
    </Card>
  )
}

function CheckItem({ check: { title, verdict, sentence } }: { check: Check }) {
  const Glyph = ICONS[verdict]
  return (
    <li className={classes.check}>
      <Glyph className={classes.icon} data-verdict={verdict} size={16} stroke={1.8} aria-hidden />
      <div>
        <p className={classes.title}>
          {title} <span>{verdict}</span>
        </p>
        <p className={classes.sentence}>{sentence}</p>
      </div>
    </li>
  )
}

function Totals({ checks }: { checks: readonly Check[] }) {
  const count = (verdict: Check['verdict']) => checks.filter((check) => check.verdict === verdict).length
  const parts = [
    `${count('Passed')} passed`,
    ...(count('Caution') ? [`${count('Caution')} caution`] : []),
    ...(count('Failed') ? [`${count('Failed')} failed`] : []),
  ]
  return <span className={`${classes.totals} tabular`}>{parts.join(' · ')}</span>
}
