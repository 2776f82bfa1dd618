import { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import { heldSentence, isHeldBack, orderName } from '@tradewright/engine/live/held-orders'
import { averageCosts } from '@tradewright/engine/trading/ledger/average-cost'
import { valueOf } from '@tradewright/engine/trading/ledger/books'
import { marginWarning } from '@tradewright/engine/trading/margin'
import { findDeployment } from './control.ts'
import { haltSentences } from './cycle/halts.ts'
import { type Decision, isOpen, type OrderIntent } from './decision.ts'
import { type Deployment, deploymentMissing, dueTo } from './deployment.ts'
import { DISAGREEMENT, staleComparison } from './health.ts'
import type { LiveDeps } from './deps.ts'
import type { AccountState } from './ports/books.ts'
import type { DeploymentHoldings } from './ports/deployments.ts'
import type { Activity, Snapshot, StoredReplay } from './ports/journal.ts'
import type { Attendance } from './ports/leases.ts'
import type { ModelDescription } from './ports/models.ts'
import type { TickerChange } from './ports/ticker-changes.ts'
import { HELD } from './refuse-held.ts'
import { recipeOf } from './retraining/recipe.ts'
import { sentenceOf, TICKER_CHANGE } from './ticker-changes/hold.ts'
import { tradedTickers } from './traded-tickers.ts'

type Needs = Pick<LiveDeps, 'database' | 'gate'>

/** A deployment with what it owns and is worth. */
export interface DeploymentView extends DeploymentHoldings {
  /** What its user has to choose before it decides again. */
  readonly tickerChanges: readonly TickerChange[]
  readonly value: Usd
  readonly pnl: Usd
}

export async function viewDeployments({ database }: Needs, userId: number): Promise<DeploymentView[]> {
  return toViews(database, await database.deployments.holdings(userId))
}

export async function viewDeployment({ database }: Needs, userId: number, id: number): Promise<DeploymentView> {
  const [view] = await toViews(database, await database.deployments.holdings(userId, id))
  if (!view) throw deploymentMissing()
  return view
}

async function toViews(
  { tickerChanges }: Needs['database'],
  all: readonly DeploymentHoldings[],
): Promise<DeploymentView[]> {
  const changes = await tickerChanges.of(all.map(({ deployment }) => deployment.id))
  return all.map((holdings) => {
    const { deployment, slice, prices } = holdings
    const value = valueOf(slice, (ticker) => prices.get(ticker)).plus(dueTo(deployment))
    const own = changes.filter(({ deploymentId }) => deploymentId === deployment.id)
    return { ...holdings, value, pnl: value.minus(deployment.totals.net), tickerChanges: own }
  })
}

interface Health {
  readonly light: 'green' | 'yellow' | 'red' | 'idle'
  readonly reasons: readonly string[]
  readonly reconciledAt: Date | null
  readonly booksAgree: boolean | null
  readonly isAttended: boolean
}

export interface Overview {
  readonly view: DeploymentView
  readonly equity: readonly Snapshot[]
  readonly replay: StoredReplay | undefined
  readonly lastDecision: Decision | undefined
  readonly orders: readonly OrderIntent[]
  readonly health: Health
  /** What a share of each holding cost on average. */
  readonly averageCosts: ReadonlyMap<string, Usd>
  /** Oldest first; the last one is the newest. */
  readonly models: readonly ModelDescription[]
  readonly isEmergencyStopped: boolean
}

const CURVE_POINTS = 1000
const NEWEST_ORDERS = 50

export async function deploymentOverview(
  deps: Needs & Pick<LiveDeps, 'clock'>,
  userId: number,
  id: number,
): Promise<Overview> {
  const { database, gate } = deps
  const view = await viewDeployment(deps, userId, id)
  const [equity, replay, lastDecision, orders, models, state, attendance, movements] = await Promise.all([
    database.journal.snapshots(id, CURVE_POINTS),
    database.journal.replay(id),
    database.decisions.latest(id),
    database.orders.newest(id, NEWEST_ORDERS),
    database.models.versions(id, recipeOf(view.deployment)),
    database.books.state(view.deployment.accountId),
    database.leases.attendance(id),
    database.books.movements(id),
  ])
  const { deployment } = view
  const health = healthOf(view, orders, { attendance, state, lastDecision, now: deps.clock.now() })
  const isEmergencyStopped = deployment.emergencyStoppedAt !== null || gate.isClosed(deployment)
  const costs = averageCosts(
    id,
    movements.map(({ type, legs, amount }) => ({
      legs,
      amount,
      keepsCost: type === 'SPLIT' || type === 'CORPORATE_ACTION',
    })),
  )
  return { view, equity, replay, lastDecision, orders, health, models, isEmergencyStopped, averageCosts: costs }
}

/** One holding, or one that the last decision wanted. */
export interface Holding {
  readonly ticker: string
  readonly quantity: Decimal
  readonly price: Usd | undefined
  readonly value: Usd | undefined
  /** Parts of what the deployment is worth; undefined where that is not known, or nothing was decided. */
  readonly weight: number | undefined
  readonly target: number | undefined
}

/** What is held against what the last decision wanted, the largest first. */
export function holdingsOf(
  { slice, prices, value }: Pick<DeploymentView, 'slice' | 'prices' | 'value'>,
  lastDecision: Pick<Decision, 'signal'> | undefined,
): Holding[] {
  const wanted = new Map<string, number>()
  // A decision that was taken over from the broker lacks its targets.
  const isKnown = lastDecision !== undefined && lastDecision.signal.isAdopted !== true
  if (isKnown)
    for (const { ticker, weight } of lastDecision.signal.weights) wanted.set(ticker, (wanted.get(ticker) ?? 0) + weight)
  const tickers = [
    ...slice.positions.keys(),
    ...[...wanted].flatMap(([ticker, weight]) => (weight === 0 ? [] : ticker)),
  ]
  const total = value.toNumber()
  return [...new Set(tickers)]
    .map((ticker) => {
      const quantity = slice.positions.get(ticker) ?? Decimal.zero
      const price = prices.get(ticker)
      const worth = quantity.isZero ? Decimal.zero : price?.times(quantity)
      return {
        ticker,
        quantity,
        price,
        value: worth,
        weight: worth && total !== 0 ? worth.toNumber() / total : undefined,
        target: isKnown ? (wanted.get(ticker) ?? 0) : undefined,
      }
    })
    .toSorted((a, b) => Math.abs(b.target ?? b.weight ?? 0) - Math.abs(a.target ?? a.weight ?? 0))
}

/** What a card of the list says. */
export interface DeploymentGlance {
  readonly id: number
  readonly light: Health['light']
  readonly holdings: readonly Holding[]
  readonly lastDecision: Pick<Decision, 'decidedAt' | 'outcome' | 'reason'> | undefined
}

export async function deploymentGlances(
  deps: Needs & Pick<LiveDeps, 'clock' | 'log'>,
  userId: number,
): Promise<DeploymentGlance[]> {
  const { database, clock, log } = deps
  const views = await viewDeployments(deps, userId)
  const ids = views.map(({ deployment }) => deployment.id)
  const accounts = [...new Set(views.map(({ deployment }) => deployment.accountId))]
  const [latest, attendances, states] = await Promise.all([
    database.decisions.latestOf(ids),
    database.leases.attendances(ids),
    database.books.states(accounts),
  ])
  return views.flatMap((view) => {
    const { id, accountId } = view.deployment
    const lastDecision = latest.get(id)
    const attendance = attendances.get(id) ?? 'none'
    try {
      const { light } = healthOf(view, [], { attendance, lastDecision, state: states.get(accountId), now: clock.now() })
      return { id, light, holdings: holdingsOf(view, lastDecision), lastDecision }
    } catch (error) {
      // As in the list, a deployment that cannot be read leaves the others.
      log.warn({ err: error, deploymentId: id }, 'a deployment cannot be read')
      return []
    }
  })
}

/** Why it does not trade, or would not if it ran, as sentences. */
export function problemsOf({ deployment, tickerChanges, disagreement }: DeploymentView): string[] {
  const { healthProblem, status } = deployment
  const isDisagreement = healthProblem?.code === DISAGREEMENT
  // What does not run has no process that takes a disagreement back: that of the account counts.
  const isOld = isDisagreement && status !== 'running'
  const isTold = healthProblem !== null && healthProblem.code !== TICKER_CHANGE && !isOld
  return [
    ...(isTold ? [healthProblem.sentence] : []),
    ...(disagreement !== null && (!isTold || !isDisagreement) ? [disagreement] : []),
    ...tickerChanges.map(sentenceOf),
  ]
}

/** What the last decision wanted and did not get. */
function missing(
  { status, lastTrade, heldOrders = [] }: Deployment,
  orders: readonly OrderIntent[],
  now: Date,
): string[] {
  if (status === 'stopped' || lastTrade?.isComplete !== false) return []
  const newest = orders[0]?.decisionId
  const lacking = orders.filter((one) => one.decisionId === newest && !isOpen(one) && one.state !== 'filled')
  const waiting = new Set(heldOrders.filter((one) => isHeldBack(one, now.getTime())).map(orderName))
  const unheld = lacking.filter((one) => !waiting.has(orderName(one)))
  // Each of them has a sentence of its own.
  if (lacking.length > 0 && unheld.length === 0) return []
  const unfilled = unheld.map(
    ({ side, ticker, state, reason }) => `${side} ${ticker}: ${state}${reason === null ? '' : ` (${reason})`}`,
  )
  const which = unfilled.length === 0 ? 'the activity says what and why' : unfilled.join('; ')
  return [`Not everything that the last decision wanted was traded: ${which}. The next decision tries again.`]
}

/** Parts of a deployment that are too small for a whole share, or for the broker's minimum, are nothing that is missing. */
const SMALLEST_GAP = 0.02

/** What the last decision wanted and is not held at all, and what it did not want and is held, whatever became of its orders. */
function offTarget(
  view: DeploymentView,
  lastDecision: Pick<Decision, 'signal' | 'outcome'> | undefined,
  told: ReadonlySet<string>,
): string[] {
  const { status, lastTrade, settings } = view.deployment
  const isOver = lastDecision?.outcome === 'done' || lastDecision?.outcome === 'held'
  if (status === 'stopped' || settings.dryRun || !isOver || lastTrade?.isComplete !== true) return []
  return holdingsOf(view, lastDecision).flatMap(({ ticker, quantity, weight = 0, target }) => {
    if (target === undefined || told.has(ticker)) return []
    const percent = (share: number) => `${(100 * share).toFixed(1)}%`
    if (quantity.isZero && Math.abs(target) >= SMALLEST_GAP)
      return [`${ticker}: nothing is held against a target of ${percent(target)}.`]
    return target === 0 && Math.abs(weight) >= SMALLEST_GAP
      ? [`${ticker}: ${percent(weight)} is held, and nothing of it is wanted.`]
      : []
  })
}

/** Said before the broker would act on it; without a price of every position nothing is known. */
function nearMargin({ slice, prices, value }: DeploymentView): string[] {
  const positions = [...slice.positions].map(([ticker, quantity]) => {
    const price = prices.get(ticker)
    return price && { ticker, marketValue: quantity.times(price).toNumber() }
  })
  if (!positions.every((position) => position !== undefined)) return []
  const warning = marginWarning(value.toNumber(), positions)
  return warning === undefined ? [] : [warning]
}

const tickersOf = ({ deployment, slice }: DeploymentView): ReadonlySet<string> =>
  new Set([...tradedTickers(deployment), ...slice.positions.keys()])

const NOT_LISTED_YET = 'Broker and books differ: an execution is not listed by the broker yet.'

function healthOf(
  view: DeploymentView,
  orders: readonly OrderIntent[],
  {
    attendance,
    state,
    lastDecision,
    now,
  }: {
    attendance: Attendance
    lastDecision: Pick<Decision, 'signal' | 'outcome'> | undefined
    state: Pick<AccountState, 'comparedAt' | 'disagreement' | 'movingSince' | 'halts'> | undefined
    now: Date
  },
): Health {
  const { status, retrainingProblem } = view.deployment
  const reasons = problemsOf(view)
  const open = orders.filter(isOpen).length
  const held = (view.deployment.heldOrders ?? []).filter((one) => isHeldBack(one, now.getTime()))
  const explained = new Set([
    ...held.map(({ ticker }) => ticker),
    ...(state?.halts.keys() ?? []),
    ...orders.filter(isOpen).map(({ ticker }) => ticker),
  ])
  const waits = [
    ...(attendance === 'held'
      ? [HELD]
      : status === 'running' && attendance === 'none'
        ? ['No process is running it yet.']
        : []),
    ...missing(view.deployment, orders, now),
    ...offTarget(view, lastDecision, explained),
    ...nearMargin(view),
    ...held.map(heldSentence),
    ...haltSentences(state?.halts ?? new Map(), tickersOf(view)),
    ...(open > 0 ? [`${open} ${open === 1 ? 'order is' : 'orders are'} open.`] : []),
    ...(retrainingProblem === null ? [] : [retrainingProblem]),
    ...(status === 'paused' ? ['No orders are sent until it is resumed.'] : []),
    ...(state?.movingSince && !state.disagreement ? [NOT_LISTED_YET] : []),
    ...staleComparison(status, state, now),
  ]
  return {
    light: reasons.length > 0 ? 'red' : waits.length > 0 ? 'yellow' : status === 'running' ? 'green' : 'idle',
    reasons: [...reasons, ...waits],
    reconciledAt: state?.comparedAt ?? null,
    booksAgree: state?.comparedAt ? state.disagreement === null && state.movingSince === null : null,
    isAttended: attendance === 'attended',
  }
}

export type ActivityEntry =
  { readonly at: Date; readonly activity: Activity } | { readonly at: Date; readonly trade: OrderIntent }

/** Signals, events and trades together, newest first. */
export async function deploymentActivity(
  deps: Needs,
  userId: number,
  id: number,
  limit: number,
): Promise<ActivityEntry[]> {
  await findDeployment(deps, userId, id)
  const [told, orders] = await Promise.all([
    deps.database.journal.activity(id, limit),
    deps.database.orders.newest(id, limit),
  ])
  const trades = orders.map((trade) => ({ at: trade.createdAt, trade }))
  return [...told, ...trades].sort((a, b) => b.at.getTime() - a.at.getTime()).slice(0, limit)
}
