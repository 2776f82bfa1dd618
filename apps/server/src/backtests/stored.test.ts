import { expect, it } from 'vitest'
import { readStored } from './read-stored.ts'
import { PACKED_FROM, stored } from './stored.ts'

interface Run {
  readonly name: string
  readonly curve: { readonly values: Float64Array; readonly signals: Int8Array }
  readonly windows: readonly { readonly values: Float64Array }[]
  readonly trades: readonly { readonly price: number }[]
}

const runOf = (rows: number): Run => ({
  name: 'A run',
  curve: {
    values: Float64Array.from({ length: rows }, (_, row) => (row === 1 ? Number.NaN : 10_000 + Math.sin(row) / 3)),
    signals: Int8Array.from({ length: rows }, (_, row) => (row % 3) - 1),
  },
  windows: [{ values: Float64Array.of(1, 2) }],
  trades: [{ price: 101.25 }],
})

/** As it comes back from a database. */
const kept = (run: Run) => JSON.parse(JSON.stringify(stored(run))) as ReturnType<typeof stored<Run>>

it.each([3, PACKED_FROM])('reads back every value of %i rows to the last bit', async (rows) => {
  const run = runOf(rows)
  const read = await readStored<Run>(kept(run))
  expect(Array.from(read.curve.values, (value) => value ?? Number.NaN)).toEqual([...run.curve.values])
  expect(Array.from(read.curve.signals)).toEqual([...run.curve.signals])
  expect([read.name, Array.from(read.windows[0]!.values), read.trades]).toEqual(['A run', [1, 2], run.trades])
})

it.each([3, PACKED_FROM])('reads back %i trades as they were', async (count) => {
  const trades = Array.from({ length: count }, (_, i) => ({
    ticker: i % 3 === 0 ? 'SPY' : 'AGG',
    price: 100 + Math.sin(i) / 3,
    quantity: (i % 2 === 0 ? -1 : 1) / (i + 7),
  }))
  const text = JSON.stringify(stored({ trades }))
  const read = await readStored<{ trades: typeof trades }>(JSON.parse(text) as never)
  expect(read.trades).toEqual(trades)
  if (count > 3) expect(text.length).toBeLessThan(0.5 * JSON.stringify(trades).length)
})

it('keeps long lists of other things as they are', async () => {
  const mixed = Array.from({ length: PACKED_FROM }, (_, i) => (i === 5 ? { price: null } : { price: i }))
  const texts = Array.from({ length: PACKED_FROM }, () => 'a note')
  const value = { mixed, texts, uneven: [{ a: 1 }, ...mixed] }
  expect(await readStored(JSON.parse(JSON.stringify(stored(value))) as never)).toEqual(value)
})

it('keeps short columns as plain lists, and long ones in a fraction of their digits', () => {
  expect(kept(runOf(3)).curve.values).toEqual([10_000, null, expect.closeTo(10_000.3, 1)])
  const long = runOf(PACKED_FROM)
  expect(JSON.stringify(kept(long).curve).length).toBeLessThan(0.8 * JSON.stringify([...long.curve.values]).length)
})
