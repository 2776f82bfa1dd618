import type { OrderExecution } from '@tradewright/core/order-types'
import { Problem } from '@tradewright/core/problem'
import { epochDayOf, MINUTE } from '@tradewright/core/time'
import { isTakenUp } from '@tradewright/engine/live/held-orders'
import { isPartial, waitsFor } from '@tradewright/engine/live/order-plan'
import { weightsByTicker } from '@tradewright/engine/live/trading-weights'
import { lastCallOf, openingWindow } from '@tradewright/engine/trading/auctions'
import { type Slice, sliceOfDeployment } from '@tradewright/engine/trading/ledger/books'
import { isDeepStrictEqual } from 'node:util'
import type { OutgoingEvent } from '../../../alerts/outgoing-events.ts'
import { withEntries } from '../../capital/totals.ts'
import { confidenceOf, type Decision, type DecisionOutcome, signalTypeOf, tradedBy } from '../../decision.ts'
import { type Deployment, executionOf } from '../../deployment.ts'
import { disagreement } from '../../health.ts'
import type { LiveStores } from '../../ports/database.ts'
import type { NewDecision } from '../../ports/decisions.ts'
import { earlier, nextRunOf, retryOf } from '../../schedule.ts'
import { undecided } from '../../ticker-changes/hold.ts'
import { tradesCoinsOnly } from '../../traded-tickers.ts'
import type { Committed, CycleDeps, CycleTime, Plan, Proposed } from '../types.ts'
import { takeSnapshots } from '../valuation.ts'
import { limitPlans } from './limit-orders.ts'
import { netOrders } from './net-orders.ts'
import {
  capitalRebalance,
  intentsOf,
  nettedIntentsOf,
  nettedPlanOf,
  plannedOf,
  planOf,
  sentAs,
  sentencesOf,
} from './plan-orders.ts'

/** A proposed decision with what the deployment's row says in the transaction that decides. */
interface Admitted extends Proposed {
  readonly expiresAt: Date
  readonly nextRunAt: Date | null
}

interface Planned extends Admitted {
  readonly plan: Plan
}

/**
 * Journals decisions of one account with their orders, what they leave behind and, where nothing is to be traded, the
 * value of the deployment: all of it, or nothing. One that may no longer decide is answered by the reason.
 */
export function commitDecisions(deps: CycleDeps, proposed: readonly Proposed[]): Promise<(Committed | Problem)[]> {
  const { accountId } = proposed[0]!.deployment
  return deps.database.transaction(async (stores) => {
    const outcomes = await admit(deps, stores, accountId, proposed)
    const alone: Planned[] = []
    for (const one of outcomes) if (!(one instanceof Problem)) alone.push(await plan(stores, one))
    const netted = await netOrders(stores, accountId, alone)
    const books = await stores.books.books(accountId)
    const parted = netted.map((one) => inParts(one, sliceOfDeployment(books, one.deployment.id), deps.clock.now()))
    const planned = await limitPlans(stores, parted, deps.limits, proposed[0]!.time.now)
    const decisions = await stores.decisions.insert(planned.map(decisionOf))
    const committed = new Map(
      planned.map((one) => [one.deployment.id, toCommitted(one, decisions.get(one.deployment.id))]),
    )
    await stores.orders.insert([...committed.values()].flatMap(({ intents }) => intents))
    await stores.deployments.decided(planned.map((one) => afterDecision(one, decisions.has(one.deployment.id))))
    const journaled = planned.filter(({ deployment }) => decisions.has(deployment.id))
    await journalSignals(
      deps,
      stores,
      journaled.map(({ deployment }) => ({ deployment, decision: decisions.get(deployment.id)! })),
    )
    const ended = journaled.filter((one) => !isAtWork(one.plan))
    if (ended.length > 0) await takeSnapshots(stores, accountId, ended, deps.clock.now())
    for (const _ of journaled) deps.onStep('decision-written')
    return outcomes.map((one) => (one instanceof Problem ? one : committed.get(one.deployment.id)!))
  })
}

/** The lease, the status, the emergency stop, ticker changes and open orders, checked in the transaction that decides. */
async function admit(
  deps: CycleDeps,
  stores: LiveStores,
  accountId: number,
  proposed: readonly Proposed[],
): Promise<(Admitted | Problem)[]> {
  const ids = proposed.map(({ deployment }) => deployment.id)
  const held = await stores.leases.held(ids, deps.holder)
  const current = await stores.deployments.lockAll(ids)
  const state = await stores.books.lock(accountId)
  const unsettled = new Set((await stores.orders.unsettled(accountId)).map(({ deploymentId }) => deploymentId))
  const changes = Map.groupBy(await stores.tickerChanges.of(ids), ({ deploymentId }) => deploymentId)
  return proposed.map((one) => {
    const change = changes.get(one.deployment.id)
    const deployment = current.get(one.deployment.id)
    const isRunning = deployment?.status === 'running' && !deps.gate.isClosed(one.deployment)
    const left = isRunning ? timeLeft(deployment, one.time) : 0
    const refusals: readonly (readonly [boolean, () => Problem])[] = [
      [!held.has(one.deployment.id), notMine],
      [!isRunning, notRunning],
      [Boolean(state?.disagreement), () => disagreement(state!.disagreement!)],
      [change !== undefined, () => undecided(change!)],
      [isRunning && !isMappedAlike(deployment, one.deployment), mappedAnew],
      [unsettled.has(one.deployment.id), stillOpen],
      [left <= 0, tooLate],
    ]
    const refuse = refusals.find(([applies]) => applies)?.[1]
    return refuse ? refuse() : admitted(one, deployment!, new Date(deps.clock.now().getTime() + left))
  })
}

