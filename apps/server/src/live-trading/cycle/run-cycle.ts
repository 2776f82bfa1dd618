import { Decimal } from '@tradewright/core/decimal'
import { Problem } from '@tradewright/core/problem'
import { epochDayOf, MINUTE } from '@tradewright/core/time'
import type { TradingCalendar } from '@tradewright/engine/market/calendar/trading-calendar'
import type { Broker } from '@tradewright/engine/trading/broker'
import { type Slice, sliceOf, valueOf } from '@tradewright/engine/trading/ledger/books'
import { percentRebalance } from '@tradewright/engine/trading/ledger/capital-entries'
import type { Decision, DecisionOutcome, OrderIntent } from '../decision.ts'
import type { Deployment } from '../deployment.ts'
import { withEntries } from '../capital/totals.ts'
import type { LiveStores } from '../ports/database.ts'
import { confidenceOf, propose, type Proposal, signalTypeOf, tradeInputs, tradesCoinsOnly } from './decide.ts'
import type { CycleDeps } from './deps.ts'
import { placeOrders } from './place-orders.ts'
import { intentsOf, plannedOf, purchases, sales } from './plan-trades.ts'
import type { Reconciliation } from './reconcile.ts'
import { report } from './report.ts'

export interface CycleTime {
  /** The instant it is scheduled for: the decision's name, whenever it is really made. */
  readonly scheduledFor: Date
  readonly runsOutAt: Date
  readonly calendar: TradingCalendar
  /** By the broker's clock. */
  readonly now: Date
}

/** A decision is carried out within this long, or it is another market. */
const LONGEST_EXECUTION = 15 * MINUTE

/** One decision: proposed, journaled in one transaction with its orders, and only then sent. */
export async function runCycle(
  deps: CycleDeps,
  broker: Broker,
  deployment: Deployment,
  reconciliation: Reconciliation,
  time: CycleTime,
): Promise<Decision | undefined> {
  const proposal = await propose(deps, broker, deployment, reconciliation, time.now, time.calendar)
  const written = await deps.database.transaction((stores) =>
    write(deps, stores, deployment, reconciliation, proposal, time),
  )
  if (!written) return undefined
  deps.onStep('decision-committed')
  const { decision, intents, notes } = written
  for (const note of notes) await report(deps, deployment, note.startsWith('Insufficient') ? 'error' : 'warning', note)
  if (intents.length > 0) {
    deps.deploymentLog.write(deployment.id, 'INFO', `Executing Trades: ${intents.length} orders`)
    await placeOrders(deps, broker, deployment, decision, intents)
  }
  return decision
}

interface Written {
  readonly decision: Decision
  readonly intents: readonly OrderIntent[]
  readonly notes: readonly string[]
}

async function write(
  deps: CycleDeps,
  stores: LiveStores,
  known: Deployment,
  reconciliation: Reconciliation,
  proposal: Proposal,
  time: CycleTime,
): Promise<Written | undefined> {
  const { scheduledFor, now } = time
  const deployment = await stillMine(deps, stores, known)
  const state = await stores.books.lock(deployment.accountId)
  if (state?.disagreement) throw disagreement(state.disagreement)
  const unsettled = await stores.orders.unsettled(deployment.accountId)
  if (unsettled.some(({ deploymentId }) => deploymentId === deployment.id)) throw stillOpen()
  await rebalanceCapital(stores, deployment, reconciliation, scheduledFor)
  const slice = await stores.books.slice(deployment.accountId, deployment.id)
  const plan = planOf(deployment, proposal, slice, reconciliation)
  const decision = await stores.decisions.insert({
    deploymentId: deployment.id,
    decidedFor: scheduledFor,
    decidedAt: now,
    expiresAt: new Date(deps.clock.now().getTime() + timeLeft(deployment, time)),
    outcome: plan.outcome,
    reason: [proposal.answer.reason, ...plan.notes].join(' '),
    isPartial: plan.notes.length > 0,
    signal: { ...proposal.signal, planned: plannedOf(plan.orders) },
  })
  // Another process was faster: its orders are the orders.
  if (!decision) return undefined
  const intents =
    plan.outcome === 'selling' || plan.outcome === 'buying' ? intentsOf(deployment, decision, plan.orders, now) : []
  await stores.orders.insert(intents)
  if (plan.outcome === 'done') {
    const signal = proposal.signal.prediction?.signal
    const last = { signal, day: proposal.day, isComplete: plan.notes.length === 0 }
    await stores.deployments.change(deployment.id, { lastTrade: last })
  }
  await journalSignal(deps, stores, deployment, decision)
  deps.onStep('decision-written')
  return { decision, intents, notes: plan.notes }
}

const stillOpen = () => new Problem('conflict', 'deployment.orders', 'Orders of an earlier decision are still open.')

