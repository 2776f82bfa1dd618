import { afterEach, describe, expect, it, vi } from 'vitest'
import { forgetToken, keepToken, tokenFor } from './http.ts'

afterEach(() => vi.unstubAllGlobals())

function storage(): Map<string, string> {
  const items = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => items.set(name, value),
    removeItem: (name: string) => items.delete(name),
  })
  return items
}

describe('the access token', () => {
  it('is kept under both keys, and forgotten under both', () => {
    const items = storage()
    keepToken('abc')
    expect(Object.fromEntries(items)).toEqual({ token: 'abc', authToken: 'abc' })
    forgetToken()
    expect(items.size).toBe(0)
  })

  it('is sent by chat from token, by portfolio and settings from authToken, by others not at all [AI-026] [PORT-028]', () => {
    const items = storage()
    items.set('token', 'for chat').set('authToken', 'for the rest')
    expect(tokenFor({ tag: 'AI assistant' })).toBe('for chat')
    for (const tag of ['Portfolio', 'Brokerage accounts', 'OpenAI', 'Data stores', 'Sign-in methods']) {
      expect(tokenFor({ tag }), tag).toBe('for the rest')
    }
    for (const tag of ['Optimizer', 'Live trading', 'Backtests', 'Sign-in']) expect(tokenFor({ tag }), tag).toBeNull()
  })

  it('is done without where the browser blocks storage', () => {
    vi.stubGlobal('localStorage', undefined)
    keepToken('abc')
    expect(tokenFor({ tag: 'Portfolio' })).toBeNull()
  })
})
