import { revisionsCategory, UNKNOWN_RELEASE } from '@tradewright/core/category'
import { DAY, dateOf, dayStamp } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import type { SeriesTable } from '../market/series.ts'
import { planBacktest } from './plan.ts'
import { revisedValues, revisionNotes } from './revised-values.ts'
import { runBacktest } from './run-backtest.ts'
import { sampleData } from './test-support/market-files.ts'
import { nearestMean } from './test-support/nearest-mean.ts'
import { FROM, mlRequest, TO } from './test-support/requests.ts'

const MONTHS = ['2024-01-01', '2024-02-01', '2024-03-01', '2024-04-01']

/** Four months of a series, each published 40 days after its first day. */
const monthly = (revisions: readonly number[] | undefined, more: Partial<SeriesTable> = {}): SeriesTable => {
  const timestamps = Float64Array.from(MONTHS, (date) => dayStamp(dateOf(date)))
  const value = Float64Array.of(4, 4.1, 4.2, 4.3)
  return {
    ticker: 'UNRATE',
    granularity: '1d',
    type: 'economic',
    currency: 'USD',
    timestamps,
    columns: { value, ...(revisions && { [revisionsCategory]: Float64Array.from(revisions) }) },
    knownAt: timestamps.map((stamp) => stamp + 40 * DAY),
    sources: [{ provider: 'fred', rows: 4, from: timestamps[0]!, last: timestamps[3]!, collectedAt: 0 }],
    ...more,
  }
}

const END = dayStamp(dateOf('2024-12-31'))

describe('a result says of the economic values it used', () => {
  it('how many were revised later, where first releases are known', () => {
    const counts = revisedValues([monthly([2, 0, 1, 0])], END)
    expect(counts).toMatchObject([{ ticker: 'UNRATE', values: 4, revisedLater: 2, ofUnknownRelease: 0 }])
    expect(revisionNotes(counts)).toEqual([
      '2 of the 4 values of UNRATE that features used were revised later. Features saw them as first published.',
    ])
  })

  it('how many are later revisions, where nothing else is known', () => {
    const [note] = revisionNotes(revisedValues([monthly(MONTHS.map(() => UNKNOWN_RELEASE))], END))
    expect(note).toContain('4 of the 4 values of UNRATE may be later revisions')
    expect(note).toContain('With a FRED key first releases are used.')
    // Stored before releases were told, or imported.
    expect(revisedValues([monthly(undefined)], END)).toMatchObject([{ ofUnknownRelease: 4 }])
  })

  it('only of those that were published by its end', () => {
    expect(revisedValues([monthly([1, 1, 1, 1])], dayStamp(dateOf('2024-03-31')))).toMatchObject([
      { values: 2, revisedLater: 2 },
    ])
  })

  it('that nothing is known where sources are mixed', () => {
    const table = monthly([0, 0, 0, 0])
    const csv = { ...table.sources[0]!, provider: 'csv' }
    const [mixed] = revisedValues([{ ...table, sources: [csv, ...table.sources] }], END)
    expect(mixed).toMatchObject({ ofUnknownRelease: 4, hasVintages: false })
  })

  it('nothing about prices, daily quotes and made-up values', () => {
    const daily = Float64Array.from({ length: 4 }, (_, day) => dayStamp(dateOf('2024-01-01') + day))
    expect(revisedValues([monthly(undefined, { timestamps: daily })], END)).toEqual([])
    expect(revisedValues([monthly(undefined, { type: 'security' })], END)).toEqual([])
    const sample = { ...monthly(undefined).sources[0]!, provider: 'sample' }
    expect(revisedValues([monthly(undefined, { sources: [sample] })], END)).toEqual([])
  })
})

it('is told with a backtest whose features are made from them', async () => {
  const data = sampleData(['SPY', 'TLT', 'UNRATE', 'TB3MS'], FROM, TO)
  const unrate = data.series.get('UNRATE')!
  const revisions = unrate.timestamps.map((_, row) => row % 3)
  const fred = {
    ...unrate,
    columns: { ...unrate.columns, [revisionsCategory]: revisions },
    sources: [{ ...unrate.sources[0]!, provider: 'fred' }],
  }
  const told = { ...data, series: new Map([...data.series, ['UNRATE', fred]]) }
  const result = await runBacktest(planBacktest(mlRequest()), told, nearestMean)
  expect(result.revisedValues).toMatchObject([{ ticker: 'UNRATE', ofUnknownRelease: 0 }])
  expect(
    result.notes.some((note) => /of the \d+ values of UNRATE that features used were revised later/.test(note)),
  ).toBe(true)
})
