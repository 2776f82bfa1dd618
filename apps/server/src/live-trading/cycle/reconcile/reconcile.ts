import { Decimal } from '@tradewright/core/decimal'
import { Problem } from '@tradewright/core/problem'
import { DAY, epochDayOf } from '@tradewright/core/time'
import type { Broker } from '@tradewright/engine/trading/broker'
import { isDistribution, isExternalFlow } from '@tradewright/engine/trading/account-activity'
import { openingEntry } from '@tradewright/engine/trading/ledger/broker-entries'
import { accountTotal } from '@tradewright/engine/trading/ledger/books'
import { SYSTEM } from '../../actor.ts'
import { isOpen, type OrderIntent } from '../../decision.ts'
import type { AccountState } from '../../ports/books.ts'
import type { LiveStores } from '../../ports/database.ts'
import { isLate, movingSinceOf } from './moving.ts'
import type { AccountNews, BookedSplit } from './book-actions.ts'
import { adoptOrders, coverPurchases, otherInstallations, type StrayOrders, strayOrders } from './adopt-orders.ts'
import { bookFills } from './book-fills.ts'
import { bookMoney } from './book-money.ts'
import { type BrokerSnapshot, snapshotOfBroker, pricesAtBroker, sliceAtBroker } from './broker-snapshot.ts'
import { confirmActions } from './confirm-actions.ts'
import { confirmSplits } from './confirm-splits.ts'
import { withExDays } from './dividends.ts'
import { explainDifferences } from './explain-differences.ts'
import { bookUnlistedFills } from './unlisted-fills.ts'
import { tradedTickers } from '../../traded-tickers.ts'
import type { BrokerageAccountRef, CycleDeps, Reconciliation } from '../types.ts'

/** Executions are read again over this long, for brokers that list them late; each is booked once. */
export const OVERLAP = 2 * DAY
const MAX_TRIES = 4

type ReconcileDeps = Pick<
  CycleDeps,
  'database' | 'clock' | 'onStep' | 'deploymentLog' | 'notify' | 'log' | 'actor' | 'alert'
> & { readonly signalService: Pick<CycleDeps['signalService'], 'splits' | 'dividends' | 'listedActions'> }

interface ReconcileOptions {
  /** Reads the last 30 days, orders that have ended included, whatever was seen before. */
  readonly isThorough?: boolean
  /** Called for each order that is taken over. */
  readonly onAdopted?: (adopted: AccountNews) => void
}

/**
 * Brings the books up to what the broker says: ends of orders, executions, dividends, splits, money in and out. Orders
 * of ours that the journal lost are taken over first. The same at start-up and at run time. What it cannot explain it does not touch; it says so, and no deployment of the
 * account trades until it is resolved.
 */
