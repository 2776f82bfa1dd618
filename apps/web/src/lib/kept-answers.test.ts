import { beforeEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { dropAllAnswers, dropAnswer, keepAnswer, readAnswer } from './browser-storage.ts'

const schema = z.object({ equity: z.number() })
const read = (now: number) => readAnswer('portfolio 1', schema, { maxAgeMs: 1_000, now })
let stored: Map<string, string>

beforeEach(() => {
  stored = new Map()
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
    removeItem: (name: string) => stored.delete(name),
    key: (index: number) => [...stored.keys()][index] ?? null,
    get length() {
      return stored.size
    },
  })
})

it('gives an answer back with the time at which it was kept [PORT-026]', () => {
  keepAnswer('portfolio 1', { equity: 5 }, 100)
  expect(read(200)).toEqual({ answer: { equity: 5 }, keptAt: 100 })
})

it('forgets what is too old, of another shape, from the future, or damaged', () => {
  keepAnswer('portfolio 1', { equity: 5 }, 100)
  expect(read(1_100)).toBeNull()
  expect(stored.size).toBe(0)
  keepAnswer('portfolio 1', { equity: 'five' }, 100)
  expect(read(200)).toBeNull()
  keepAnswer('portfolio 1', { equity: 5 }, 300)
  expect(read(200)).toBeNull()
  stored.set('answer portfolio 1', '{"keptAt":')
  expect(read(200)).toBeNull()
})

it('drops one answer, or all of them and nothing else', () => {
  keepAnswer('a', 1)
  keepAnswer('b', 2)
  stored.set('theme', 'dark')
  dropAnswer('a')
  expect([...stored.keys()]).toEqual(['answer b', 'theme'])
  dropAllAnswers()
  expect([...stored.keys()]).toEqual(['theme'])
})

it('goes without where the browser has no room', () => {
  keepAnswer('portfolio 1', { equity: 5 }, 100)
  vi.spyOn(globalThis.localStorage, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  keepAnswer('portfolio 1', { equity: 6 }, 200)
  expect(read(300)).toBeNull()
})
