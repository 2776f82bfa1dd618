import { DAY, epochDayOf, MINUTE, type UtcMillis } from '@tradewright/core/time'
import type { OrderSide } from '../trading/order.ts'
import type { TryAgain } from '../trading/refusals.ts'

/** An order that did not come through and is not sent again before an instant, or before its user says so. Plain data. */
export interface HeldOrder {
  readonly ticker: string
  readonly side: OrderSide
  readonly why: HeldWhy
  /** The broker's words; empty where there are none. */
  readonly reason: string
  /** When it was last tried. */
  readonly at: UtcMillis
  /** How often it was tried on that day. */
  readonly tries: number
  /** Null: its user is asked. */
  readonly until: UtcMillis | null
  /** Its user has answered: it is left out until the strategy wants something else. */
  readonly isLeft?: true
}

type HeldWhy = 'refused' | 'canceled' | 'unfilled' | 'lost' | 'stopped'

const FIRST_PAUSE = MINUTE
const LONGEST_PAUSE = 15 * MINUTE
/** More would only be refused in the same way. */
const MAX_TRIES_A_DAY = 8

/** The name of an order among those of a decision. */
export const orderName = ({ side, ticker }: Pick<HeldOrder, 'side' | 'ticker'>): string => `${side} ${ticker}`

/** An order that did not come through. */
export type FailedOrder = Pick<HeldOrder, 'ticker' | 'side' | 'why' | 'reason'> & { readonly again: TryAgain }

/** Orders that did not come through, added to those that are held: each waits longer than the time before. */
export function holdOrders(before: readonly HeldOrder[], failed: readonly FailedOrder[], now: UtcMillis): HeldOrder[] {
  const held = new Map(before.map((one) => [orderName(one), one]))
  for (const { again, ...order } of failed) {
    const last = held.get(orderName(order))
    const isOfToday = last !== undefined && epochDayOf(last.at) === epochDayOf(now)
    const tries = isOfToday ? last.tries + 1 : 1
    held.set(orderName(order), { ...order, at: now, tries, until: waitUntil(again, tries, now) })
  }
  return [...held.values()]
}

function waitUntil(again: TryAgain, tries: number, now: UtcMillis): UtcMillis | null {
  if (again === 'ask') return null
  const nextDay = (epochDayOf(now) + 1) * DAY
  const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (tries - 1))
  return again === 'next-session' || tries >= MAX_TRIES_A_DAY ? nextDay : now + pause
}

/** Whether it is not sent at this instant. */
export const isHeldBack = ({ until }: HeldOrder, now: UtcMillis): boolean => until === null || until > now

export const awaitsAnswer = ({ until, isLeft }: HeldOrder): boolean => until === null && !isLeft

/** Why it is not sent, as a sentence. */
export function heldSentence({ side, ticker, why, reason, at: triedAt, until, isLeft }: HeldOrder): string {
  if (why === 'stopped') {
    const when = new Date(triedAt).toISOString().slice(0, 16).replace('T', ' ')
    return `${ticker} was ${side === 'buy' ? 'sold' : 'bought back'} at its stop on ${when} UTC. It stays so until the signal changes or the next rebalance is due.`
  }
  const happened = `${HAPPENED[why](`order to ${side} ${ticker}`)}${reason === '' ? '.' : `: ${withoutStop(reason)}.`}`
  if (isLeft) return `${happened} As chosen, it is left until the signal changes or a rebalance is due.`
  if (until === null) return `${happened} It is not sent again until you choose: send it again, or leave it.`
  const at = new Date(until).toISOString().slice(0, 16).replace('T', ' ')
  return `${happened} It is tried again after ${at} UTC.`
}

const HAPPENED: Readonly<Record<HeldWhy, (order: string) => string>> = {
  refused: (order) => `The broker did not take the ${order}`,
  canceled: (order) => `The ${order} was cancelled at the broker, and not by this program`,
  unfilled: (order) => `The ${order} was not filled in time`,
  stopped: (order) => `The ${order} waits after its stop`,
  lost: (order) => `The ${order} could not be sent in time`,
}

const withoutStop = (reason: string): string =>
  reason.replace(/^[\w. ]{1,20} refused the order: /, '').replace(/\.+$/, '')

interface NewDecision {
  readonly isNew?: true
  readonly isCalendar?: true
}

/**
 * Whether a decision takes it up again: what a user left, or a stop sold, belongs to the decision before. The calendar buys
 * nothing back on the day on which a stop sold it, as in a backtest.
 */
export const isTakenUp = (
  { isLeft, why, at }: HeldOrder,
  { isNew, isCalendar }: NewDecision,
  now: UtcMillis,
): boolean =>
  isLeft === true && isNew === true && !(why === 'stopped' && isCalendar && epochDayOf(at) === epochDayOf(now))

/** Tickers that stops have sold and no decision has wanted anew. */
export const stoppedTickers = (held: readonly HeldOrder[]): Set<string> =>
  new Set(held.filter(({ why }) => why === 'stopped').map(({ ticker }) => ticker))
