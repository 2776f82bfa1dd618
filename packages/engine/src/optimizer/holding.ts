import { noSignals, type SignalColumn } from '../backtest/signals.ts'
import type { SearchData } from './search-data.ts'
import { type TradedSignals, tradeSignals, yearly } from './score.ts'

/** Scores of always holding the buy allocation over the bars that a strategy traded. */
export interface HoldingScores {
  readonly sharpe: number | null
  readonly cagr: number | null
}

/** A profit that cannot be compared is not praised either. */
export const earnsNoMore = ({ cagr, holding }: { cagr: number | null; holding: HoldingScores }): boolean =>
  cagr === null || holding.cagr === null || cagr <= holding.cagr

const accounts = new WeakMap<SearchData, Map<string, TradedSignals>>()

/**
 * An account that holds the buy allocation over these bars, whatever a model says: same costs, fills and rebalancing.
 * All individuals of an searchData are measured against the same few accounts, so they are kept.
 */
export const holdingOver = (searchData: SearchData, bars: TradedSignals['bars']): TradedSignals =>
  alwaysOver(searchData, 1, bars)

function alwaysOver(searchData: SearchData, signal: 0 | 1, { from, to }: TradedSignals['bars']): TradedSignals {
  const known = accounts.get(searchData) ?? new Map<string, TradedSignals>()
  accounts.set(searchData, known)
  const key = `${signal}-${from}-${to}`
  const account = known.get(key) ?? always(searchData, signal, from, to)
  known.set(key, account)
  return account
}

function always(searchData: SearchData, signal: 0 | 1, from: number, to: number): TradedSignals {
  const column = noSignals(searchData.prices.days.length)
  column.signals.fill(signal, from, to)
  return tradeSignals(searchData, column)
}

export const holdingScores = (searchData: SearchData, { bars }: TradedSignals): HoldingScores => {
  const { sharpePerBar, cagr } = holdingOver(searchData, bars)
  return { sharpe: yearly(sharpePerBar, searchData.barsPerYear), cagr }
}

/** Per step between bars: what a strategy earned more or less than holding. */
export function activeReturns(searchData: SearchData, { returns, bars }: TradedSignals): Float64Array {
  const held = holdingOver(searchData, bars).returns
  return returns.map((earned, step) => earned - held[step]!)
}

/**
 * Per step between bars: what a strategy earned beyond both of its allocations held all the time, each for the share of bars that
 * it held it. An asset that falls by itself, which any time out of it beats, is no merit of a signal.
 */
export function timingReturns(
  searchData: SearchData,
  { returns, bars }: TradedSignals,
  { signals }: SignalColumn,
): Float64Array {
  const called = signals.subarray(bars.from, bars.to).filter((signal) => signal !== -1)
  const share = called.filter((signal) => signal === 1).length / Math.max(1, called.length)
  const [bought, sold] = ([1, 0] as const).map((signal) => alwaysOver(searchData, signal, bars).returns)
  return returns.map((earned, step) => earned - share * bought![step]! - (1 - share) * sold![step]!)
}
