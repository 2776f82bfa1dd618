import { CAGR_METHOD_TEXTS, CAGR_METHODS, methodText } from '@tradewright/contract/portfolio'
import { expect, it } from 'vitest'
import { CallError, UNREACHABLE } from '../../lib/call-error.ts'
import { activityWord, portfolioFailed } from './messages.ts'

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
