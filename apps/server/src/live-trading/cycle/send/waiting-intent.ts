import { SECOND } from '@tradewright/core/time'
import { isOpen, type OrderIntent } from '../../decision.ts'

const FIRST_PAUSE = 5 * SECOND
const MAX_PAUSE = 60 * SECOND

/**
 * True before the order's time; or after the broker refused it because of an order that we do not know: it is tried
 * again after growing pauses.
 */
export function isTooSoon({ state, attempts, sentAt, sendAt }: OrderIntent, now: Date): boolean {
  if (state === 'intended' && sendAt !== null && now < sendAt) return true
  if (state !== 'intended' || attempts === 0 || sentAt === null) return false
  const pause = Math.min(MAX_PAUSE, FIRST_PAUSE * 2 ** (attempts - 1))
  return now.getTime() - sentAt.getTime() < pause
}

/** Whether an order that is not sent yet cannot be, as long as the others stand as they do. */
export const waitsForTurn = (intent: OrderIntent, others: readonly OrderIntent[], now: Date): boolean =>
  intent.state === 'intended' && (isTooSoon(intent, now) || others.some((other) => isOpposite(intent, other)))

const isOpposite = (intent: OrderIntent, other: OrderIntent): boolean =>
  other.ticker === intent.ticker && other.side !== intent.side && other.state !== 'intended' && isOpen(other)
