import { Problem } from '@tradewright/core/problem'
import { SECOND } from '@tradewright/core/time'
import { runsOutAt } from '@tradewright/engine/live/schedule'
import { sliceOfDeployment } from '@tradewright/engine/trading/ledger/books'
import { databaseOutage } from '../../database-failure.ts'
import type { Decision } from '../decision.ts'
import type { Deployment } from '../deployment.ts'
import { disagreement } from '../health.ts'
import { isRetrained, recipeOf } from '../retraining/recipe.ts'
import { isTrainingDue } from '../retraining/retrain.ts'
import type { DeploymentChange } from '../ports/deployments.ts'
import { nextRunOf, runAfterMissed, scheduleOf } from '../schedule.ts'
import { undecided } from '../ticker-changes/hold.ts'
import { sellUnnamed } from '../ticker-changes/sell-unnamed.ts'
import { tradedTickers, tradesCoinsOnly } from '../traded-tickers.ts'
import { isMappedAlike } from './commit/commit-decisions.ts'
import { lossOfAccount } from './commit/limit-orders.ts'
import { endHalts, noteUntradable } from './halts.ts'
import type { MarketTime } from './market-time.ts'
import { prepareModel } from './propose/model.ts'
import { propose } from './propose/propose.ts'
import { tradingAsPlanned } from './record-note.ts'
import { cancelOpen, openOrders, ordersHaveEnded } from './send/cancel-orders.ts'
import { sendOrders } from './send/send-orders.ts'
import type { AccountSnapshot, CycleTime, Obstacle, Reconciliation, RunDeps } from './types.ts'

interface DueRun {
  readonly deps: RunDeps
  readonly deployment: Deployment
  readonly snapshot: AccountSnapshot
  readonly time: CycleTime
}

export const isDue = ({ nextRunAt }: Deployment, { now }: Pick<MarketTime, 'now'>): boolean =>
  nextRunAt !== null && nextRunAt <= now

/** Decides where nothing stands against it. */
export async function runDue(deps: RunDeps, deployment: Deployment, snapshot: AccountSnapshot): Promise<void> {
  const { now, calendar } = snapshot.time
  const scheduledFor = deployment.nextRunAt!
  const limit = new Date(runsOutAt(scheduleOf(deployment), scheduledFor.getTime(), calendar))
  const run = { deps, deployment, snapshot, time: { scheduledFor, runsOutAt: limit, calendar, now } }
  const obstacle = await firstObstacle(run)
  await (obstacle ? stepAside(run, obstacle) : decide(deps.asAsked, run))
}

/** Propose, commit, send: an order is journaled in one transaction with its decision, and only then sent. */
async function decide(deps: RunDeps['asAsked'], { deployment, snapshot, time }: Omit<DueRun, 'deps'>): Promise<void> {
  const { broker, assets, reconciliation } = snapshot
  deps.onStep('reconciled')
  const held = sliceOfDeployment(reconciliation.books, deployment.id).positions.keys()
  const halts = await endHalts(deps, deployment, new Set([...tradedTickers(deployment), ...held]), snapshot)
  const known = { ...reconciliation, halts }
  const asking = awaitsBars(deployment, time) ? { ...deps, signalService: deps.signalService.retrying() } : deps
  const proposal = await propose(asking, assets, deployment, known, time.now, time.calendar).catch(
    async (error: unknown) => {
      if (
        error instanceof Problem &&
        !databaseOutage(error) &&
        (await sellUnnamed(deps, deployment, snapshot, time, error))
      )
        return undefined
      throw error
    },
  )
  if (!proposal) return
  await noteUntradable(deps, deployment, proposal.assets, halts, time.now)
  const { decision, intents, notes, nextRunAt, hasRecovered } = await deps.commit({
    deployment,
    reconciliation,
    proposal,
    time,
  })
  if (hasRecovered) await deps.note(tradingAsPlanned)
  if (decision) {
    deps.onStep('decision-committed')
    for (const note of notes) await deps.note(note)
    const { length } = intents.filter(({ state }) => state === 'intended')
    if (length > 0) {
      deps.deploymentLog.write(deployment.id, 'INFO', `Executing Trades: ${length} orders`)
      await sendOrders(deps, broker, deployment, decision, intents)
    }
  }
  tellNextRun(deps, deployment, nextRunAt)
  if (decision && decision.outcome !== 'selling' && decision.outcome !== 'buying') {
    deps.onStep('snapshot-taken')
    deps.deploymentLog.write(deployment.id, 'INFO', `Execution Complete: ${decision.outcome}`)
  }
}

