import { Problem } from '@tradewright/core/problem'
import { formatTicker, MAX_ALLOCATION_ROWS, parseTicker } from '@tradewright/core/ticker'
import { CASHX, TBILLX, tickerKind } from '@tradewright/core/ticker-kind'

/** One row of an allocation form: so many percent of the account's value in this ticker. */
export interface AllocationRow {
  readonly ticker: string
  readonly allocationPct: number
}

/** Percentages by ticker; what is missing to 100 is cash, what exceeds it is borrowed. Negative: sold short. */
export type Allocation = ReadonlyMap<string, number>

/** More than this many times the account is a typing error, not a strategy. */
const MAX_BORROWED_PCT = 1000

/** Money that is owed instead of owned: borrowing, which needs no shares to be lent. */
const MAY_BE_NEGATIVE: ReadonlySet<string> = new Set([CASHX, TBILLX])

/** Reads the rows of a form: tickers in one writing, rows of one ticker added up, CASHX left out since cash is cash. */
export function readAllocation(
  rows: readonly AllocationRow[],
  name = 'allocation',
  { mayShort = false }: { mayShort?: boolean } = {},
): Allocation {
  if (rows.length > MAX_ALLOCATION_ROWS) {
    throw invalid(`The ${name} has ${rows.length} tickers; at most ${MAX_ALLOCATION_ROWS} are allowed.`)
  }
  const allocation = new Map<string, number>()
  for (const row of rows) {
    const ticker = formatTicker(parseTicker(row.ticker))
    if (!Number.isFinite(row.allocationPct)) throw invalid(`The ${name} of ${ticker} is not a number.`)
    allocation.set(ticker, (allocation.get(ticker) ?? 0) + row.allocationPct)
  }
  if (allocation.size === 0) throw invalid(`The ${name} is empty: name at least one ticker.`)
  for (const [ticker, pct] of allocation) {
    if (pct >= 0 || MAY_BE_NEGATIVE.has(ticker)) continue
    if (!mayShort) {
      throw invalid(
        `The ${name} of ${ticker} is ${pct}%: an allocation cannot be negative without a borrow rate for short positions.`,
      )
    }
    const reason = whyNotShort(ticker)
    if (reason !== undefined) throw invalid(`The ${name} of ${ticker} is ${pct}%: ${reason}`)
  }
  allocation.delete(CASHX)
  const sum = investedPct(allocation)
  if (sum > MAX_BORROWED_PCT) {
    throw invalid(`The ${name} adds up to ${sum}%, more than ${MAX_BORROWED_PCT}% of the account.`)
  }
  return allocation
}

/** Why there are no short positions of a ticker, as the end of a sentence; undefined where there are. */
export function whyNotShort(ticker: string): string | undefined {
  const { symbol, leverage, fallback } = parseTicker(ticker)
  if (tickerKind(symbol) === 'crypto') return 'coins are not lent, so they cannot be sold short.'
  if (leverage) return `no shares of ${ticker} exist that could be lent; sell ${symbol} short instead.`
  if (fallback) return `what stands in for ${symbol} before it existed was not lent; sell ${symbol} short instead.`
  return tickerKind(symbol) === 'security' ? undefined : `${symbol} has no shares that could be lent.`
}

/** The sum of all percentages; below 100 the rest is cash, above it is borrowed. */
export const investedPct = (allocation: Allocation): number =>
  [...allocation.values()].reduce((sum, pct) => sum + pct, 0)

/** Target weights (1 is the whole account) in the order of the tickers; a ticker without a row gets none. */
export const targetWeights = (allocation: Allocation, tickers: readonly string[]): Float64Array =>
  Float64Array.from(tickers, (ticker) => (allocation.get(ticker) ?? 0) / 100)

const invalid = (message: string) => new Problem('invalid', 'backtest.allocation', message)
