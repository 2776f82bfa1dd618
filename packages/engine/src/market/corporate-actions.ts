import { dayStamp, type EpochDay, epochDayOf } from '@tradewright/core/time'
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