const STALE_DATA = 'deployment.stale-data'
/** Bars that are late are asked for again after this long, and after twice as long each time. */
const FIRST_PAUSE = 30 * SECOND
/** A run that fails is tried again within this long. */
const BETWEEN_TRIES = 25 * SECOND

/** Providers' answers are kept for minutes: a run that lacks bars asks them again at growing intervals within its time. */
export function awaitsBars(
  { healthProblem }: Pick<Deployment, 'healthProblem'>,
  { now, scheduledFor }: Pick<CycleTime, 'now' | 'scheduledFor'>,
): boolean {
  if (healthProblem?.code !== STALE_DATA) return false
  const waited = now.getTime() - scheduledFor.getTime()
  const newest = FIRST_PAUSE * 2 ** Math.floor(Math.log2(Math.max(waited, 1) / FIRST_PAUSE))
  return waited >= FIRST_PAUSE && waited - newest < BETWEEN_TRIES
}

/** In the order in which they are looked for: the first one counts, and later ones are not asked about. */
const OBSTACLES: readonly ((run: DueRun) => Obstacle | undefined | Promise<Obstacle | undefined>)[] = [
  missedRun,
  closedMarket,
  earlierDecision,
  abandonedOrders,
  tickerChange,
  newModel,
  accountTrouble,
]

async function firstObstacle(run: DueRun): Promise<Obstacle | undefined> {
  let found: Obstacle | undefined
  for (const find of OBSTACLES) found ??= await find(run)
  return found
}

async function stepAside({ deps, deployment, snapshot }: DueRun, obstacle: Obstacle): Promise<void> {
  const { next, note, line, isCancelling, problem } = obstacle
  if (problem) throw problem
  if (note) await deps.note(note)
  if (line) deps.deploymentLog.write(deployment.id, 'WARNING', line)
  if (isCancelling) await cancelOpen(deps, snapshot.broker, deployment)
  const missed = note?.code === RUN_MISSED ? { runMissedAt: deps.clock.now() } : {}
  if (next === 'skip') await scheduleNext(deps, deployment, snapshot.time, missed)
}

const RUN_MISSED = 'run-missed'

function missedRun({ deployment: { healthProblem }, time }: DueRun): Obstacle | undefined {
  const why = healthProblem ? ` ${healthProblem.sentence}` : ''
  const sentence = `The run of ${time.scheduledFor.toISOString()} was missed.${why}`
  return time.now >= time.runsOutAt
    ? { next: 'skip', note: { code: RUN_MISSED, level: 'warning', sentence } }
    : undefined
}

/** An exchange that is closed takes no orders that are meant for now; coins always trade. */
function closedMarket({ deployment, snapshot }: DueRun): Obstacle | undefined {
  return snapshot.time.isOpen || tradesCoinsOnly(deployment)
    ? undefined
    : { next: 'skip', line: 'Status: the broker says that the market is closed, this run is skipped' }
}

const ordersStillOpen: Obstacle = {
  next: 'skip',
  note: {
    code: 'orders-still-open',
    level: 'warning',
    sentence: 'Orders of the last decision are still open; they are cancelled and this run is skipped.',
  },
  isCancelling: true,
}

async function earlierDecision({ deps, deployment, snapshot, time }: DueRun): Promise<Obstacle | undefined> {
  const { broker, reconciliation } = snapshot
  const decision = await stillAtWork(deps, deployment, snapshot)
  // Decided for this very run before a crash: it is being carried out, only the next run was not written yet.
  const isOfThisRun = decision?.decidedFor.getTime() === time.scheduledFor.getTime()
  const hasEnded = decision && !isOfThisRun && (await ordersHaveEnded(deps, broker, deployment))
  // The next poll books what was filled and carries the decision to its end; this run is due until then.
  const untilBooked = disagreed(reconciliation) ?? { next: 'wait' as const }
  const whileOpen = isOfThisRun ? { next: 'skip' as const } : ordersStillOpen
  return decision && (hasEnded ? untilBooked : whileOpen)
}

