/** lower <= sum of values[k] x[indices[k]] <= upper. */
export interface LinearRow {
  readonly indices: readonly number[]
  readonly values: ArrayLike<number>
  readonly lower: number
  readonly upper: number
}

/** The least of cost'x + x'Qx / 2 within bounds and rows. Bounds may be infinite. */
export interface ConvexProgram {
  readonly cost: Float64Array
  /** Q of the first variables, by row, positive definite; those after them count linearly. Left out: none counts so. */
  readonly hessian?: readonly Float64Array[]
  readonly lower: Float64Array
  readonly upper: Float64Array
  readonly rows: readonly LinearRow[]
}

/** Undefined where no point is within all bounds and rows. */
type Solution = Float64Array | undefined

/** Linear and convex quadratic programs, by a library that the caller loads: the engine has no packages. */
export interface ConvexSolver {
  readonly solve: (program: ConvexProgram) => Solution
}
