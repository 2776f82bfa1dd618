/**
 * The steps of the order path, in order. Between any two of them the process may die; a test kills it after each one
 * and checks how the next process recovers.
 */
export const ORDER_STEPS = [
  'reconciled',
  'signal-known',
  'decision-written',
  'decision-committed',
  'order-quoted',
  'order-claimed',
  'order-placed',
  'order-recorded',
  'broker-read',
  'fills-written',
  'fills-committed',
  'sales-ended',
  'purchases-committed',
  'decision-ended',
  'snapshot-taken',
] as const

/** The steps of a limit order whose time is over. */
export const TIME_OUT_STEPS = ['order-timed-out', 'rest-journaled'] as const

export type OrderStep = (typeof ORDER_STEPS)[number] | (typeof TIME_OUT_STEPS)[number]

/** Called when a step has been taken. */
export type OnStep = (step: OrderStep) => void

export const unwatched: OnStep = () => {}
