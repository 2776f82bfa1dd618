import { Problem } from '@tradewright/core/problem'
import { epochDayOf, MINUTE, weekday } from '@tradewright/core/time'
import { recordNote } from './cycle/record-note.ts'
import { MarketTimes, type MarketTime } from './cycle/market-time.ts'
import { findDeployment } from './control.ts'
import { type Deployment, deploymentMissing } from './deployment.ts'
import type { LiveDeps } from './deps.ts'
import { refuseHeld } from './refuse-held.ts'
import { scheduleOf } from './schedule.ts'
import { tradesCoinsOnly } from './traded-tickers.ts'

/** A check asks the broker and the data providers; once a minute is as often as prices of a paper account move. */
const MIN_INTERVAL_MS = MINUTE

const SENTENCES = {
  due: 'The check is due now. Its decision appears within seconds.',
  already_due: 'A check is already being made.',
  just_checked: 'It was checked less than a minute ago. Try again in a minute.',
  market_closed: 'Nothing was sent: the market is closed.',
  not_a_trading_day: 'Nothing was sent: today is not one of its trading days.',
} as const

type CheckOutcome = keyof typeof SENTENCES

interface Check {
  readonly outcome: CheckOutcome
  readonly sentence: string
  readonly nextRunAt: Date | null
}

/**
 * Makes the next run due at once. The process that holds the lease makes it, by the cycle of every scheduled run: under the
 * same limits, journaled before anything is sent, and followed by the next scheduled run. Asked twice, it is one run.
 */
export async function checkNow(deps: LiveDeps, userId: number, id: number): Promise<Check> {
  const known = await findDeployment(deps, userId, id)
  assertRunning(known)
  await refuseHeld(deps, known)
  const broker = await deps.brokerFor(userId, known.accountId)
  const time = await new MarketTimes(deps.clock, deps.log).ask(broker, known.accountId)
  const { outcome, nextRunAt } = await deps.database.transaction(async (stores) => {
    const deployment = await stores.deployments.lock(userId, id)
    if (!deployment) throw deploymentMissing()
    assertRunning(deployment)
    const latest = await stores.decisions.latest(id)
    const obstacle = obstacleOf(deployment, time, latest?.decidedAt)
    if (obstacle) return { outcome: obstacle, nextRunAt: deployment.nextRunAt }
    await stores.deployments.change(id, { nextRunAt: time.now })
    return { outcome: 'due' as const, nextRunAt: time.now }
  })
  if (outcome === 'due')
    await recordNote(deps, known, { code: 'check-now', level: 'info', sentence: 'Checked on request.' })
  return { outcome, sentence: SENTENCES[outcome], nextRunAt }
}

function assertRunning({ status }: Deployment): void {
  if (status === 'running') return
  throw new Problem('conflict', 'deployment.not-running', 'Only a running deployment is checked. Start it first.')
}

function obstacleOf(
  deployment: Deployment,
  { now, isOpen }: MarketTime,
  decidedAt: Date | undefined,
): Exclude<CheckOutcome, 'due'> | undefined {
  const { nextRunAt } = deployment
  if (nextRunAt !== null && nextRunAt <= now) return 'already_due'
  if (decidedAt && now.getTime() - decidedAt.getTime() < MIN_INTERVAL_MS) return 'just_checked'
  if (!scheduleOf(deployment).weekdays.has(weekday(epochDayOf(now.getTime())))) return 'not_a_trading_day'
  return isOpen || tradesCoinsOnly(deployment) ? undefined : 'market_closed'
}