/** One that was carried on a moment ago may have ended by that. */
const stillAtWork = async (
  { database }: RunDeps,
  { id }: Deployment,
  { atWork }: AccountSnapshot,
): Promise<Decision | undefined> => (atWork.has(id) ? (await database.decisions.atWork([id])).get(id) : undefined)

/** An order that was given up may have arrived all the same: until it has ended, what is held is not known. */
async function abandonedOrders({ deps, deployment, snapshot }: DueRun): Promise<Obstacle | undefined> {
  return snapshot.reconciliation.mayHaveOrders(deployment.id) && (await openOrders(deps, deployment)).length > 0
    ? { next: 'wait', isCancelling: true }
    : undefined
}

/** Asked now: the change may have been booked by this very poll, or the user may have just chosen. */
async function tickerChange({ deps: { database }, deployment }: DueRun): Promise<Obstacle | undefined> {
  const changes = await database.tickerChanges.of([deployment.id])
  if (changes.length > 0) return { next: 'wait', problem: undecided(changes) }
  const current = await database.deployments.byId(deployment.id)
  return current && isMappedAlike(current, deployment) ? undefined : { next: 'wait' }
}

/** Training takes its time: the account is read again before the model decides. */
async function newModel(run: DueRun): Promise<Obstacle | undefined> {
  const { deps, deployment } = run
  const isWaiting = isRetrained(deployment)
    ? await awaitsTraining(run)
    : (await prepareModel(deps, deployment)) === 'trained'
  return isWaiting ? { next: 'wait' } : undefined
}

/**
 * The model of a new walk-forward window is trained beside the trading, before it is due. A run that comes first waits for
 * it until half of its time has passed, and goes on by the model before; there is nothing to go on by without any.
 */
async function awaitsTraining({ deps, deployment, time }: DueRun): Promise<boolean> {
  if (!isTrainingDue(deployment, deps.clock.now())) return false
  const patience = (time.scheduledFor.getTime() + time.runsOutAt.getTime()) / 2
  return time.now.getTime() < patience || (await lacksModel(deps, deployment))
}

const lacksModel = async (deps: RunDeps, deployment: Deployment): Promise<boolean> =>
  (await deps.database.models.versions(deployment.id, recipeOf(deployment))).length === 0

/** While executions are coming in, the next poll will see an account that stands still. */
function accountTrouble({ deps, deployment, snapshot: { reconciliation } }: DueRun): Obstacle | undefined {
  return reconciliation.verdict === 'moving'
    ? { next: 'wait' }
    : (disagreed(reconciliation) ?? blocked(reconciliation) ?? lostTooMuch(deps, deployment, reconciliation))
}

function lostTooMuch({ limits }: RunDeps, deployment: Deployment, known: Reconciliation): Obstacle | undefined {
  const sentence = lossOfAccount(limits, deployment, known)
  return sentence === undefined
    ? undefined
    : { next: 'wait', problem: new Problem('conflict', 'deployment.account-loss', sentence) }
}

const disagreed = ({ verdict, disagreement: why }: Reconciliation): Obstacle | undefined =>
  verdict === 'disagreed' ? { next: 'wait', problem: disagreement(why!) } : undefined

function blocked({ account: { blockedBecause: reason } }: Reconciliation): Obstacle | undefined {
  const sentence = `The broker accepts no orders for this account: ${reason}`
  return reason === undefined
    ? undefined
    : { next: 'wait', problem: new Problem('conflict', 'deployment.blocked', sentence) }
}

async function scheduleNext(
  deps: RunDeps,
  deployment: Deployment,
  time: MarketTime,
  missed: Pick<DeploymentChange, 'runMissedAt'>,
): Promise<void> {
  const nextRunAt = missed.runMissedAt ? runAfterMissed(deployment, time) : nextRunOf(deployment, time)
  await deps.database.deployments.change(deployment.id, { nextRunAt, ...missed })
  tellNextRun(deps, deployment, nextRunAt)
}

const tellNextRun = (
  { deploymentLog }: Pick<RunDeps, 'deploymentLog'>,
  { id }: Deployment,
  nextRunAt: Date | null,
): void => deploymentLog.write(id, 'INFO', `Next Execution: ${nextRunAt?.toISOString() ?? 'never'}`)
