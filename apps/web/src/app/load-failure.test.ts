import { expect, it } from 'vitest'
import { isLoadFailure, mayReload } from './router.tsx'

it.each([
  ['Failed to fetch dynamically imported module: https://x/assets/a.js', true],
  ['error loading dynamically imported module: https://x/assets/a.js', true],
  ['Importing a module script failed.', true],
  ['Unable to preload CSS for /assets/a.css', true],
  ["Cannot read properties of undefined (reading 'map')", false],
])('tells a screen that was not fetched from one that broke: %s', (message, expected) => {
  expect(isLoadFailure(new TypeError(message))).toBe(expected)
})

it('lets the page load itself again once, not in a circle', () => {
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  }
  const now = Date.parse('2026-03-02T12:00:00Z')
  expect([0, 1_000, 29_000, 60_000].map((later) => mayReload(storage, now + later))).toEqual([true, false, false, true])
  expect(mayReload(null, now)).toBe(false)
})
