import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { highsSolver } from './highs-solver.ts'

interface Stalled {
  readonly hessian: readonly (readonly number[])[]
  /** Null: no bound. */
  readonly rows: readonly {
    readonly indices: readonly number[]
    readonly values: readonly number[]
    readonly lower: number | null
    readonly upper: number | null
  }[]
}

it('finds weights where the exact quadratic program stalls: maximum diversification under a turnover limit', async () => {
  const path = new URL('stalled-program.json', import.meta.url)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own file
  const { hessian, rows } = JSON.parse(readFileSync(path, 'utf8')) as Stalled
  const bounded = rows.map(({ indices, values, lower, upper }) => ({
    indices: [...indices],
    values: Float64Array.from(values),
    lower: lower ?? Number.NEGATIVE_INFINITY,
    upper: upper ?? Number.POSITIVE_INFINITY,
  }))
  const solver = await highsSolver()
  const found = solver.solve({
    cost: new Float64Array(30),
    hessian: hessian.map((row) => Float64Array.from(row)),
    lower: new Float64Array(30),
    upper: new Float64Array(30).fill(Number.POSITIVE_INFINITY),
    rows: bounded,
  })!
  expect(Math.min(...found)).toBeGreaterThanOrEqual(-1e-6)
  for (const { indices, values, lower, upper } of bounded) {
    const sum = indices.reduce((total, place, i) => total + values[i]! * found[place]!, 0)
    expect(sum).toBeGreaterThanOrEqual(lower - 1e-6)
    expect(sum).toBeLessThanOrEqual(upper + 1e-6)
  }
})
