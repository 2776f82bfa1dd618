import { describe, expect, it } from 'vitest'
import { CallError } from './call-error.ts'
import { isWorthRetrying } from './http.ts'

const failure = (status: number) => new CallError({ status, code: 'x', serverMessage: null })

describe('isWorthRetrying', () => {
  it('tries again, twice, when the network or the server failed', () => {
    expect(isWorthRetrying(0, failure(0))).toBe(true)
    expect(isWorthRetrying(1, failure(503))).toBe(true)
    expect(isWorthRetrying(2, failure(503))).toBe(false)
  })

  it('does not repeat a refusal or a bug', () => {
    expect(isWorthRetrying(0, failure(404))).toBe(false)
    expect(isWorthRetrying(0, new Error('a bug'))).toBe(false)
  })
})
