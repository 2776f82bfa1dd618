import { expect, it } from 'vitest'
import { HttpFailure } from './http-failure.ts'
import { defaultRetry, retryAfterSeconds, retryWaitMillis, vendorCountOf } from './transport.ts'

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

const inSeconds = (seconds: number) => String(now / 1_000 + seconds)

it.each([
  ['12', inSeconds(30), { remaining: 12, untilResetMillis: 30_000 }],
  [' 0 ', inSeconds(60), { remaining: 0, untilResetMillis: 60_000 }],
  // Over, too far away, or in another unit: a vendor must not stop us for an hour by a header.
  ['0', inSeconds(0), undefined],
  ['0', inSeconds(-5), undefined],
  ['0', inSeconds(121), undefined],
  ['0', String(now + 30_000), undefined],
  ['0', '30', undefined],
  ['-1', inSeconds(30), undefined],
  ['1.5', inSeconds(30), undefined],
  ['NaN', inSeconds(30), undefined],
  ['0', 'soon', undefined],
  ['0', '', undefined],
  ['0', undefined, undefined],
  [undefined, inSeconds(30), undefined],
])('reads X-RateLimit-Remaining %j with X-RateLimit-Reset %j as %j', (remaining, reset, count) => {
  const headers: Record<string, string | undefined> = { 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': reset }
  expect(vendorCountOf({ header: (name) => headers[name] }, now)).toEqual(count)
})
