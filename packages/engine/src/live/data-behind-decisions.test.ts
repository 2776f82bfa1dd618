import { dayStamp, epochDayOf, formatDate, HOUR } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import type { MarketData } from '../backtest/market-data.ts'
import { planBacktest } from '../backtest/plan.ts'
import { sampleData } from '../backtest/test-support/market-files.ts'
import { allocationRequest, FROM, mlRequest, TO } from '../backtest/test-support/requests.ts'
import type { SeriesTable } from '../market/series.ts'
import { planSearch } from '../optimizer/plan.ts'
import { prepareSearch } from '../optimizer/prepare.ts'
import { searchRequest } from '../optimizer/test-support/made-up-search.ts'
import { periodNotes } from '../backtest/run-period.ts'
import { signalNow } from './signal-now.ts'
import { onlyVersion } from './test-support/only-version.ts'
import { trainModel } from './train-model.ts'

const whole = sampleData(['SPY', 'TLT', 'TB3MS', 'UNRATE'], FROM, TO)
const spy = whole.series.get('SPY')!
const rowOf = (day: number) => spy.timestamps.findIndex((stamp) => stamp >= dayStamp(day))
const dateAt = (row: number) => formatDate(epochDayOf(spy.timestamps[row]!))

const withSpy = (change: (table: SeriesTable) => SeriesTable): MarketData => ({
  ...whole,
  series: new Map(whole.series).set('SPY', change(spy)),
})

function keepRows(table: SeriesTable, keep: (row: number) => boolean): SeriesTable {
  const pick = (column: Float64Array) => column.filter((_, row) => keep(row))
  const columns = Object.fromEntries(Object.entries(table.columns).map(([name, column]) => [name, pick(column)]))
  return { ...table, timestamps: pick(table.timestamps), columns }
}

/** A tenfold price on one day. */
const spiked = (at: number) => (table: SeriesTable) => ({
  ...table,
  columns: {
    ...table.columns,
    close: table.columns['close']!.map((price, row) => (row === at ? price * 10 : price)),
  },
})

const search = (data: MarketData) =>
  prepareSearch(
    planSearch(
      searchRequest({
        from: FROM,
        to: TO,
        targets: [{ asset: 'SPY', selection: { id: 1, params: { ticker: 'SPY' } }, relatedAssets: [] }],
        sell: [{ ticker: 'TLT', allocationPct: 100 }],
      }),
    ),
    data,
  )

describe('the data behind an optimizer run', () => {
  it('that ends early shortens the tested period, which says so', () => {
    const last = rowOf(TO) - 200
    const { periods, dataNotes } = search(withSpy((table) => keepRows(table, (row) => row <= last)))
    expect(formatDate(periods[0]!.to)).toBe(dateAt(last))
    expect(periodNotes(periods[0]!, { to: TO })).toEqual([
      `The result ends on ${dateAt(last)}, when SPY has its last price; ${formatDate(TO)} was requested.`,
    ])
    expect(dataNotes[0]).toContain(`SPY has no prices after ${dateAt(last)}`)
  })

  it('names holes and wrong prices', () => {
    const at = rowOf(FROM) + 300
    const hole = search(withSpy((table) => keepRows(table, (row) => row < at || row > at + 30)))
    expect(hole.dataNotes.join(' ')).toContain(`SPY has no prices from ${dateAt(at)} to ${dateAt(at + 30)}`)
    const spike = search(withSpy(spiked(at)))
    expect(spike.dataNotes.join(' ')).toContain('this looks like a wrong price')
    expect(search(whole).dataNotes).toEqual([])
  })
})

describe('the data behind a deployment', () => {
  const at = dayStamp(TO) + 22 * HOUR
  const decide = (data: MarketData) => signalNow(planBacktest(allocationRequest({ SPY: 60, TLT: 40 })), data, [], at)

  it('is told with a decision where the newest prices are odd, and not where old ones were', () => {
    expect(decide(whole).notes).toEqual([])
    expect(decide(withSpy(spiked(rowOf(TO) - 10))).notes.join(' ')).toContain('this looks like a wrong price')
    expect(decide(withSpy(spiked(rowOf(FROM) + 10))).notes).toEqual([])
  })

  it('is told with the model that learned from it', () => {
    const train = (data: MarketData) =>
      trainModel(planBacktest(mlRequest()), data, { kind: 'linear' }, { mode: 'full_range' })
    expect(train(whole).notes).toEqual([])
    expect(train(withSpy(spiked(rowOf(FROM) + 300))).notes.join(' ')).toContain('this looks like a wrong price')
  })

  it('is told where economic values may be later revisions, with the model and with a decision', () => {
    const unrate = whole.series.get('UNRATE')!
    const revised = { ...unrate, sources: [{ ...unrate.sources[0]!, provider: 'fred' }] }
    const data = { ...whole, series: new Map(whole.series).set('UNRATE', revised) }
    const plan = planBacktest(mlRequest())
    const { model, notes } = trainModel(plan, data, { kind: 'linear' }, { mode: 'full_range' })
    expect(notes.join(' ')).toContain('values of UNRATE may be later revisions')
    expect(signalNow(plan, data, onlyVersion(model), at).notes.join(' ')).toContain(
      'Features of UNRATE use its values as revised by now',
    )
  })
})
