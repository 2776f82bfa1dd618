import type { ConvexProgram, ConvexSolver } from '@tradewright/engine/construction/solver'
import loadHighs, { type Highs, type ModelData } from 'highs'
import { solveQuadratic } from './quadprog-solver.ts'

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
