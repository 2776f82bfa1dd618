import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { convexSolver } from './convex-solver.ts'

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
  const solver = await convexSolver()
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

/** Quadratic programs at whose bases the active set of HiGHS failed or went round in circles. */
const dense = (rows: number[][]) => rows.map((row) => Float64Array.from(row))

it('finds the least variance under plain bounds of which three are met exactly', async () => {
  const solver = await convexSolver()
  const found = solver.solve({
    cost: new Float64Array(5),
    hessian: dense([
      [1.0000000001, 0.38170813093434725, 0.35565373984887777, 0.28641459647705636, 0.4909481837072972],
      [0.38170813093434725, 0.578766244055081, 0.43725834838509486, 0.3698774058676283, 0.578278979752281],
      [0.35565373984887777, 0.43725834838509486, 0.6838690265393358, 0.35124408672354684, 0.5475054102679145],
      [0.28641459647705636, 0.3698774058676283, 0.35124408672354684, 0.7831305000031454, 0.452287166086526],
      [0.4909481837072972, 0.578278979752281, 0.5475054102679145, 0.452287166086526, 0.7775349822413928],
    ]),
    lower: new Float64Array(5),
    upper: new Float64Array(5).fill(0.4),
    rows: [{ indices: [0, 1, 2, 3, 4], values: [1, 1, 1, 1, 1], lower: 1, upper: 1 }],
  })!
  const expected = [0.172915577, 0.337261769, 0.2313245, 0.258498153, 0]
  expected.forEach((weight, i) => expect(found[i]).toBeCloseTo(weight, 7))
})

it('says where no weights meet all rows', async () => {
  const solver = await convexSolver()
  const program = {
    cost: new Float64Array(2),
    lower: new Float64Array(2),
    upper: new Float64Array(2).fill(0.4),
    rows: [{ indices: [0, 1], values: [1, 1], lower: 1, upper: 1 }],
  }
  expect(solver.solve(program)).toBeUndefined()
  expect(
    solver.solve({
      ...program,
      hessian: dense([
        [1, 0],
        [0, 1],
      ]),
    }),
  ).toBeUndefined()
})
