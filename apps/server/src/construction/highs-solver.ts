import type { ConvexProgram, ConvexSolver } from '@tradewright/engine/construction/solver'
import loadHighs, { type Highs, type ModelData } from 'highs'

/**
 * HiGHS (University of Edinburgh) as WebAssembly: linear programs by simplex, convex quadratic ones by its active set. Loaded once
 * per thread, about a tenth of a second.
 */
export function highsSolver(): Promise<ConvexSolver> {
  loaded ??= load().then((highs) => ({ solve: (program) => solve(highs, program) }))
  return loaded
}

let loaded: Promise<ConvexSolver> | undefined

/** Its types are written for CommonJS; the module that Node imports has the function itself as its default. */
// eslint-disable-next-line typescript/no-unsafe-type-assertion -- said above
const load = loadHighs as unknown as (typeof loadHighs)['default']

const OPTIONS = {
  output_flag: false,
  /** Programs are small and dense; presolve takes longer than it saves. */
  presolve: 'off',
  /** Adds no 1e-7 to the diagonal: callers hand over positive definite matrices, and weights are exact to rounding. */
  qp_regularization_value: 0,
  primal_feasibility_tolerance: 1e-9,
  dual_feasibility_tolerance: 1e-9,
} as const

/** Tried one after the other where the one before ended without an answer, as happens where many bases are equal. */
const ATTEMPTS = [
  OPTIONS,
  { ...OPTIONS, qp_regularization_value: 1e-9 },
  { ...OPTIONS, qp_regularization_value: 1e-7, primal_feasibility_tolerance: 1e-7, dual_feasibility_tolerance: 1e-7 },
] as const

function solve(highs: Highs, program: ConvexProgram): Float64Array | undefined {
  const { modelStatus } = highs.constants
  const ends: unknown[] = []
  for (const options of ATTEMPTS) {
    const found = highs.withModel(modelOf(program), (model) => {
      model.options.set(options)
      const ended = statusOf(model)
      if (ended === modelStatus.optimal) return Float64Array.from(model.getSolution().colValue)
      if (ended === modelStatus.infeasible || ended === modelStatus.unboundedOrInfeasible) return 'infeasible'
      ends.push(ended)
      return undefined
    })
    if (found === 'infeasible') return undefined
    if (found) return found
  }
  throw new Error(`HiGHS ended with status ${ends.join(', ')}`)
}

/** A sentence where the solver gave up. */
function statusOf(model: { run(): { readonly modelStatus: unknown } }): unknown {
  try {
    return model.run().modelStatus
  } catch (error) {
    return (error as Error).message
  }
}

function modelOf({ cost, hessian, lower, upper, rows }: ConvexProgram): ModelData {
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
    ...(hessian && { hessian: lowerTriangle(hessian, numCols) }),
  }
}

function lowerTriangle(matrix: readonly Float64Array[], dimension: number): NonNullable<ModelData['hessian']> {
  const size = matrix.length
  const starts: number[] = []
  const indices: number[] = []
  const values: number[] = []
  for (let column = 0; column <= dimension; column++) {
    starts.push(indices.length)
    // Variables after the matrix count linearly: their columns are empty.
    for (let row = column; row < size; row++) {
      indices.push(row)
      values.push(matrix[row]![column]!)
    }
  }
  return { format: 'triangular', dimension, starts, indices, values }
}
