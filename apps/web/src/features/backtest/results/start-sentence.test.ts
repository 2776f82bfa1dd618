import { describe, expect, it } from 'vitest'
import { startSentence } from './start-sentence.ts'

const result = {
  strategy_type: 'Asset Allocation',
  start_date: '2024-01-01',
  actual_start_date: '2024-01-02',
  test_dates: ['2024-01-02', '2025-01-03'],
} as const

describe('beside the dates of a result', () => {
  it('stands that the first bar is the first close', () => {
    const sentence = "Invested at the first close, on 2 Jan 2024: that day's own return does not count."
    expect(startSentence({ ...result, test_dates: [...result.test_dates] })).toBe(sentence)
  })

  it('stands that the first session counts, where it does', () => {
    const included = { ...result, actual_start_date: '2023-12-29', test_dates: ['2023-12-29', '2025-01-02'] }
    expect(startSentence(included)).toBe(
      "Invested at the close of 29 Dec 2023, before the start date: the first session's return counts.",
    )
  })

  it('stands when an ML strategy made its first prediction', () => {
    const ml = { ...result, strategy_type: 'ML', test_dates: ['2024-06-03'] } as const
    expect(startSentence({ ...ml, test_dates: [...ml.test_dates] })).toContain(
      'first prediction, at the close of 3 Jun 2024',
    )
  })
})

it('says that the figures a year of a few months are a projection', () => {
  const dates = { start_date: '2025-06-30', actual_start_date: '2025-06-30' }
  const months = { ...result, ...dates, test_dates: ['2025-06-30', '2025-08-29'] }
  expect(startSentence(months)).toContain('Less than a year')
  expect(startSentence({ ...months, test_dates: ['2025-06-30', '2026-06-30'] })).not.toContain('Less than a year')
})
