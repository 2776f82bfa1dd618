import { expect, it } from 'vitest'
import { CallError } from '../../lib/call-error.ts'
import { failed, missingForTransform, runFailed, runSucceeded, transformNeeds } from './notice.tsx'

const refused = (serverMessage: string | null, code = 'x') => new CallError({ status: 400, code, serverMessage })

it.each([
  ['load', 'Failed to load data collector information'],
  ['runs', 'Failed to load runs'],
  ['browse', 'Failed to browse data'],
  ['deleteJob', 'Failed to delete collection job'],
  ['deleteStore', 'Failed to delete data store'],
  ['clearStore', 'Failed to clear data store'],
  ['transform', 'Failed to apply transform'],
  ['createJob', 'Failed to create collection job'],
  ['updateJob', 'Failed to update collection job'],
  ['generate', 'Failed to generate provider'],
  ['saveQuery', 'Failed to save query'],
  ['deleteQuery', 'Failed to delete query'],
  ['sec', 'Failed to fetch SEC tickers'],
] as const)(
  'says "%s" in its own words only where the server gave none [DATA-112..114, DATA-118..127] [DATA-129]',
  (what, sentence) => {
    expect(failed(what, refused(null)).text).toBe(sentence)
    expect(failed(what, refused('Because of the moon.')).text).toBe('Because of the moon.')
  },
)

it('tells a run without success from a failed request and from a fault of our own [DATA-115] [DATA-116] [DATA-117]', () => {
  expect(runFailed(refused(null, 'answer.shape')).text).toBe('Job failed to run')
  expect(runFailed(refused(null)).text).toBe('Failed to run collection job')
  expect(runFailed(new TypeError('a bug')).text).toBe('Failed to run job')
  expect(runFailed(refused('Yahoo Finance does not know NOSUCH.')).text).toBe('Yahoo Finance does not know NOSUCH.')
})

it('does not call a run failed that its user has cancelled', () => {
  expect(runFailed(refused('The work was cancelled.', 'job.cancelled'))).toEqual({
    kind: 'info',
    text: 'The run was cancelled. The data it had stored is kept.',
  })
})

it('counts what a run fetched and stored, and adds what else the server says [DATA-138]', () => {
  const answer = { records_fetched: 1470, records_stored: 12, message: 'Fetched 1,470 records, stored 12 records.' }
  expect(runSucceeded(answer)).toEqual({
    kind: 'success',
    text: 'Job completed successfully! fetched 1,470 records, stored 12 records.',
    detail: null,
  })
  const more = { ...answer, message: `${answer.message} Yahoo Finance does not know NOSUCH.` }
  expect(runSucceeded(more).detail).toBe('Yahoo Finance does not know NOSUCH.')
})

it('names everything that a transform view lacks at once [DATA-114]', () => {
  const none = { tickers: [], categories: [] }
  expect(missingForTransform(none)).toEqual([
    'Please select at least one ticker for transform view',
    'Please select at least one category for transform view',
  ])
  expect(transformNeeds(none)).toBe('Transform View needs at least one ticker and one category.')
  expect(transformNeeds({ tickers: ['SPY'], categories: [] })).toBe('Transform View needs at least one category.')
  expect(transformNeeds({ tickers: ['SPY'], categories: ['close'] })).toBeUndefined()
})
