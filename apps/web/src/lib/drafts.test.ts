import { beforeEach, expect, it, vi } from 'vitest'
import { dropDraft, keepDraft, readDraft } from './browser-storage.ts'

function memoryStorage(): Storage {
  const items = new Map<string, string>()
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  } as unknown as Storage
}

beforeEach(() => {
  vi.stubGlobal('localStorage', memoryStorage())
  vi.stubGlobal('sessionStorage', memoryStorage())
})

it('gives a form back to its own user, also in a new tab', () => {
  keepDraft('backtest', 7, { name: 'Core' })
  expect(readDraft('backtest', 7)).toEqual({ name: 'Core' })
  expect(readDraft('backtest', 8)).toBeUndefined()
  vi.stubGlobal('sessionStorage', memoryStorage())
  expect(readDraft('backtest', 7)).toEqual({ name: 'Core' })
})

it('prefers the draft of its own tab', () => {
  keepDraft('backtest', 7, 'of this tab')
  localStorage.setItem('draft backtest 7', '"of another tab"')
  expect(readDraft('backtest', 7)).toBe('of this tab')
})

it('drops a draft, and one that cannot be read', () => {
  keepDraft('backtest', 7, 'typed')
  dropDraft('backtest', 7)
  expect(readDraft('backtest', 7)).toBeUndefined()
  localStorage.setItem('draft backtest 7', '{')
  expect(readDraft('backtest', 7)).toBeUndefined()
  expect(localStorage.getItem('draft backtest 7')).toBeNull()
})
