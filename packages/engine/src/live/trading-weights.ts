import { parseTicker } from '@tradewright/core/ticker'
import { CASHX, TBILLX } from '@tradewright/core/ticker-kind'
import type { Allocation } from '../trading/allocation.ts'

/** Signal ticker, in one writing, to trading ticker. */
export type TickerMapping = Readonly<Record<string, string>>

export interface TradingWeight {
  readonly signalTicker: string
  readonly ticker: string
  /** A fraction of the deployment's value; when all add up to more than 1, money is borrowed. */
  readonly weight: number
}

/**
 * The holdings at the broker for an allocation of signal tickers. CASHX, and T-bills that nothing stands for, are held
 * as cash. The leverage of `SPY?L=2` is borrowed where SPY itself is traded; another ticker brings its own.
 */
export function tradingWeights(allocation: Allocation, mapping: TickerMapping): TradingWeight[] {
  return [...allocation].flatMap(([signalTicker, pct]) => {
    const traded = tradedAs(signalTicker, mapping)
    if (traded === undefined || pct === 0) return []
    return [{ signalTicker, ticker: traded.ticker, weight: (pct / 100) * traded.leverage }]
  })
}

interface TradedAs {
  readonly ticker: string
  /** How many dollars of it stand for one dollar of the signal. */
  readonly leverage: number
}

/** Undefined for what is held as cash. */
export function tradedAs(signalTicker: string, mapping: TickerMapping): TradedAs | undefined {
  const signal = parseTicker(signalTicker)
  const mapped = mapping[signalTicker]?.trim()
  const trading = parseTicker(mapped || signal.symbol)
  if (trading.symbol === CASHX || trading.symbol === TBILLX) return undefined
  const asked = trading.leverage?.factor ?? 1
  const own = trading.symbol === signal.symbol ? (signal.leverage?.factor ?? 1) : 1
  return { ticker: trading.symbol, leverage: asked === 1 ? own : asked }
}

/** Weights by trading ticker; signals that trade the same ticker are added up. */
export function weightsByTicker(weights: readonly TradingWeight[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { ticker, weight } of weights) sums.set(ticker, (sums.get(ticker) ?? 0) + weight)
  return sums
}