/** A decision stands on the mapping that its weights were read with. */
export const isMappedAlike = (a: Pick<Deployment, 'settings'>, b: Pick<Deployment, 'settings'>): boolean =>
  isDeepStrictEqual(a.settings.tickerMapping, b.settings.tickerMapping)

const admitted = (proposed: Proposed, deployment: Deployment, expiresAt: Date): Admitted => ({
  ...proposed,
  deployment,
  expiresAt,
  nextRunAt: nextRunOf(deployment, proposed.time),
})

const notMine = () => new Problem('conflict', 'deployment.lease', 'Another process runs this deployment now.')
const notRunning = () => new Problem('conflict', 'deployment.not-running', 'The deployment is no longer running.')
const mappedAnew = () =>
  new Problem(
    'conflict',
    'deployment.edited',
    'Its ticker mapping was changed in the meantime; it decides again with the new one.',
  )
const tooLate = () => new Problem('conflict', 'deployment.too-late', 'The decision came too late to trade.')
const stillOpen = () => new Problem('conflict', 'deployment.orders', 'Orders of an earlier decision are still open.')

/** A decision is carried out within this long, or it is another market; slices and limits of both legs take their time. */
const MAX_EXECUTION = 15 * MINUTE
const longestExecution = ({ type, sliceMinutes, timeoutMinutes }: OrderExecution): number =>
  MAX_EXECUTION + 2 * MINUTE * (type === 'slices' ? sliceMinutes : type === 'limit' ? timeoutMinutes : 0)

/**
 * Until its run is over or the market closes: what is sent later would wait for the next opening. Orders for an auction are
 * sent until its last call.
 */
function timeLeft(deployment: Deployment, { now, runsOutAt, calendar }: CycleTime): number {
  const day = epochDayOf(now.getTime())
  const execution = executionOf(deployment)
  if (execution.type === 'on_open') return openingWindow(day, calendar).until - now.getTime()
  if (execution.type === 'on_close') return lastCallOf('cls', day, calendar) - now.getTime()
  const close = tradesCoinsOnly(deployment) || !calendar.isSession(day) ? Infinity : calendar.closeOf(day)
  return Math.min(longestExecution(execution), runsOutAt.getTime() - now.getTime(), close - now.getTime())
}

/** Brought to its percent of the account first, one after another: each finds what the one before left. */
async function plan({ books, deployments }: LiveStores, admitted: Admitted): Promise<Planned> {
  const { reconciliation, proposal, time } = admitted
  let { deployment } = admitted
  const { accountId } = deployment
  const entry = capitalRebalance(deployment, reconciliation, await books.books(accountId), time.scheduledFor)
  const posted = entry ? await books.post(accountId, [entry], reconciliation.prices) : []
  if (posted.length > 0) {
    deployment = { ...deployment, totals: withEntries(deployment.totals, posted) }
    await deployments.change(deployment.id, { totals: deployment.totals })
  }
  const { heldOrders = [] } = deployment
  const left = heldOrders.filter((one) => !isTakenUp(one, proposal.answer, time.now.getTime()))
  if (left.length < heldOrders.length) await deployments.change(deployment.id, { heldOrders: left })
  const slice = sliceOfDeployment(await books.books(accountId), deployment.id)
  return { ...admitted, deployment, plan: planOf(deployment, proposal, slice, reconciliation) }
}

/** The broker's time is that of the decision; what is sent is sent by our clock. */
function inParts(one: Planned, slice: Slice, now: Date): Planned {
  const { deployment, proposal, plan: whole, time, expiresAt } = one
  const skew = time.now.getTime() - now.getTime()
  const isForOpening = executionOf(deployment).type === 'on_open'
  const day = epochDayOf(time.now.getTime())
  const from = isForOpening ? openingWindow(day, time.calendar).from - skew : now.getTime()
  const parts = sentAs(deployment, proposal, slice, whole.orders, { from, until: expiresAt.getTime() })
  const isOver = whole.orders.length > 0 && parts.orders.length === 0 && whole.netted.length === 0
  const outcome = isOver && isAtWork(whole) ? 'done' : whole.outcome
  return { ...one, plan: { ...whole, outcome, orders: parts.orders, notes: [...whole.notes, ...parts.notes] } }
}

