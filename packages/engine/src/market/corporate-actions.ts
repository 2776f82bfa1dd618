import { dayStamp, type EpochDay, epochDayOf, formatDate } from '@tradewright/core/time'
import { Problem } from '@tradewright/core/problem'
import { lowerBound } from '@tradewright/core/column'
import type { Rows } from './layers/rows.ts'
import type { SeriesBlock } from './series.ts'

export interface Split {
  readonly exDay: EpochDay
  /** New shares per old share: 4 for a 4:1 split, 0.1 for a 1:10 reverse split. */
  readonly ratio: number
}

export interface Dividend {
  readonly exDay: EpochDay
  /** Cash per share as it was on that day, before any later split. */
  readonly amount: number
}

/** Each list ascending by ex-date, one entry per date. */
export interface CorporateActions {
  readonly splits: readonly Split[]
  readonly dividends: readonly Dividend[]
}

export const noActions: CorporateActions = { splits: [], dividends: [] }

/** Corporate actions as rows of the categories `split` and `dividend`, beside the prices they belong to. */
export function actionsBlock(prices: SeriesBlock, { splits, dividends }: CorporateActions): SeriesBlock {
  const days = [...new Set([...splits, ...dividends].map(({ exDay }) => exDay))].sort((a, b) => a - b)
  const ratios = new Map(splits.map(({ exDay, ratio }) => [exDay, ratio]))
  const amounts = new Map(dividends.map(({ exDay, amount }) => [exDay, amount]))
  const { ticker, provider, type, currency, collectedAt } = prices
  return {
    ticker,
    provider,
    type,
    currency,
    collectedAt,
    granularity: '1d',
    timestamps: Float64Array.from(days, dayStamp),
    columns: {
      split: Float64Array.from(days, (day) => ratios.get(day) ?? Number.NaN),
      dividend: Float64Array.from(days, (day) => amounts.get(day) ?? Number.NaN),
    },
  }
}

/** Reads corporate actions back from the rows of a daily series. */
export function actionsOf({ timestamps, columns }: Rows): CorporateActions {
  const splits: Split[] = []
  const dividends: Dividend[] = []
  for (let row = 0; row < timestamps.length; row++) {
    const exDay = epochDayOf(timestamps[row]!)
    const ratio = columns['split']?.[row] ?? Number.NaN
    const amount = columns['dividend']?.[row] ?? Number.NaN
    if (!Number.isNaN(ratio)) splits.push({ exDay, ratio })
    if (!Number.isNaN(amount)) dividends.push({ exDay, amount })
  }
  return { splits, dividends }
}

/** `split`: dividends are paid in cash. `total-return`: dividends are reinvested. */
export type Adjustment = 'split' | 'total-return'

/** A type of its own, so that a series cannot be adjusted twice or mixed with raw prices. */
interface AdjustedSeries extends Rows {
  readonly adjustment: Adjustment
  /** Per split-adjusted share; empty for total return, whose prices hold them already. */
  readonly dividends: readonly Dividend[]
}

const PRICES: ReadonlySet<string> = new Set(['price', 'open', 'high', 'low', 'close'])

/**
 * Raw prices to comparable ones: an earlier price is multiplied by 1 / ratio for each later split, and for total return
 * by 1 - D / previous close for each later dividend (the method of the CRSP and Yahoo adjusted close). The newest price
 * is always the one that was traded. Volume is counted in today's shares.
 */
export function adjustPrices(raw: Rows, actions: CorporateActions, adjustment: Adjustment): AdjustedSeries {
  const splits = splitFactors(raw.timestamps, actions.splits)
  const factors =
    adjustment === 'split' ? splits : multiply(splits, dividendFactors(raw, splits, splitAdjusted(actions)))
  return {
    ...scaleColumns(raw, factors, splits),
    adjustment,
    dividends: adjustment === 'split' ? splitAdjusted(actions) : [],
  }
}

/**
 * The same returns as `adjustPrices`, with the oldest price as the one that was traded: a later price is multiplied by
 * the ratio of each split, and for total return by 1 / (1 - D / previous close) of each dividend, since the first row.
 * Computed from the first row onwards, so that what happens after a row changes no digit of it. Nothing is paid in cash.
 */
export function adjustFromFirst(raw: Rows, actions: CorporateActions, adjustment: Adjustment): AdjustedSeries {
  const shares = stepFactors(
    raw.timestamps,
    actions.splits.map(({ exDay, ratio }) => ({ exDay, factor: ratio })),
  )
  const factors =
    adjustment === 'split' ? shares : multiply(shares, stepFactors(raw.timestamps, reinvestments(raw, actions)))
  return { ...scaleColumns(raw, factors, shares), adjustment, dividends: [] }
}

/** Back to prices as they were traded, from a provider that sends them adjusted for splits only. */
export function undoSplits<R extends Rows>(adjusted: R, splits: readonly Split[]): R {
  const inverse = splitFactors(adjusted.timestamps, splits).map((factor) => 1 / factor)
  return { ...adjusted, ...scaleColumns(adjusted, inverse, inverse) }
}

/** The same for dividends that a provider gives per share of today. */
export const undoDividendSplits = (dividends: readonly Dividend[], splits: readonly Split[]): Dividend[] =>
  dividends.map(({ exDay, amount }) => ({ exDay, amount: amount / splitFactorAt(exDay, splits) }))

