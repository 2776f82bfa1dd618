import type { ConvexProgram, ConvexSolver } from '@tradewright/engine/construction/limits'
import loadHighs, { type Highs, type ModelData } from 'highs'
import quadprog from 'quadprog'

/** Variables that count linearly get this curvature, since quadprog asks for a positive definite matrix; weights have about 1. */
const FLAT = 1e-8

/**
 * A convex quadratic program by quadprog: the dual method of Goldfarb and Idnani (1983), as in R's package of that name. It begins at
 * the least of the objective and adds what is violated, so that equal bases do not stop it.
 */
function solveQuadratic({
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

/**
 * Linear programs by the simplex of HiGHS (University of Edinburgh) as WebAssembly, loaded once per thread, about a tenth of a
 * second; quadratic ones by quadprog.
 */
export function convexSolver(): Promise<ConvexSolver> {
  loaded ??= load().then((highs) => ({
    solve: ({ hessian, ...program }) =>
      hessian ? solveQuadratic({ ...program, hessian }) : solveLinear(highs, program),
  }))
  return loaded
}

let loaded: Promise<ConvexSolver> | undefined

/**
 * The package's types are written for CommonJS; the module that Node imports has the function itself as its default.
 */
// eslint-disable-next-line typescript/no-unsafe-type-assertion -- said above
const load = loadHighs as unknown as (typeof loadHighs)['default']

const OPTIONS = {
  output_flag: false,
  /** Programs are small and dense; presolve takes longer than it saves. */
  presolve: 'off',
  primal_feasibility_tolerance: 1e-9,
  dual_feasibility_tolerance: 1e-9,
} as const

type LinearProgram = Omit<ConvexProgram, 'hessian'>

function solveLinear(highs: Highs, program: LinearProgram): Float64Array | undefined {
  const { modelStatus } = highs.constants
  return highs.withModel(modelOf(program), (model) => {
    model.options.set(OPTIONS)
    const ended = model.run().modelStatus
    if (ended === modelStatus.optimal) return Float64Array.from(model.getSolution().colValue)
    if (ended === modelStatus.infeasible || ended === modelStatus.unboundedOrInfeasible) return undefined
    throw new Error(`HiGHS ended with status ${String(ended)}`)
  })
}

function modelOf({ cost, lower, upper, rows }: LinearProgram): ModelData {
  const numCols = cost.length
  const starts = [0]
  for (const { indices } of rows) starts.push(starts.at(-1)! + indices.length)
  return {
    numCols,
    numRows: rows.length,
    colCost: cost,
    colLower: lower,
    colUpper: upper,
    rowLower: rows.map((row) => row.lower),
    rowUpper: rows.map((row) => row.upper),
    matrix: {
      format: 'csr',
      numRows: rows.length,
      numCols,
      starts,
      indices: rows.flatMap(({ indices }) => indices),
      values: rows.flatMap(({ values }) => Array.from(values)),
    },
  }
}
