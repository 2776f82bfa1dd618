import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import type { DeployableStrategy } from '@tradewright/contract/live-trading-fields'
import type { ReactNode } from 'react'
import { formatSignedPercent } from '../../../../lib/format.ts'
import { SplicedMark } from '../../../../strategy-form/data/spliced-days.tsx'
import { Card } from '../../../../ui/layout/card.tsx'
import { Delta, Fact, Facts } from '../../../../ui/table/figure.tsx'
import { SyntheticMark } from '../../../../ui/feedback/source-badge.tsx'
import classes from '../deploy-form.module.css'
import { notReadyReasons } from '../form-rules.ts'

interface StrategySummaryProps {
  strategy: DeployableStrategy | undefined
  /** Where the money comes from and when it trades, in a line each. */
  lines: readonly { label: string; text: string }[]
  blockers: readonly string[]
  /** What the account says of the tickers. */
  tickers: { isValid: boolean; hasProblem: boolean }
  /** Why this much cannot be given to it; null where it can. */
  capitalProblem?: string | null
  /** The buttons below the lines. */
  children: ReactNode
}

/** What will be deployed, always in view, with the button under it. */
export function StrategySummary({
  strategy,
  lines,
  blockers,
  tickers,
  capitalProblem = null,
  children,
}: StrategySummaryProps) {
  const reasons = notReadyReasons({ blockers, tickers, capitalProblem })
  const isReady = strategy?.is_deployable === true && reasons.length === 0
  return (
    <div className={classes.aside}>
      <Card title="Strategy summary" hint={strategy?.name ?? 'No strategy selected'}>
        <div className={classes.summary}>
          <Facts>
            {strategy && <StrategyFacts strategy={strategy} isReady={isReady} />}
            {lines.map(({ label, text }) => (
              <Fact key={label} label={label}>
                {text}
              </Fact>
            ))}
          </Facts>
          {reasons.length > 0 && (
            <ul className={classes.blockers} aria-label="Still missing">
              {reasons.map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </ul>
          )}
          <div className={classes.foot}>
            <div className={classes.buttons}>{children}</div>
          </div>
        </div>
      </Card>
    </div>
  )
}

/** Ready only when the account is known to take every ticker. */
function StrategyFacts({ strategy, isReady }: { strategy: DeployableStrategy; isReady: boolean }) {
  const { strategy_type, latest_performance } = strategy
  const Glyph = isReady ? IconCircleCheck : IconAlertTriangle
  return (
    <>
      <Fact label="Type">{strategy_type}</Fact>
      <Fact label="Deployable">
        <span className={classes.ready} data-ready={isReady}>
          <Glyph size={15} stroke={1.8} aria-hidden />
          {isReady ? 'Ready' : 'Not Ready'}
        </span>
      </Fact>
      <Fact label="Total return">
        {latest_performance ? (
          <>
            <Delta value={latest_performance.total_return}>
              {formatSignedPercent(latest_performance.total_return)}
            </Delta>
            {latest_performance.synthetic && <SyntheticMark />}
            <SplicedMark spliced={latest_performance.spliced_tickers} />
          </>
        ) : (
          'No data'
        )}
      </Fact>
    </>
  )
}
