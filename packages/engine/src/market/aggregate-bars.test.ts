import { dateOf } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { aggregateBars } from './layers/rows.ts'
import { barStamps, nyse } from './trading-calendar.ts'

const day = dateOf('2024-11-29')
const fine = (() => {
  const timestamps = barStamps(nyse, day, '15m')
  const row = timestamps.map((_, i) => i + 1)
  return {
    timestamps,
    columns: {
      open: row,
      high: row.map((v) => v + 0.5),
      low: row.map((v) => v - 0.5),
      close: row,
      volume: row.map(() => 10),
      flow: row,
    },
  }
})()

describe('aggregateBars', () => {
  it('makes half hours of quarter hours', () => {
    const { timestamps, columns } = aggregateBars(fine, '30m', nyse, ['flow'])
    expect(timestamps).toEqual(barStamps(nyse, day, '30m'))
    const second = Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column[1]]))
    expect(second).toEqual({ open: 3, high: 4.5, low: 2.5, close: 4, volume: 20, flow: 7 })
  })

  it('counts hours from the opening, with a short last one', () => {
    const { timestamps, columns } = aggregateBars(fine, '1h', nyse)
    expect(timestamps).toEqual(barStamps(nyse, day, '1h'))
    expect(columns['volume']).toEqual(Float64Array.of(40, 40, 40, 20))
  })

  it('makes one day of them all', () => {
    const { timestamps, columns } = aggregateBars(fine, '1d', nyse)
    expect(timestamps).toEqual(barStamps(nyse, day, '1d'))
    expect(columns).toMatchObject({ open: Float64Array.of(1), high: Float64Array.of(14.5), close: Float64Array.of(14) })
  })
})
