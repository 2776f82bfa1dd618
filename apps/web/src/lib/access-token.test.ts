import { afterEach, describe, expect, it, vi } from 'vitest'
import { forgetToken, readToken } from './access-token.ts'

afterEach(() => vi.unstubAllGlobals())

describe('the access token', () => {
  it.each(['token', 'authToken'])('is read where there is one under %s, and forgotten under both', (key) => {
    const items = new Map([[key, 'abc']])
    vi.stubGlobal('localStorage', {
      getItem: (name: string) => items.get(name) ?? null,
      removeItem: (name: string) => items.delete(name),
    })
    expect(readToken()).toBe('abc')
    forgetToken()
    expect(items.size).toBe(0)
  })

  it('is done without where the browser blocks storage', () => {
    vi.stubGlobal('localStorage', undefined)
    expect(readToken()).toBeNull()
  })
})
