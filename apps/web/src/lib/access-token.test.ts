import { afterEach, describe, expect, it, vi } from 'vitest'
import { forgetToken, keepToken, readToken } from './access-token.ts'

afterEach(() => vi.unstubAllGlobals())

describe('the access token', () => {
  it('is kept under both keys, and forgotten under both', () => {
    const items = new Map<string, string>()
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, value: string) => items.set(key, value),
      removeItem: (key: string) => items.delete(key),
    })
    keepToken('abc')
    expect([...items]).toEqual([
      ['token', 'abc'],
      ['authToken', 'abc'],
    ])
    expect(readToken()).toBe('abc')
    forgetToken()
    expect(items.size).toBe(0)
  })

  it('is done without where the browser blocks storage', () => {
    vi.stubGlobal('localStorage', undefined)
    keepToken('abc')
    expect(readToken()).toBeNull()
  })
})
