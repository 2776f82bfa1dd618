import { expect, it } from 'vitest'
import { CallError } from '../../../lib/call-error.ts'
import { refusalIn, sizeOf } from './form-request.ts'

it('says how large the search would be', () => {
  expect(sizeOf({ candidate_features: 200, most_evaluations: 1000 })).toBe(
    '200 features to choose from, up to 1,000 sets tried.',
  )
  expect(sizeOf({ candidate_features: 1, most_evaluations: 4 })).toBe('1 feature to choose from, up to 4 sets tried.')
  expect(sizeOf({ candidate_features: null, most_evaluations: null })).toBeNull()
})

it('takes a refusal for one only where the server speaks about the form', () => {
  const refused = {
    status: 400,
    code: 'optimizer.features',
    serverMessage: 'RSI: enter at least one value for window.',
  }
  expect(refusalIn(new CallError(refused))).toBe('RSI: enter at least one value for window.')
  expect(refusalIn(new CallError({ ...refused, status: 500 }))).toBeNull()
  expect(refusalIn(new CallError({ status: 0, code: 'network', serverMessage: null }))).toBeNull()
  expect(refusalIn(null)).toBeNull()
})