export async function reconcile(
  deps: ReconcileDeps,
  broker: Broker,
  ref: BrokerageAccountRef,
  { isThorough = false, onAdopted = () => {} }: ReconcileOptions = {},
): Promise<Reconciliation> {
  const splits = new Map<string, readonly Decimal[]>()
  let last: Reconciliation | undefined
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const now = deps.clock.now()
    const before = await deps.database.books.state(ref.accountId)
    const state = before ?? (await openBooks(deps, broker, ref))
    const asked = await deps.database.orders.unsettled(ref.accountId)
    const month = sinceMonth(state, now)
    const usual = state.eventsSince.getTime() - OVERLAP
    const since = isThorough ? Math.min(usual, month) : usual
    // An ended order whose executions are not listed explains a difference; what others ordered before the books began
    // says whose account this is.
    const asksOrders = isThorough || !before || state.disagreement !== null
    const reading = {
      activitiesSince: isThorough || isFirstOfDay(state, now) ? Math.min(usual, month) : usual,
      held: await tickersOf(deps.database, ref.accountId, isThorough),
      ordersSince: asksOrders ? (before ? Math.min(usual, month) : now.getTime() - CORRECTED_FOR) : undefined,
    }
    const read = await snapshotOfBroker(broker, since, asked, reading)
    const snapshot = { ...read, activities: await withExDays(deps, ref, read.activities) }
    const foreignSince = before ? state.openedAt : new Date(0)
    const strays = await strayOrders(deps.database, broker, ref.accountId, snapshot, foreignSince)
    deps.onStep('broker-read')
    const outcome = await deps.database.transaction((stores) =>
      book(deps, stores, ref, state, { ...snapshot, strays }, asked, splits),
    )
    if (outcome === 'overtaken') continue
    deps.onStep('fills-committed')
    outcome.adopted.forEach(onAdopted)
    for (const { id, message, level } of outcome.told)
      deps.deploymentLog.write(id, level === 'info' ? 'INFO' : 'WARNING', `Status: ${message}`)
    await confirmSplits(deps, ref.userId, outcome.splits)
    if (outcome.hasActions || isFirstOfDay(state, deps.clock.now())) await confirmActions(deps, ref)
    last = outcome.result
    await adoptLate(deps, broker, outcome.late)
    const hasAgreed = last.verdict === 'agreed'
    const mayExplain = !hasAgreed && (await findSplits(deps, ref, outcome.unexplained, splits))
    if (hasAgreed || (snapshot.isStill && !mayExplain)) return last
  }
  return last ?? (await overtakenTooOften(deps, broker, ref))
}

/** A broker corrects an activity for weeks after it; once a day they are all read again. */
const CORRECTED_FOR = 30 * DAY

const isFirstOfDay = ({ eventsSince }: AccountState, now: Date): boolean =>
  epochDayOf(eventsSince.getTime()) < epochDayOf(now.getTime())

/** Events of the overlap before the opening were seen then, earlier ones never were. */
const sinceMonth = ({ openedAt }: AccountState, now: Date): number =>
  Math.max(now.getTime() - CORRECTED_FOR, openedAt.getTime() - OVERLAP)

/** What the books hold; thoroughly, also what deployments may have bought and sold again. */
async function tickersOf(
  { books, deployments }: LiveStores,
  accountId: number,
  isThorough: boolean,
): Promise<string[]> {
  const held = accountTotal(await books.books(accountId)).positions.keys()
  const present = isThorough ? await deployments.onAccount(accountId) : []
  return [...new Set([...held, ...present.flatMap(tradedTickers)])]
}

/** Adds the splits of tickers that were not asked about before; true where there are any. */
async function findSplits(
  { signalService, clock }: Pick<ReconcileDeps, 'signalService' | 'clock'>,
  { userId }: BrokerageAccountRef,
  tickers: readonly string[],
  splits: Map<string, readonly Decimal[]>,
): Promise<boolean> {
  const today = epochDayOf(clock.now().getTime())
  const unasked = tickers.filter((ticker) => !splits.has(ticker))
  for (const ticker of unasked) splits.set(ticker, await signalService.splits(userId, ticker, today - 10, today))
  return unasked.some((ticker) => splits.get(ticker)!.length > 0)
}

/** Others keep moving this account; what is known is shown, and nothing is sent. */
async function overtakenTooOften(
  { database }: Pick<CycleDeps, 'database'>,
  broker: Broker,
  { accountId }: BrokerageAccountRef,
): Promise<Reconciliation> {
  const [account, books, state] = [
    await broker.account(),
    await database.books.books(accountId),
    await database.books.state(accountId),
  ]
  const prices = state?.prices ?? new Map<string, Decimal>()
  const nothing = {
    disagreement: null,
    otherInstallations: null,
    externalFlow: Decimal.zero,
    quotes: new Map<string, Decimal>(),
    halts: new Map(),
    unheard: [],
    mayHaveOrders: () => true,
  }
  return { ...nothing, verdict: 'moving', account, books, prices }
}

