import { parseTicker } from '@tradewright/core/ticker'
import { dayStamp, formatDate, HOUR } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { expectColumn } from '../../../../reference/expect-near.ts'
import { referenceMarket, referenceValues } from '../../../../reference/read.ts'
import { deflator } from '../backtest/inflation.ts'
import { BILL_RATES, BORROWING_RATES, ratesAt } from '../backtest/interest-rates.ts'
import { adjustPrices } from './adjust.ts'
import { asOf } from './align.ts'
import { leverBars, treasuryBillSeries } from './synthetic-series.ts'

/** What pandas makes of the prices and rates of the sample market: reference/series.py. */
interface Reference {
  /** The rows that are committed. */
  rows: number[]
  split_adjusted: number[]
  split_adjusted_dividends: number[]
  total_return: Record<string, number[]>
  bills: number[]
  leveraged: Record<string, number[]>
  price_level: number[]
  known_then: number[]
}

const reference = referenceValues<Reference>('series')
const { series, actions } = referenceMarket(['SPY', 'TLT', 'NVDA', 'TB3MS', 'FEDFUNDS', 'CPIAUCNS', 'UNRATE'])
const lookUp = (symbol: string) => series.get(symbol)
const { timestamps } = series.get('SPY')!
const days = Int32Array.from(timestamps, (stamp) => stamp / dayStamp(1))
const chosen = (column: Float64Array) => Float64Array.from(reference.rows, (row) => column[row]!)
const adjusted = (ticker: string, adjustment: 'split' | 'total-return') =>
  adjustPrices(series.get(ticker)!, actions!.get(ticker)!, adjustment)

describe('adjusted prices', () => {
  it('of a stock that split are those of pandas, and so are its dividends', () => {
    expect(actions!.get('NVDA')!.splits.map(({ exDay }) => formatDate(exDay))).not.toEqual([])
    const { columns, dividends } = adjusted('NVDA', 'split')
    expectColumn(chosen(columns['close']!), reference.split_adjusted, 'closes')
    expectColumn(
      dividends.map(({ amount }) => amount),
      reference.split_adjusted_dividends,
      'dividends',
    )
  })

  it.each(Object.entries(reference.total_return))('of %s reinvest dividends as pandas has it', (ticker, theirs) => {
    expectColumn(chosen(adjusted(ticker, 'total-return').columns['close']!), theirs, ticker)
  })
})

describe('series without a market', () => {
  it('of Treasury bills earn what pandas has', () => {
    const { pct } = ratesAt(lookUp, BILL_RATES, timestamps)
    expectColumn(chosen(treasuryBillSeries(timestamps, pct)), reference.bills, 'bills')
  })

  it.each(Object.entries(reference.leveraged))('of SPY times %s are reset daily as pandas has it', (factor, theirs) => {
    const { pct } = ratesAt(lookUp, BORROWING_RATES, timestamps)
    const { columns } = leverBars(adjusted('SPY', 'total-return'), parseTicker(`SPY?L=${factor}`).leverage!, pct)
    expectColumn(chosen(columns['close']!), theirs, `SPY?L=${factor}`)
  })
})

it('the price level moves between month ends as numpy interpolates', () => {
  const [first] = reference.price_level
  const shares = reference.price_level.map((level) => first! / level)
  expectColumn(chosen(deflator(lookUp, days)), shares, 'price level')
})

it('an observation counts from its publication as pandas joins it', () => {
  const unemployment = series.get('UNRATE')!
  const instants = timestamps.map((stamp) => stamp + 21 * HOUR)
  expectColumn(chosen(asOf(unemployment, unemployment.columns['value']!, instants)), reference.known_then, 'UNRATE')
})
