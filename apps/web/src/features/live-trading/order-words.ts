import type { Overview } from './queries.ts'

type Side = Pick<Overview['orders'][number], 'side' | 'is_short'>

/** What an order does, by the words of an order ticket. */
export const sideText = ({ side, is_short }: Side): string =>
  side === 'buy' ? (is_short ? 'Buy to cover' : 'Buy') : is_short ? 'Sell short' : 'Sell'
