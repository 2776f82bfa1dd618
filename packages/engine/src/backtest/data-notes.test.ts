import { dateOf, dayStamp, epochDayOf, formatDate } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import type { SeriesTable } from '../market/series.ts'
import { planBacktest } from './plan.ts'
import { runBacktest } from './run-backtest.ts'
import { sampleData } from './test-support/market-files.ts'
import { allocationRequest, FROM, TO } from './test-support/requests.ts'

const data = sampleData(['SPY', 'TLT', 'BTC-USD', 'TB3MS', 'CPIAUCNS'], FROM, TO)

/** A run in which SPY's rows were changed before it. */
function runWith(change: (table: SeriesTable) => SeriesTable, more = {}) {
  const series = new Map(data.series)
  series.set('SPY', change(series.get('SPY')!))
  return runBacktest(planBacktest(allocationRequest({ SPY: 60, TLT: 40 }, more)), { ...data, series })
}

function keepRows(table: SeriesTable, keep: (row: number) => boolean): SeriesTable {
  const rows = [...table.timestamps.keys()].filter(keep)
  const columns = Object.entries(table.columns).map(([name, column]) => [
    name,
    Float64Array.from(rows, (row) => column[row]!),
  ])
  return {
    ...table,
    timestamps: Float64Array.from(rows, (row) => table.timestamps[row]!),
    columns: Object.fromEntries(columns),
  }
}

const scaled = (table: SeriesTable, factorOf: (row: number) => number): SeriesTable => ({
  ...table,
  columns: Object.fromEntries(
    Object.entries(table.columns).map(([name, column]) => [
      name,
      ['open', 'high', 'low', 'close'].includes(name) ? column.map((price, row) => price * factorOf(row)) : column,
    ]),
  ),
})

const dayOf = (table: SeriesTable, row: number) => formatDate(epochDayOf(table.timestamps[row]!))
const spy = data.series.get('SPY')!
/** The first row of the run, which begins after the warm-up of the data. */
const first = spy.timestamps.findIndex((stamp) => stamp >= dayStamp(FROM))

describe('the prices behind a result', () => {
  it('are not mentioned where nothing is odd', async () => {
    const { notes } = await runWith((table) => table)
    expect(notes.filter((note) => note.includes('SPY'))).toEqual([])
  })

  it('that end early end the result, which says so', async () => {
    const { notes, curve } = await runWith((table) => keepRows(table, (row) => row < first + 600))
    const last = dayOf(spy, first + 599)
    expect(formatDate(curve.days.at(-1)!)).toBe(last)
    expect(notes).toContain(`The result ends on ${last}, when SPY has its last price; ${formatDate(TO)} was requested.`)
    expect(notes.some((note) => note.startsWith(`SPY has no prices after ${last}, `))).toBe(true)
  })

  it('with a hole name it', async () => {
    const { notes } = await runWith((table) => keepRows(table, (row) => row < first + 200 || row >= first + 260))
    const hole = `SPY has no prices from ${dayOf(spy, first + 200)} to ${dayOf(spy, first + 259)} (60 bars)`
    expect(notes).toContain(`${hole}: the time in between counts as one step.`)
  })

  it('with a missed split say that it counts as a loss', async () => {
    const { notes } = await runWith((table) => scaled(table, (row) => (row < first + 300 ? 1 : 0.5)))
    const found = notes.find((note) => note.includes('2:1 split'))
    expect(found).toContain(`on ${dayOf(spy, first + 300)}`)
    expect(found).toContain('counts as a loss')
  })

  it('with a tenfold spike name both ends of it, once', async () => {
    const { notes } = await runWith((table) => scaled(table, (row) => (row === first + 400 ? 10 : 1)))
    const found = notes.filter((note) => note.startsWith('SPY '))
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(`on ${dayOf(spy, first + 400)} and was back on ${dayOf(spy, first + 401)}`)
  })

  it('count inflation from the first day, and say where the index does not reach', async () => {
    const full = sampleData(['SPY', 'TLT', 'TB3MS', 'CPIAUCNS'], dateOf('2015-01-01'), TO)
    const request = planBacktest(allocationRequest({ SPY: 100 }, { adjustInflation: true }))
    const reached = await runBacktest(request, full)
    expect(reached.notes.filter((note) => note.startsWith('Consumer prices'))).toEqual([])
    const late = new Map(full.series)
    late.set(
      'CPIAUCNS',
      keepRows(
        full.series.get('CPIAUCNS')!,
        (row) => full.series.get('CPIAUCNS')!.timestamps[row]! > dayStamp(FROM + 90),
      ),
    )
    const cut = await runBacktest(request, { ...full, series: late })
    expect(cut.notes.some((note) => note.startsWith('Consumer prices are known from '))).toBe(true)
  })
})

describe('currencies', () => {
  const priced = (currency: string) => (table: SeriesTable) => ({ ...table, currency })

  it('are not mixed', async () => {
    await expect(runWith(priced('GBp'))).rejects.toThrow(
      'The prices are in different currencies: GBp (SPY) and USD (TLT). They are not converted, so that one run needs one currency.',
    )
  })

  it('other than the dollar are told', async () => {
    const series = new Map([...data.series].map(([ticker, table]) => [ticker, priced('EUR')(table)]))
    const { notes } = await runBacktest(planBacktest(allocationRequest({ SPY: 100 })), { ...data, series })
    expect(notes).toContain(
      'SPY is quoted in EUR and not converted: its changes are those in EUR. Cash and amounts are shown in dollars.',
    )
  })
})
