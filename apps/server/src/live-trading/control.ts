import { Decimal } from '@tradewright/core/decimal'
import { nextRun } from '@tradewright/engine/live/schedule'
import { afterControl, type ControlAction, countsAsAllocated } from '@tradewright/engine/trading/deployment-status'
import { type PriceOf, shortPositions } from '@tradewright/engine/trading/ledger/books'
import { nyse } from '@tradewright/engine/market/trading-calendar'
import { HEARTBEAT_MISSING } from '../alerts/alert-events.ts'
import { SYSTEM } from './actor.ts'
import { percentAllocated, percentOf, refuseOverAllocation } from './deploy/allocation.ts'
import { StopCancellations } from './stops/cancel-at-broker.ts'
import { recordNote } from './cycle/record-note.ts'
import { type Deployment, deploymentMissing } from './deployment.ts'
import type { LiveDeps } from './deps.ts'
import { assertMayBegin } from './deploy/go-live.ts'
import { refuseDuringLiquidation, stopAndSell, type StoppedPositions } from './liquidation/request-liquidation.ts'
import type { LiveStores } from './ports/database.ts'
import type { DeploymentChange } from './ports/deployments.ts'
import { recordStops } from './stops/record-stops.ts'
import { isHeld, refuseHeld } from './refuse-held.ts'
import { refuseShorts } from './deploy/refuse-shorts.ts'
import { scheduleOf } from './schedule.ts'

const SENTENCES = {
  start: 'Started.',
  pause: 'Paused: no new decisions are made; open orders stay open.',
  resume: 'Resumed.',
} as const satisfies Record<Exclude<ControlAction, 'stop'>, string>

async function stopSentence(
  deps: Pick<LiveDeps, 'database'>,
  { id, accountId }: Deployment,
  sells: boolean,
): Promise<string> {
  const owed = shortPositions(await deps.database.books.slice(accountId, id)).map(([ticker]) => ticker)
  const cancelled = `Stopped: open orders are ${(await isHeld(deps, id)) ? 'not ' : ''}cancelled`
  if (owed.length === 0) return `${cancelled}, ${sells ? 'and everything it holds is sold' : 'positions are kept'}.`
  const shorts = owed.join(', ')
  return sells
    ? `${cancelled}, everything it holds is sold, and borrowed shares of ${shorts} are bought back.`
    : `${cancelled}, positions are kept. Borrowed shares of ${shorts} stay owed: borrow fees continue, margin is needed, and no limit ` +
        'of the deployment watches them.'
}

interface ControlOptions {
  /** For a stop: what becomes of the positions. */
  readonly positions?: StoppedPositions
  /** For a start with real money: the deployment's name. */
  readonly confirmation?: string | undefined
}

/** Moves a deployment by the table of its states. The runner sees it within a second. */
export async function controlDeployment(
  deps: LiveDeps,
  userId: number,
  id: number,
  action: ControlAction,
  { positions = 'keep', confirmation }: ControlOptions = {},
): Promise<Deployment> {
  const sells = action === 'stop' && positions === 'sell'
  const known = await findDeployment(deps, userId, id)
  if (sells) await refuseHeld(deps, known)
  const begins = action === 'start' || action === 'resume'
  if (begins) assertMayBegin(deps, known, confirmation)
  // Fails with the reason when the account is gone or its keys are not verified.
  if (begins) await refuseShorts(deps, await deps.brokerFor(userId, known.accountId), known)
  // An emergency stop that is not recorded yet comes first, and stops the others, too.
  if (begins) await recordStops(deps)
  const changed = await deps.database.transaction(async (stores) => {
    const deployment = await stores.deployments.lock(userId, id)
    if (!deployment) throw deploymentMissing()
    if (sells) return change(stores, deployment, stopAndSell(deployment, deps.clock.now(), deps.actor ?? SYSTEM))
    const status = afterControl(deployment.status, action)
    if (begins) refuseDuringLiquidation(deployment, 'started')
    if (deployment.status === 'stopped') await refuseTooMuch(stores, deployment)
    const next = begins ? nextRun(scheduleOf(deployment), deps.clock.now().getTime(), nyse) : undefined
    const nextRunAt = next === undefined ? null : new Date(next)
    const stopped = begins ? { emergencyStoppedAt: null } : {}
    const statusAt = deps.clock.now()
    return change(stores, deployment, {
      status,
      statusAt,
      nextRunAt,
      healthProblem: null,
      runMissedAt: null,
      ...stopped,
    })
  })
  if (action === 'stop') await cancelOrders(deps, changed)
  const sentence = action === 'stop' ? await stopSentence(deps, changed, sells) : SENTENCES[action]
  const withMoney = begins && !changed.isPaper ? ` With real money, in ${changed.accountName}.` : ''
  const check = begins ? firstCheck(changed) : ''
  await recordNote(deps, changed, {
    code: `control.${action}`,
    level: 'info',
    sentence: `${sentence}${withMoney}${check}`,
  })
  if (begins && !changed.isPaper) await offerHeartbeat(deps, changed)
  return changed
}

