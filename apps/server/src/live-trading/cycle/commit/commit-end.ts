import { usdPerShare } from '@tradewright/core/money'
import type { Note } from '@tradewright/core/note'
import { isAuction } from '@tradewright/core/order-types'
import { epochDayOf } from '@tradewright/core/time'
import {
  awaitsAnswer,
  type FailedOrder,
  type HeldOrder,
  heldSentence,
  holdOrders,
  isHeldBack,
  orderName,
} from '@tradewright/engine/live/held-orders'
import type { Broker } from '@tradewright/engine/trading/broker'
import { tryAgainAfter } from '@tradewright/engine/trading/refusals'
import { type Decision, type OrderIntent, tradedBy } from '../../decision.ts'
import type { Deployment } from '../../deployment.ts'
import { isLiquidation } from '../../liquidation/is-liquidation.ts'
import { earlier, retryOf } from '../../schedule.ts'
import { isCarriedOut } from '../send/time-out.ts'
import type { AccountSnapshot, DeploymentDeps } from '../types.ts'
import { takeSnapshot } from '../valuation.ts'
import { waitingFor } from './commit-decisions.ts'

/**
 * Journals the end of a decision whose orders have all ended, what of it did not come through, and when that is tried
 * again; `isCutShort` where purchases were due and may not be sent.
 */
export async function commitEnd(
  deps: DeploymentDeps,
  deployment: Deployment,
  decision: Decision,
  { broker, reconciliation, time }: Pick<AccountSnapshot, 'broker' | 'reconciliation' | 'time'>,
  isCutShort: boolean,
): Promise<void> {
  const intents = await deps.database.orders.ofDecision(decision.id)
  const open = intents.filter((one) => !isCarriedOut(deployment, decision, one, intents))
  const isComplete = open.length === 0 && !isCutShort && !decision.isPartial
  const isSale = isLiquidation(deployment, decision.decidedFor.getTime())
  const failed = isSale ? [] : open.flatMap((one) => failureOf(one, broker))
  const at = time.now.getTime()
  const news = await deps.database.transaction(async (stores) => {
    const current = (await stores.deployments.lock(deployment.userId, deployment.id)) ?? deployment
    const mayAsk = current.status === 'running' || current.status === 'paused'
    const asked = failed.filter(({ again }) => mayAsk || again !== 'ask')
    const done = new Set(intents.filter((one) => !open.includes(one)).map(orderName))
    const before = current.heldOrders ?? []
    const kept = before.filter((one) => !done.has(orderName(one)) && (isHeldBack(one, at) || isOfDay(one, at)))
    const held = holdOrders(kept, asked, at)
    const waits = [
      ...(decision.isPartial ? [decision.waitsFor] : []),
      ...(isCutShort ? [undefined] : []),
      ...open.map((one) => waitsForIt(one, held, reconciliation.halts.has(one.ticker))),
    ]
    const lacks = waits.every((tickers) => tickers !== undefined) ? [...new Set(waits.flat())] : undefined
    const lastTrade = {
      ...tradedBy(decision.signal),
      day: epochDayOf(decision.decidedFor.getTime()),
      isComplete,
      ...(!isComplete && waitingFor(lacks)),
      ...(decision.signal.contributions !== undefined && { contributions: decision.signal.contributions }),
    }
    const tryAgain = { waitsFor: lacks ?? [], held }
    const retryAt =
      isComplete || isSale
        ? undefined
        : retryOf(current, tryAgain, { now: time.now, scheduledFor: decision.decidedFor, calendar: time.calendar })
    await stores.decisions.move(decision.id, isComplete ? 'done' : 'incomplete')
    await stores.deployments.change(deployment.id, {
      // A stop is no trade of the strategy's: what this one lacks it goes on lacking.
      lastTrade: decision.signal.stopped ? (current.lastTrade ?? null) : lastTrade,
      ...((before.length > 0 || held.length > 0) && { heldOrders: held }),
      ...(retryAt && current.status === 'running' && { nextRunAt: earlier(current.nextRunAt, retryAt) }),
    })
    await deps.putMail(stores, deployment, 'trades', {
      subject: `${deployment.name}: ${intents.length} ${intents.length === 1 ? 'order' : 'orders'} ${isComplete ? 'filled' : 'ended'}`,
      text: intents.map(sentenceOf).join('\n'),
      key: `trades:${decision.id}`,
    })
    const names = new Set(asked.map(orderName))
    return held.filter((one) => names.has(orderName(one)))
  })
  deps.onStep('decision-ended')
  await deps.note(endNote(isComplete, intents.map(sentenceOf).join('; ')))
  for (const one of news) await deps.note(heldNote(one))
  await takeSnapshot(deps, deployment, reconciliation)
}

const isOfDay = ({ at }: HeldOrder, now: number): boolean => epochDayOf(at) === epochDayOf(now)

/** What an order did not come through for, and when it may be sent again; none where that is no failure of the order. */
function failureOf(intent: OrderIntent, { refusals }: Broker): FailedOrder[] {
  const { ticker, side, state, reason, hasTimedOut, cancelAskedAt, orderType, attempts } = intent
  const order = { ticker, side, reason: reason ?? '' }
  if (state === 'rejected') return [{ ...order, why: 'refused', again: tryAgainAfter(refusals, reason ?? '') }]
  if (state === 'canceled' && hasTimedOut) return [{ ...order, why: 'unfilled', again: 'later' }]
  // Nothing of ours cancelled it: a person did, or the broker for reasons of its own.
  if (state === 'canceled' && !cancelAskedAt && !isAuction(orderType))
    return [{ ...order, why: 'canceled', again: 'ask' }]
  if (state === 'abandoned' && attempts > 0) return [{ ...order, why: 'lost', again: 'later' }]
  return []
}

/** Undefined where nothing says when it can be traded. */
const waitsForIt = (intent: OrderIntent, held: readonly HeldOrder[], isHalted: boolean): string[] | undefined =>
  isHalted || held.some((one) => orderName(one) === orderName(intent)) ? [intent.ticker] : undefined

const heldNote = (held: HeldOrder): Note => ({
  code: awaitsAnswer(held) ? 'order-held' : 'order-tried-again',
  level: awaitsAnswer(held) ? 'error' : 'warning',
  sentence: heldSentence(held),
})

const endNote = (isComplete: boolean, orders: string): Note =>
  isComplete
    ? { code: 'decision-done', level: 'info', sentence: `Execution Complete. ${orders}` }
    : {
        code: 'decision-incomplete',
        level: 'warning',
        sentence: `Execution Complete, but not everything was traded. ${orders}`,
      }

function sentenceOf({ side, ticker, state, filledQuantity, averagePrice, reason }: OrderIntent): string {
  const what = `${side === 'buy' ? 'Buy' : 'Sell'} ${ticker}: ${state}`
  const filled =
    filledQuantity.isZero || !averagePrice ? '' : `, ${String(filledQuantity)} at ${usdPerShare(averagePrice)}`
  return `${what}${filled}${reason ? ` (${reason})` : ''}`
}