const isAtWork = ({ outcome }: Plan): boolean => outcome === 'selling' || outcome === 'buying'

const decisionOf = ({ deployment, proposal, time, expiresAt, plan: planned }: Planned): NewDecision => ({
  deploymentId: deployment.id,
  decidedFor: time.scheduledFor,
  decidedAt: time.now,
  expiresAt,
  outcome: planned.outcome,
  reason: [proposal.answer.reason, ...sentencesOf(planned.notes)].join(' '),
  isPartial: isPartial(planned.notes),
  waitsFor: waitsFor(planned.notes),
  signal: {
    ...proposal.signal,
    planned: [...nettedPlanOf(planned.netted), ...plannedOf(planned.orders)],
    contributions: String(deployment.totals.contributions),
  },
})

const toCommitted = (one: Planned, decision: Decision | undefined): Committed => ({
  decision,
  intents:
    decision && isAtWork(one.plan)
      ? [
          ...nettedIntentsOf(one.deployment, decision, one.plan.netted, one.time.now),
          ...intentsOf(one.deployment, decision, one.plan.orders, one.time.now),
        ]
      : [],
  notes: one.plan.notes,
  nextRunAt: nextRunAfter(one),
  hasRecovered: one.deployment.healthProblem !== null,
})

/** What could not be traded is tried again within the time of the run; with orders under way, their end says when. */
function nextRunAfter({ deployment, plan: planned, time, nextRunAt }: Planned): Date | null {
  const { outcome, notes } = planned
  if (isAtWork(planned)) return nextRunAt
  const lacks = outcome === 'done' ? waitsFor(notes) : outcome === 'held' ? deployment.lastTrade?.waitsFor : []
  return earlier(nextRunAt, retryOf(deployment, { waitsFor: lacks ?? [], held: deployment.heldOrders ?? [] }, time))
}

const afterDecision = (one: Planned, isNew: boolean) => ({
  id: one.deployment.id,
  nextRunAt: nextRunAfter(one),
  lastTrade: lastTradeOf(one, isNew),
})

const lastTradeOf = ({ deployment, proposal, plan: planned }: Planned, isNew: boolean) =>
  isNew && planned.outcome === 'done'
    ? {
        ...tradedBy(proposal.signal),
        day: proposal.day,
        isComplete: !isPartial(planned.notes),
        ...waitingFor(waitsFor(planned.notes)),
        contributions: String(deployment.totals.contributions),
      }
    : undefined

export const waitingFor = (tickers: readonly string[] | undefined) =>
  tickers !== undefined && tickers.length > 0 ? { waitsFor: tickers } : {}

const ACTIONS = {
  selling: 'Trade',
  buying: 'Trade',
  done: 'Nothing to trade',
  held: 'Hold',
  dry_run: 'Dry run',
  refused: 'Refused',
  incomplete: 'Trade',
} as const satisfies Record<DecisionOutcome, string>

interface Journaled {
  readonly deployment: Deployment
  readonly decision: Decision
}

/** The signals' places in the activity, and their e-mails: with the decisions, or not at all. */
async function journalSignals({ putMail }: CycleDeps, stores: LiveStores, all: readonly Journaled[]): Promise<void> {
  await stores.journal.tell(
    all.map(({ deployment, decision }) => ({
      deploymentId: deployment.id,
      at: decision.decidedAt,
      activity: {
        type: 'signal',
        signalType: signalTypeOf(decision.signal),
        confidence: confidenceOf(decision.signal),
        action: actionOf(decision),
      },
    })),
  )
  for (const { deployment, decision } of all) {
    const confidence = confidenceOf(decision.signal)
    const percent = confidence === null ? '' : ` (${(confidence * 100).toFixed(1)}%)`
    await putMail(stores, deployment, 'signals', {
      subject: `${deployment.name}: ${signalTypeOf(decision.signal)}${percent}`,
      text: actionOf(decision),
      key: `signal:${decision.id}`,
    })
    await stores.messages.putEvent(deployment.id, decidedEvent(decision))
    await stores.records.append(decision)
  }
}

const decidedEvent = (decision: Decision): OutgoingEvent => ({
  event: 'deployment.decided',
  key: `deployment.decided:${decision.id}`,
  subject: signalTypeOf(decision.signal),
  text: actionOf(decision),
  data: {
    decision_id: decision.id,
    decided_for: decision.decidedFor.toISOString(),
    outcome: decision.outcome,
    signal: signalTypeOf(decision.signal),
    probability: decision.signal.prediction?.probability ?? null,
    weights: Object.fromEntries(weightsByTicker(decision.signal.weights)),
    reason: decision.reason,
  },
})

const actionOf = ({ outcome, reason }: Decision): string => `${ACTIONS[outcome]}: ${reason}`