/** With the first real money of a user: what runs here cannot tell that it no longer runs. */
async function offerHeartbeat({ database, alert, actor = SYSTEM }: LiveDeps, deployment: Deployment): Promise<void> {
  const others = (await database.deployments.list(deployment.userId)).filter(({ id }) => id !== deployment.id)
  if (others.some(({ isPaper, status }) => !isPaper && status === 'running')) return
  const sentence =
    'If this server goes down, nothing outside of it notices. A heartbeat does: set one up under Settings, Alerts.'
  await alert?.(deployment, { code: HEARTBEAT_MISSING, level: 'info', sentence }, actor)
}

/** The web app writes the moment in the user's format. */
const firstCheck = ({ nextRunAt }: Deployment): string =>
  nextRunAt === null
    ? ' No check is scheduled.'
    : ` The first check is on ${nextRunAt.toISOString().slice(0, 16).replace('T', ' ')} UTC.`

async function change(stores: LiveStores, { userId, id }: Deployment, to: DeploymentChange): Promise<Deployment> {
  await stores.deployments.change(id, to)
  return (await stores.deployments.find(userId, id))!
}

/** At once, by the process that was asked. What fails is told, and tried again by the one that runs the deployment. */
async function cancelOrders(deps: LiveDeps, deployment: Deployment): Promise<void> {
  const problems: string[] = []
  await new StopCancellations(deps, [deployment], problems).finish()
  for (const sentence of problems) {
    await recordNote(deps, deployment, { code: 'cancel-failed', level: 'warning', sentence })
  }
}

export async function findDeployment(
  { database }: Pick<LiveDeps, 'database'>,
  userId: number,
  id: number,
): Promise<Deployment> {
  const deployment = await database.deployments.find(userId, id)
  if (!deployment) throw deploymentMissing()
  return deployment
}

/** A stopped deployment no longer counted; others may have taken its place. */
async function refuseTooMuch(stores: LiveStores, deployment: Deployment): Promise<void> {
  const state = await stores.books.lock(deployment.accountId)
  const others = (await stores.deployments.onAccount(deployment.accountId)).filter(({ id }) => id !== deployment.id)
  if (!wantsPercent(deployment) && !others.some((one) => wantsPercent(one) && countsAsAllocated(one.status))) return
  const books = await stores.books.books(deployment.accountId)
  const equity = state?.equity ?? Decimal.zero
  const priceOf: PriceOf = (ticker) => state?.prices.get(ticker)
  const current = percentAllocated(others, books, equity, priceOf)
  refuseOverAllocation('start', current, percentOf(deployment, books, equity, priceOf))
}

/** Amounts own their money and cannot crowd each other out; only a percent can be promised twice. */
const wantsPercent = ({ capitalPolicy }: Deployment): boolean => capitalPolicy === 'percent_of_account'
