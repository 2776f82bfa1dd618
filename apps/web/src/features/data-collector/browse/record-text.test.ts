import { expect, it } from 'vitest'
import { formatValue, recordTime } from './browse-state.ts'

it('shows volumes without decimals and other values with two [DATA-147]', () => {
  expect(formatValue(1234567.8, 'volume')).toBe('1,234,568')
  expect(formatValue(1234.5, 'close')).toBe('1,234.50')
  expect(formatValue(null, 'close')).toBe('N/A')
})

it('shows a date for daily rows and a moment for the others', () => {
  expect(recordTime({ timestamp: '2024-01-02T00:00:00.000Z', granularity: '1d' })).toBe('2 Jan 2024')
  expect(recordTime({ timestamp: '2024-01-02T14:30:00.000Z', granularity: '1h' })).toBe('2 Jan 2024, 9:30 AM ET')
})
