import { CAGR_METHOD_TEXTS, CAGR_METHODS, methodText, type Portfolio } from '@tradewright/contract/portfolio'
import { expect, it } from 'vitest'
import { CallError, UNREACHABLE } from '../../lib/call-error.ts'
import { activityWord, otherReadingNote, portfolioFailed } from './messages.ts'

const refused = (status: number, serverMessage: string | null) => new CallError({ status, code: 'x', serverMessage })

it('shows what the server says, or that loading failed [PORT-036]', () => {
  expect(portfolioFailed(refused(502, 'Alpaca is down.')).text).toBe('Alpaca is down.')
  expect(portfolioFailed(refused(500, null)).text).toBe('Failed to load portfolio data')
})

it('says of an exception that there was an error, and why no answer came [PORT-037]', () => {
  expect(portfolioFailed(refused(0, null))).toEqual({ text: 'Error loading portfolio data', detail: UNREACHABLE })
  expect(portfolioFailed(new Error('a bug')).text).toBe('Error loading portfolio data')
})

it('explains each method in its own words, and any other value as unavailable [PORT-021] [PORT-022]', () => {
  expect(new Set(CAGR_METHODS.map(methodText)).size).toBe(6)
  expect(methodText('insufficient_data')).toBe(CAGR_METHOD_TEXTS.insufficient_data)
  for (const other of ['', 'something_new', 'toString']) expect(methodText(other)).toContain('unavailable')
})

it('puts the codes of activities into words where it knows them', () => {
  expect([activityWord('CSD'), activityWord('XYZ')]).toEqual(['Deposit', 'XYZ'])
})

it('gives both returns where a large cash flow has an unknown time', () => {
  const figures = { cagr_excluding_contributions: 0.02 } as Portfolio
  expect(otherReadingNote({ ...figures, other_reading: null })).toBeUndefined()
  const other_reading = { days: 1, total_return: 0.42, cagr_excluding_contributions: 0.42 }
  expect(otherReadingNote({ ...figures, other_reading })).toBe(
    'On one day a cash flow of unknown time was over 10% of the account. Deposits counted from the start of their day ' +
      'give +2.00%; counted at its end (and withdrawals at the start) they give +42.00%.',
  )
})
