import type { EpochDay } from '@tradewright/core/time'
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

/** Growth of one dollar with the winner and with holding, at evenly spread bars. Columns are of the same length. */
export interface ComparedCurves {
  readonly days: readonly EpochDay[]
  readonly winner: readonly number[]
  readonly holding: readonly number[]
}

/** Enough for a chart of any width. */
const MAX_POINTS = 240

export function comparedCurves(searchData: SearchData, { growth, bars }: TradedSignals): ComparedCurves {
  return drawnCurves(searchData.prices.days.subarray(bars.from, bars.to), growth, holdingOver(searchData, bars).growth)
}

/** Columns of the same length. */
export function drawnCurves(days: Int32Array, growth: Float64Array, held: Float64Array): ComparedCurves {
  const step = Math.max(1, (growth.length - 1) / (MAX_POINTS - 1))
  const count = Math.min(growth.length, MAX_POINTS)
  const picked = Array.from({ length: count }, (_, i) => Math.round(i * step))
  return {
    days: picked.map((bar) => days[bar]!),
    winner: picked.map((bar) => growth[bar]!),
    holding: picked.map((bar) => held[bar]!),
  }
}
