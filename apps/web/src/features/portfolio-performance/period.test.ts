import { PERIOD_FILTERS } from '@tradewright/contract/portfolio'
import { describe, expect, it } from 'vitest'
import { editPeriod, isApplicable, newPeriodState, PERIOD_LABELS, toQuery } from './period.ts'

const choose = (filter: (typeof PERIOD_FILTERS)[number], state = newPeriodState) =>
  editPeriod(state, { type: 'filter', filter })

describe('the period filter', () => {
  it('offers all, ytd, 1y, 2y, 3y and custom [PORT-023]', () => {
    expect(Object.keys(PERIOD_LABELS).toSorted()).toEqual([...PERIOD_FILTERS].toSorted())
  })

  it('applies a filter at once', () => {
    expect(choose('ytd').applied).toMatchObject({ filter: 'ytd' })
  })

  it('applies custom dates only when both are set and Apply is pressed [PORT-027]', () => {
    const custom = choose('custom', choose('1y'))
    expect(custom.applied.filter).toBe('1y')
    const half = editPeriod(custom, { type: 'dates', start: '2026-01-01' })
    expect(isApplicable(half.chosen)).toBe(false)
    expect(editPeriod(half, { type: 'apply' })).toBe(half)
    const whole = editPeriod(half, { type: 'dates', end: '2026-02-01' })
    expect(whole.applied.filter).toBe('1y')
    expect(editPeriod(whole, { type: 'apply' }).applied).toEqual({
      filter: 'custom',
      start: '2026-01-01',
      end: '2026-02-01',
    })
  })

  it('sends dates with the custom filter alone [PORT-033]', () => {
    const dates = { start: '2026-01-01', end: '2026-02-01' }
    expect(toQuery({ filter: '2y', ...dates })).toEqual({ filter_type: '2y' })
    expect(toQuery({ filter: 'custom', ...dates })).toEqual({
      filter_type: 'custom',
      start_date: '2026-01-01',
      end_date: '2026-02-01',
    })
  })
})
