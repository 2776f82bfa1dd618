import { formatTicker, parseTicker } from '@tradewright/core/ticker'
import { dateOf, dayStamp, formatDate, HOUR } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { expectColumn } from '../../../../reference/expect-near.ts'
import { referenceMarket, referenceValues } from '../../../../reference/read.ts'
import { deflator } from '../backtest/inflation.ts'
import { BILL_RATES, BORROWING_RATES, ratesAt } from '../backtest/interest-rates.ts'
import { SeriesSet } from '../backtest/priced-series.ts'
import { defaultSettings } from '../backtest/request.ts'
import { adjustPrices } from './corporate-actions.ts'
import { asOf } from './align.ts'
import { bondSeries, leverBars, treasuryBillSeries } from './derived-series.ts'
import { rowsInRange } from './layers/rows.ts'

/** What pandas makes of the prices and rates of the sample market: reference/series.py. */
interface Reference {
  /** The rows that are committed. */
  rows: number[]
  split_adjusted: number[]
  split_adjusted_dividends: number[]
  total_return: Record<string, number[]>
  bills: number[]
  leveraged: Record<string, number[]>
  /** By ticker, TLT taken to have no prices before `JOIN`. */
  spliced: Record<string, number[]>
  /** Bond prices from made-up yields, by years to maturity. */
  bond: Record<string, number[]>
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

const JOIN = dayStamp(dateOf('2016-03-15'))
/** As in series.py. */
const yields = Float64Array.from(timestamps, (_, row) => 3.5 + 2 * Math.sin(row / 300) + Math.cos(row / 7))

describe('history before a fund existed', () => {
  it.each(Object.entries(reference.bond))(
    'of a bond of %s years is made of its yields as numpy has it',
    (years, theirs) => {
      expectColumn(chosen(bondSeries(timestamps, yields, Number(years))), theirs, `${years} years`)
    },
  )

  it.each(Object.entries(reference.spliced))('%s is joined as pandas joins returns', (ticker, theirs) => {
    const tlt = series.get('TLT')!
    const data = {
      actions: actions!,
      series: new Map(series)
        .set('TLT', rowsInRange(tlt, { from: JOIN, to: Number.POSITIVE_INFINITY }))
        .set('DGS10', { ...tlt, ticker: 'DGS10', type: 'economic', columns: { value: yields } }),
    }
    const settings = { ...defaultSettings, from: days[0]!, to: days.at(-1)! }
    const set = new SeriesSet(data, settings)
    const { table, standIns } = set.priced(ticker)
    expect(table.timestamps).toEqual(timestamps)
    expectColumn(chosen(table.columns['close']!), theirs, ticker)
    const anchored = set.anchored(ticker).columns['close']!
    const scale = theirs.at(-1)! / anchored[reference.rows.at(-1)!]!
    expectColumn(
      chosen(anchored).map((value) => value * scale),
      theirs,
      `${ticker} as features see it`,
    )
    expect(standIns).toEqual([
      { ticker: formatTicker(parseTicker(ticker).fallback!), from: days[0]!, to: dateOf('2016-03-14') },
    ])
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