async function openBooks(
  { database, clock }: Pick<CycleDeps, 'database' | 'clock'>,
  broker: Broker,
  { accountId, userId }: BrokerageAccountRef,
): Promise<AccountState> {
  const at = clock.now()
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const snapshot = await snapshotOfBroker(broker, at.getTime() - OVERLAP, [])
    if (!snapshot.isStill) continue
    return database.transaction(async ({ books }) => {
      if (await books.open(accountId, userId, at, at)) {
        // Earlier events are in the opening figures already.
        await books.see(accountId, eventsOf(snapshot))
        await books.post(accountId, [openingEntry(at.getTime(), sliceAtBroker(snapshot))], pricesAtBroker(snapshot))
      }
      return (await books.state(accountId))!
    })
  }
  throw new Problem('unavailable', 'account.moving', 'The account is trading. Please try again in a moment.')
}

const eventsOf = ({ fills, activities }: BrokerSnapshot) => [
  ...fills.map(({ executionId, at }) => ({ key: `fill:${executionId}`, at: new Date(at) })),
  ...activities.map(({ id, at }) => ({ key: `activity:${id}`, at: new Date(at) })),
]

interface Booked {
  readonly result: Reconciliation
  /** Tickers whose difference only a split could explain. */
  readonly unexplained: readonly string[]
  /** Orders that were given up and have executions all the same. */
  readonly late: readonly OrderIntent[]
  readonly told: readonly Told[]
  readonly adopted: readonly AccountNews[]
  /** Splits that the broker listed. */
  readonly splits: readonly BookedSplit[]
  /** Whether it listed any other corporate action that was booked. */
  readonly hasActions: boolean
}

async function book(
  deps: Pick<CycleDeps, 'clock' | 'onStep'>,
  stores: LiveStores,
  { accountId }: BrokerageAccountRef,
  seen: AccountState,
  snapshot: BrokerSnapshot & { readonly strays: StrayOrders },
  asked: readonly OrderIntent[],
  splits: ReadonlyMap<string, readonly Decimal[]>,
): Promise<Booked | 'overtaken'> {
  const { books, orders, deployments } = stores
  // Before the books, as decisions do: what is taken over, and what was due, changes deployments.
  const isChanging = snapshot.strays.own.length > 0 || snapshot.activities.some(isDistribution)
  if (isChanging) await deployments.lockAll((await deployments.onAccount(accountId)).map(({ id }) => id))
  const state = await books.lock(accountId)
  // An entry was booked since the broker was asked: the snapshot is older than the books, and would undo what it did
  // not see.
  if (state?.version !== seen.version) return 'overtaken'
  const at = deps.clock.now()
  const prices = new Map([...state.prices, ...pricesAtBroker(snapshot)])
  const { own: strays, foreign } = snapshot.strays
  const adopted = await adoptOrders(stores, accountId, strays, at)
  await books.noteForeign(accountId, foreign)
  for (const order of snapshot.orders) await orders.adopt(order, at)
  const { late, news: traded } = await bookFills(stores, accountId, snapshot, { prices, at })
  deps.onStep('fills-written')
  const corrected = await bookMoney(stores, accountId, snapshot, { prices, at })
  const isOverdue = snapshot.isStill && isLate(state, at)
  const unlisted = isOverdue ? await bookUnlistedFills(stores, accountId, snapshot, { prices, at }) : []
  const unsettled = await orders.unsettled(accountId)
  const open = unsettled.filter((intent) => !snapshot.unknown.has(intent.clientOrderId))
  const {
    disagreement: difference,
    isMoving,
    unexplained,
    news: explained,
  } = await explainDifferences(stores, accountId, snapshot, {
    prices,
    at,
    open,
    splits,
    isLate: isLate(state, at),
  })
  const others = otherInstallations(((await books.state(accountId)) ?? state).foreignOrders)
  const disagreement = [difference, others].filter((sentence) => sentence !== null).join(' ') || null
  const covered = await coverPurchases(stores, accountId, strays, prices, at)
  const happened = [
    ...adopted,
    ...covered,
    ...traded,
    ...unlisted.map((message) => ({ message })),
    ...corrected,
    ...explained,
  ]
  const news = happened.length > 0 ? await tellDeployments(stores, accountId, happened, at) : []
  const verdict = disagreement !== null ? 'disagreed' : isMoving || !snapshot.isStill ? 'moving' : 'agreed'
  const { cash, equity, buyingPower, leverageLimit } = snapshot.account
  const eventsSince = snapshot.isStill ? at : state.eventsSince
  const told = verdict === 'moving' ? state.disagreement : disagreement
  const movingSince = movingSinceOf(state, verdict, at)
  const figures = { cash, equity, buyingPower, leverageLimit, prices: trustedPrices(state, prices, unexplained) }
  await books.note(accountId, { at, disagreement: told, movingSince, eventsSince, ...figures })
  const unheard = asked.filter((intent) => snapshot.unknown.has(intent.clientOrderId) && isOpen(intent))
  const now = await books.books(accountId)
  const quotes = pricesAtBroker(snapshot)
  const owners = new Set([...unsettled, ...late].map(({ deploymentId }) => deploymentId))
  const mayHaveOrders = (deploymentId: number) => owners.has(deploymentId)
  const externalFlow = flowOfDay(snapshot, at)
  const seenNow = {
    account: snapshot.account,
    externalFlow,
    books: now,
    prices: figures.prices,
    quotes,
    halts: state.halts,
    unheard,
    mayHaveOrders,
  }
  const booked = explained.flatMap(({ split }) => split ?? [])
  const hasActions = explained.some(({ isAction }) => isAction)
  return {
    result: { verdict, disagreement, otherInstallations: others, ...seenNow },
    unexplained,
    late,
    told: news,
    adopted,
    splits: booked,
    hasActions,
  }
}

