import { useEffect, useState } from 'react'
import { formatMoney, formatSignedMoney, formatSignedPercent } from '../../../lib/format.ts'
import { formatMoment } from '../../../lib/format-time.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { Delta, Figure, MetricsStrip } from '../../../ui/table/figure.tsx'
import { returnOn } from '../../../deployment-words/return-on.ts'
import type { Overview } from '../queries.ts'
import { countdownText } from './countdown.ts'
import { HOW } from './explanations.ts'
import classes from './deployment-screen.module.css'
import { HealthLight } from './health-light.tsx'

export function KeyFigures({ overview }: { overview: Overview }) {
  const { deployment, value, cash, health } = overview
  const onContributions = returnOn(deployment)
  return (
    <div className={classes.figures}>
      <Card>
        <MetricsStrip>
          <Figure
            label="P&L"
            how={HOW.pnl}
            note={
              onContributions === null ? undefined : `${formatSignedPercent(onContributions, 2)} on net contributions`
            }
          >
            <Delta value={deployment.total_pnl} withArrow zeroIsGain>
              {formatSignedMoney(deployment.total_pnl)}
            </Delta>
          </Figure>
          <Figure label="Value" how={HOW.value} note={`${formatMoney(deployment.net_contributions)} paid in`}>
            {formatMoney(value)}
          </Figure>
          <Figure label="Cash" rank="second">
            {formatMoney(cash)}
          </Figure>
          <NextRun when={overview.next_run_at} />
          <Figure label="Health" rank="second" note={healthNote(health)}>
            <HealthLight light={health.light} status={deployment.status} />
          </Figure>
        </MetricsStrip>
      </Card>
    </div>
  )
}

function NextRun({ when }: { when: string | null }) {
  const now = useNow()
  return (
    <Figure label="Next check" rank="second" note={when ? formatMoment(when) : 'Nothing is scheduled'}>
      {when ? <time dateTime={when}>{countdownText(when, now)}</time> : '–'}
    </Figure>
  )
}

function healthNote({ books_agree, reconciled_at }: Overview['health']): string {
  if (books_agree === null || reconciled_at === null) return 'Not compared with the broker yet'
  return `Books ${books_agree ? 'agreed' : 'disagreed'} with the broker on ${formatMoment(reconciled_at)}`
}

/** The time, every second. */
function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return now
}