/** Until its run is over or the market closes: what is sent later would wait for the next opening. */
function timeLeft(deployment: Deployment, { now, runsOutAt, calendar }: CycleTime): number {
  const day = epochDayOf(now.getTime())
  const close = tradesCoinsOnly(deployment) || !calendar.isSession(day) ? Infinity : calendar.closeOf(day)
  const left = Math.min(LONGEST_EXECUTION, runsOutAt.getTime() - now.getTime(), close - now.getTime())
  if (left > 0) return left
  throw new Problem('conflict', 'deployment.too-late', 'The decision came too late: nothing can be traded any more.')
}

/** The lease, the status and the emergency stop, looked at in the transaction that decides. */
async function stillMine(deps: CycleDeps, stores: LiveStores, known: Deployment): Promise<Deployment> {
  if (!(await stores.leases.holds(known.id, deps.holder))) {
    throw new Problem('conflict', 'deployment.lease', 'Another process runs this deployment now.')
  }
  const deployment = await stores.deployments.lock(known.userId, known.id)
  if (deployment?.status !== 'running' || deps.gate.isClosed(known)) {
    throw new Problem('conflict', 'deployment.not-running', 'The deployment is not running any more.')
  }
  return deployment
}

export const disagreement = (sentence: string): Problem =>
  new Problem(
    'conflict',
    'deployment.disagreement',
    `Broker and books disagree; nothing is traded until they agree. ${sentence}`,
  )

interface Plan {
  readonly outcome: DecisionOutcome
  readonly orders: ReturnType<typeof sales>['orders']
  readonly notes: readonly string[]
}

/** Sales where there are any; purchases at once where there are none. */
export function planOf(deployment: Deployment, proposal: Proposal, slice: Slice, reconciliation: Reconciliation): Plan {
  if (!proposal.answer.trades) return { outcome: 'held', orders: [], notes: [] }
  const inputs = tradeInputs(deployment, proposal, slice, reconciliation)
  const selling = sales(inputs)
  const buying = selling.orders.length > 0 && !deployment.settings.dryRun ? undefined : purchases(inputs)
  const orders = [...selling.orders, ...(buying?.orders ?? [])]
  const notes = [...selling.notes, ...(buying?.notes ?? [])]
  if (deployment.settings.dryRun) return { outcome: 'dry_run', orders, notes }
  if (orders.length === 0) return { outcome: 'done', orders, notes }
  return { outcome: selling.orders.length > 0 ? 'selling' : 'buying', orders, notes }
}

/** A deployment with a percent of the account is brought to it before it trades. */
async function rebalanceCapital(
  stores: LiveStores,
  deployment: Deployment,
  { account, prices }: Reconciliation,
  at: Date,
): Promise<void> {
  if (deployment.capitalPolicy !== 'percent_of_account' || deployment.settings.dryRun) return
  const books = await stores.books.books(deployment.accountId)
  const slice = await stores.books.slice(deployment.accountId, deployment.id)
  const target = account.equity.times(deployment.capitalPolicyValue).dividedBy(Decimal.parse('100'))
  const entry = percentRebalance(
    {
      key: `rebalance:${deployment.id}:${at.getTime()}`,
      at: at.getTime(),
      deploymentId: deployment.id,
      note: `Brought to ${String(deployment.capitalPolicyValue)} % of the account`,
    },
    {
      target,
      value: valueOf(slice, (ticker) => prices.get(ticker)),
      slice,
      available: sliceOf(books, 'unallocated').cash,
    },
  )
  if (!entry) return
  const posted = await stores.books.post(deployment.accountId, [entry], prices)
  await stores.deployments.change(deployment.id, { totals: withEntries(deployment.totals, posted) })
}

const ACTIONS = {
  selling: 'Trade',
  buying: 'Trade',
  done: 'Nothing to trade',
  held: 'Hold',
  dry_run: 'Dry run',
  refused: 'Refused',
  incomplete: 'Trade',
} as const satisfies Record<DecisionOutcome, string>

/** The signal's place in the activity, and its e-mail: with the decision, or not at all. */
async function journalSignal(
  { putMail }: CycleDeps,
  stores: LiveStores,
  deployment: Deployment,
  decision: Decision,
): Promise<void> {
  const { signal, outcome, reason } = decision
  const signalType = signalTypeOf(signal)
  const confidence = confidenceOf(signal)
  const action = `${ACTIONS[outcome]}: ${reason}`
  await stores.journal.tell(deployment.id, decision.decidedAt, { type: 'signal', signalType, confidence, action })
  const percent = confidence === null ? '' : ` (${(confidence * 100).toFixed(1)} %)`
  await putMail(stores, deployment, 'signals', {
    subject: `${deployment.name}: ${signalType}${percent}`,
    text: action,
    key: `signal:${decision.id}`,
  })
}