/** What the books hold of a ticker may be from before a split while the broker's price is from after it: that one stays. */
const trustedPrices = (
  { prices: before }: AccountState,
  prices: ReadonlyMap<string, Decimal>,
  unexplained: readonly string[],
): ReadonlyMap<string, Decimal> =>
  new Map([
    ...prices,
    ...unexplained.flatMap((ticker) => (before.has(ticker) ? [[ticker, before.get(ticker)!] as const] : [])),
  ])

const flowOfDay = ({ activities }: BrokerSnapshot, at: Date): Decimal =>
  activities
    .filter(
      (activity) =>
        isExternalFlow(activity) && activity.state !== 'canceled' && activity.day === epochDayOf(at.getTime()),
    )
    .reduce((sum, { netAmount }) => sum.plus(netAmount), Decimal.zero)

/** An order that was given up reached the broker after all. */
async function adoptLate(
  { database, clock }: Pick<CycleDeps, 'database' | 'clock'>,
  broker: Broker,
  late: readonly OrderIntent[],
): Promise<void> {
  for (const { clientOrderId } of late) {
    const order = await broker.orderByClientId(clientOrderId)
    if (order) await database.orders.adopt(order, clock.now())
  }
}

interface Told {
  readonly id: number
  readonly message: string
  readonly level: 'info' | 'warning'
}

/** Writes events of the account to the activity of the deployments that they concern, with the books that show them. */
async function tellDeployments(
  { deployments, journal }: LiveStores,
  accountId: number,
  news: readonly AccountNews[],
  at: Date,
): Promise<Told[]> {
  const present = (await deployments.onAccount(accountId))
    .filter(({ status }) => ACTIVE.has(status))
    .map(({ id }) => id)
  const told = news.flatMap(({ deploymentId, message, level = 'info' }) =>
    (deploymentId === undefined ? present : [deploymentId]).map((id) => ({ id, message, level })),
  )
  await journal.tell(
    told.map(({ id, message, level }) => ({
      deploymentId: id,
      at,
      activity: { type: 'event', level, message, actor: SYSTEM },
    })),
  )
  return told
}

const ACTIVE: ReadonlySet<string> = new Set(['running', 'paused'])
