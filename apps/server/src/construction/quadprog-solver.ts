import type { ConvexProgram } from '@tradewright/engine/construction/solver'
import quadprog from 'quadprog'

/** Variables that count linearly get this curvature, since quadprog asks for a positive definite matrix; weights have about 1. */
const FLAT = 1e-8

/**
 * A convex quadratic program by quadprog: the dual method of Goldfarb and Idnani (1983), as in R's package of that name. It begins at
 * the least of the objective and adds what is violated, so that equal bases do not stop it.
 */
export function solveQuadratic({
  cost,
  hessian,
  lower,
  upper,
  rows,
}: ConvexProgram & Required<Pick<ConvexProgram, 'hessian'>>): Float64Array | undefined {
  const equalities: Condition[] = []
  const inequalities: Condition[] = []
  const require = (terms: Terms, least: number, most: number) => {
    if (least === most) equalities.push({ terms, least })
    else {
      if (Number.isFinite(least)) inequalities.push({ terms, least })
      if (Number.isFinite(most)) {
        inequalities.push({ terms: terms.map(([i, value]) => [i, -value] as const), least: -most })
      }
    }
  }
  for (const row of rows) {
    require(row.indices.map((i, k) => [i, row.values[k]!] as const), row.lower, row.upper)
  }
  cost.forEach((_, i) => require([[i, 1]], lower[i]!, upper[i]!))
  const conditions = [...equalities, ...inequalities]
  const normals = Array.from(cost, () => conditions.map(() => 0))
  conditions.forEach(({ terms }, k) => {
    for (const [i, value] of terms) normals[i]![k]! += value
  })
  const { solution, message } = quadprog.solveQP(
    fromOne(Array.from(cost, (_, i) => fromOne(Array.from(cost, (_2, j) => hessian[i]?.[j] ?? (i === j ? FLAT : 0))))),
    fromOne(Array.from(cost, (value) => -value)),
    fromOne(normals.map(fromOne)),
    fromOne(conditions.map(({ least }) => least)),
    equalities.length,
  )
  if (message === '') return Float64Array.from(solution.slice(1))
  if (message.includes('inconsistent')) return undefined
  throw new Error(`quadprog: ${message}`)
}

type Terms = readonly (readonly [variable: number, value: number])[]

/** The sum of the terms is at least this, or exactly this. */
interface Condition {
  readonly terms: Terms
  readonly least: number
}

/** Arrays of quadprog begin at 1, as in Fortran. */
const fromOne = <Value>(values: Value[]): Value[] => [values[0]!, ...values]
