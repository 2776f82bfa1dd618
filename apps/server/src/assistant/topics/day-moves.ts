import type { PriceFacts } from '../tools/price-facts.ts'
import { NEWEST, type PortfolioFacts } from '../tools/portfolio-tools.ts'

type Facts = Pick<PortfolioFacts, 'positions' | 'newest_trades' | 'as_of'>
type Position = Facts['positions'][number]
type Trade = Facts['newest_trades'][number]
type Quote = Pick<PriceFacts, 'ticker' | 'date' | 'value' | 'change_1_day' | 'synthetic'>

export interface DayMove {
  readonly position: Position
  /** The newest day with a close, or the close that a day under way is counted from; null where there is none. */
  readonly day: string | null
  readonly isUnderWay: boolean
  /** The change of the price, with dividends, as a fraction. */
  readonly change: number | null
  /** Null where it is not known. */
  readonly amount: number | null
}

const UNKNOWN = { day: null, isUnderWay: false, change: null, amount: null }
/** Two sources of one price may differ in the last digit. */
const SAME_PRICE = 1e-5

/**
 * Each holding's earnings since its last close, or, where the price is that close, on the day before it; largest first.
 * An explanation by prices, not the broker's own figure: what was held before moved with the price, what was traded
 * since from the price it was traded at.
 */
export function dayMoves({ positions, newest_trades, as_of }: Facts, quotes: readonly Quote[]): DayMove[] {
  const moves = positions.map((position) => {
    // A made-up price says nothing about a real holding.
    const quote = quotes.find(({ ticker, synthetic }) => ticker === position.ticker && synthetic === position.synthetic)
    const step = quote && stepOf(quote, position, as_of.slice(0, 10))
    if (!step) return { position, ...UNKNOWN }
    const { day, isUnderWay, from, to } = step
    const trades = newest_trades.filter((trade) => (isUnderWay ? trade.date > day : trade.date >= day))
    const amount = earned(position, from, to, trades)
    return { position, day, isUnderWay, change: to / from - 1, amount }
  })
  return moves.sort((a, b) => Math.abs(b.amount ?? 0) - Math.abs(a.amount ?? 0))
}

interface Step extends Pick<DayMove, 'isUnderWay'> {
  readonly day: string
  readonly from: number
  readonly to: number
}

function stepOf({ date, value, change_1_day }: Quote, { price }: Position, today: string): Step | undefined {
  const isUnderWay = today > date && price > 0 && Math.abs(price / value - 1) > SAME_PRICE
  if (isUnderWay) return { day: date, isUnderWay, from: value, to: price }
  if (change_1_day === null) return undefined
  return { day: date, isUnderWay, from: value / (1 + change_1_day), to: value }
}

/** Null where there may be more trades than are listed. */
function earned({ ticker, quantity }: Position, from: number, to: number, trades: readonly Trade[]): number | null {
  if (trades.length >= NEWEST) return null
  const traded = trades
    .filter((trade) => trade.ticker === ticker)
    .map(({ side, quantity: size, price }) => ({ size: side === 'buy' ? size : -size, price }))
  const heldBefore = traded.reduce((held, { size }) => held - size, quantity)
  return traded.reduce((sum, { size, price }) => sum + size * (to - price), heldBefore * (to - from))
}