/** A price of this day times this factor is a price in today's shares. The ex-date itself trades in new shares. */
function splitFactorAt(day: number, splits: readonly Split[]): number {
  return splits.reduce((factor, { exDay, ratio }) => (exDay > day ? factor / ratio : factor), 1)
}

function splitFactors(timestamps: Float64Array, splits: readonly Split[]): Float64Array {
  const factors = new Float64Array(timestamps.length).fill(1)
  for (const { exDay, ratio } of splits) {
    const end = lowerBound(timestamps, dayStamp(exDay))
    for (let row = 0; row < end; row++) factors[row] = factors[row]! / ratio
  }
  return factors
}

const splitAdjusted = ({ splits, dividends }: CorporateActions): Dividend[] =>
  dividends.map(({ exDay, amount }) => ({ exDay, amount: amount * splitFactorAt(exDay, splits) }))

function dividendFactors(raw: Rows, splits: Float64Array, dividends: readonly Dividend[]): Float64Array {
  const close = raw.columns['close'] ?? raw.columns['price']
  const factors = new Float64Array(raw.timestamps.length).fill(1)
  if (!close) return factors
  // From the newest back, each row's factor is that of the row after it, times what goes ex in between.
  const byRow = new Map<number, number>()
  for (const { exDay, amount } of oncePerDay(dividends)) {
    const previous = lowerBound(raw.timestamps, dayStamp(exDay)) - 1
    // Dividends that go ex before the first row or after the last one move no price of this series.
    if (previous < 0 || previous === raw.timestamps.length - 1) continue
    const factor = 1 - amount / (close[previous]! * splits[previous]!)
    if (!(factor > 0)) throw impossibleDividend(raw.timestamps[previous]!, amount)
    byRow.set(previous, (byRow.get(previous) ?? 1) * factor)
  }
  for (let row = factors.length - 1, factor = 1; row >= 0; row--) {
    factor *= byRow.get(row) ?? 1
    factors[row] = factor
  }
  return factors
}

/** What one share becomes by each dividend that is reinvested at the close before it. */
function reinvestments(raw: Rows, { splits, dividends }: CorporateActions): StepFactor[] {
  const close = raw.columns['close'] ?? raw.columns['price']
  if (!close) return []
  return oncePerDay(dividends).flatMap(({ exDay, amount }) => {
    const previous = lowerBound(raw.timestamps, dayStamp(exDay)) - 1
    if (previous < 0 || previous === raw.timestamps.length - 1) return []
    // The dividend is paid on the shares after a split that came since the previous close it.
    const shares = splits.reduce(
      (product, split) =>
        dayStamp(split.exDay) > raw.timestamps[previous]! && split.exDay <= exDay ? product * split.ratio : product,
      1,
    )
    const left = 1 - (amount * shares) / close[previous]!
    if (!(left > 0)) throw impossibleDividend(raw.timestamps[previous]!, amount)
    return [{ exDay, factor: 1 / left }]
  })
}

/** A special dividend and a regular one on one day are one payment. */
function oncePerDay(dividends: readonly Dividend[]): Dividend[] {
  const byDay = new Map<EpochDay, number>()
  for (const { exDay, amount } of dividends) byDay.set(exDay, (byDay.get(exDay) ?? 0) + amount)
  return Array.from(byDay, ([exDay, amount]) => ({ exDay, amount }))
}

interface StepFactor {
  readonly exDay: EpochDay
  readonly factor: number
}

/** For each row the product of the factors since the first row, multiplied in the order of their days. */
function stepFactors(timestamps: Float64Array, steps: readonly StepFactor[]): Float64Array {
  const ordered = steps.toSorted((a, b) => a.exDay - b.exDay)
  let next = ordered.findIndex(({ exDay }) => dayStamp(exDay) > timestamps[0]!)
  if (next < 0) next = ordered.length
  let product = 1
  return timestamps.map((stamp) => {
    for (; next < ordered.length && dayStamp(ordered[next]!.exDay) <= stamp; next++) product *= ordered[next]!.factor
    return product
  })
}

const impossibleDividend = (before: number, amount: number) =>
  new Problem(
    'invalid',
    'market.impossible-dividend',
    `A dividend of ${amount} after ${formatDate(epochDayOf(before))} is not below the price it is paid from.`,
  )

function scaleColumns<R extends Rows>(rows: R, priceFactors: Float64Array, shareFactors: Float64Array): R {
  const columns = Object.entries(rows.columns).map(([category, column]) => {
    if (PRICES.has(category)) return [category, multiply(column, priceFactors)] as const
    return [category, category === 'volume' ? divide(column, shareFactors) : column] as const
  })
  return { ...rows, columns: Object.fromEntries(columns) }
}

function multiply(column: Float64Array, factors: Float64Array): Float64Array {
  const product = new Float64Array(column.length)
  for (let row = 0; row < column.length; row++) product[row] = column[row]! * factors[row]!
  return product
}

function divide(column: Float64Array, factors: Float64Array): Float64Array {
  const quotient = new Float64Array(column.length)
  for (let row = 0; row < column.length; row++) quotient[row] = column[row]! / factors[row]!
  return quotient
}
