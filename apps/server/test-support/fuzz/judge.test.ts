import { expect, it } from 'vitest'
import { judge } from './judge.ts'
import type { PlannedRequest } from './requests.ts'
import type { WireAnswer } from './wire.ts'

const call = { id: 'GET /api/strategies', method: 'GET', path: '/api/strategies', access: 'signed in' } as const
const planned: PlannedRequest = {
  index: 0,
  call: call.id,
  method: 'GET',
  path: call.path,
  params: {},
  query: [],
  body: undefined,
  isMultipart: false,
  headers: {},
  caller: 'ann',
}
const refusal = (code: string) =>
  JSON.stringify({ success: false, error: 'No.', message: 'No.', code, request_id: 'r' })
const kindOf = (answer: Partial<WireAnswer>, request: Partial<PlannedRequest> = {}) =>
  judge(
    { ...planned, ...request },
    { ...call, isMultipart: false },
    { status: 200, headers: {}, body: '{}', milliseconds: 1, ...answer },
    ['canary-bob'],
  )?.kind

it('passes answers and refusals, and a server of the user’s own that is away', () => {
  expect(kindOf({})).toBeUndefined()
  expect(kindOf({ status: 404, body: refusal('strategy.missing') })).toBeUndefined()
  expect(kindOf({ status: 503, body: refusal('store.away') })).toBeUndefined()
})

it.each([
  ['server error', { status: 500, body: refusal('internal') }],
  ['server error', { status: 503, body: refusal('database.away') }],
  ['no answer', { status: 0, body: 'socket hang up' }],
  ['slow', { milliseconds: 5_001 }],
  ['leak', { body: '{"name":"canary-bob"}' }],
  ['session lost', { status: 401, body: refusal('session.missing') }],
  ['not an error answer', { status: 400, body: '<html>' }],
] as const)('finds: %s', (kind, answer) => {
  expect(kindOf(answer)).toBe(kind)
})

it('finds an answer without a session', () => {
  expect(kindOf({}, { caller: 'stranger' })).toBe('no session')
  expect(kindOf({ status: 401, body: refusal('session.missing') }, { caller: 'stranger' })).toBeUndefined()
})
