import { expect, it } from 'vitest'
import { HttpFailure } from './http-failure.ts'
import { defaultRetry, retryAfterSeconds, retryWaitMillis } from './retry.ts'

const now = Date.parse('2026-03-02T15:00:00Z')

it.each([
  ['7', 7],
  ['0.25', 0.25],
  ['-3', 0],
  ['Mon, 02 Mar 2026 15:01:00 GMT', 60],
  ['Mon, 02 Mar 2026 14:00:00 GMT', 0],
  ['soon', undefined],
  ['', undefined],
  [undefined, undefined],
])('reads Retry-After %j as %j seconds', (header, seconds) => {
  expect(retryAfterSeconds(header, now)).toBe(seconds)
})

it('tries again only what time may heal', () => {
  const waits = (['auth', 'limit', 'not-found', 'bad-request', 'network', 'malformed'] as const).filter(
    (kind) => retryWaitMillis(new HttpFailure(kind, ''), 1, defaultRetry) !== undefined,
  )
  expect(waits).toEqual(['limit', 'network'])
  expect(retryWaitMillis(new Error('a bug'), 1, defaultRetry)).toBeUndefined()
})
