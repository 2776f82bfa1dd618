import { expect, it } from 'vitest'
import { isLong, jsonSlices, SLICE } from './json-slices.ts'

const textOf = async (value: unknown) => (await Array.fromAsync(jsonSlices(value))).join('')

const long = Array.from({ length: 2 * SLICE + 3 }, (_, at) => ({ at, value: at % 7 === 0 ? null : at / 3 }))

it.each([
  ['a long list', long],
  [
    'a long list beside short parts',
    { name: 'Ünïcode "quoted"', missing: undefined, rows: long, empty: [], after: null },
  ],
  ['lists inside the items of a list', { windows: [{ dates: ['2024-01-02'] }, { dates: long.map(String), n: 1 }] }],
  ['exactly whole slices', { rows: long.slice(0, 2 * SLICE) }],
  ['a short answer', { rows: long.slice(0, 3) }],
])('writes %s as JSON does', async (_, value) => {
  expect(await textOf(value)).toBe(JSON.stringify(value))
})

it('writes no more than a slice at a time, and lets others have their turn between two', async () => {
  let turns = 0
  const waiting = setInterval(() => (turns += 1), 0)
  const slices: string[] = []
  for await (const slice of jsonSlices({ rows: Array.from({ length: 40 * SLICE }, (_, at) => at) })) slices.push(slice)
  clearInterval(waiting)
  expect(Math.max(...slices.map((slice) => slice.split(',').length))).toBeLessThanOrEqual(SLICE + 1)
  expect(turns).toBeGreaterThan(0)
})

it('leaves short answers to be written in one go', () => {
  expect([isLong({ strategies: long.slice(0, 50) }), isLong({ result_data: { rows: long } })]).toEqual([false, true])
})
