import { noSignals } from '../backtest/signals.ts'
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
export function holdingOver(searchData: SearchData, { from, to }: TradedSignals['bars']): TradedSignals {
  const known = accounts.get(searchData) ?? new Map<string, TradedSignals>()
  accounts.set(searchData, known)
  const key = `${from}-${to}`
  const account = known.get(key) ?? alwaysInvested(searchData, from, to)
  known.set(key, account)
  return account
}

function alwaysInvested(searchData: SearchData, from: number, to: number): TradedSignals {
  const always = noSignals(searchData.prices.days.length)
  always.signals.fill(1, from, to)
  return tradeSignals(searchData, always)
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
