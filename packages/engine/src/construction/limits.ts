import { Problem } from '@tradewright/core/problem'

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

/** Weights are fractions. */
interface GroupLimit {
  readonly name: string
  /** Places of its members among the assets. */
  readonly members: readonly number[]
  readonly min: number
  readonly max: number
}

/** What weights must meet; they always add up to 1. */
export interface Limits {
  readonly lower: Float64Array
  readonly upper: Float64Array
  readonly groups: readonly GroupLimit[]
}

/** What is held before a rebalance, and which part of the account may be exchanged in it. */
export interface Turnover {
  readonly held: Float64Array
  /** Half of the sum of all changes, as a fraction. */
  readonly max: number
}

export const noLimits = (assets: number): Limits => ({
  lower: new Float64Array(assets),
  upper: new Float64Array(assets).fill(1),
  groups: [],
})

/** Rounding of the solver and of drifted weights. */
const SLACK = 1e-9

const percent = (share: number): string => `${Number((100 * share).toFixed(2))}%`

/** A sentence for limits that no weights can meet. */
export function checkLimits({ lower, upper, groups }: Limits, solver: ConvexSolver): void {
  const sum = (values: Float64Array, members: readonly number[]) => members.reduce((total, i) => total + values[i]!, 0)
  const all = [...lower.keys()]
  if (sum(upper, all) < 1 - SLACK) {
    throw refused(`The maximum weights add up to ${percent(sum(upper, all))}: they must allow 100%.`)
  }
  if (sum(lower, all) > 1 + SLACK) {
    throw refused(`The minimum weights add up to ${percent(sum(lower, all))}: at most 100% is allowed.`)
  }
  for (const { name, members, min, max } of groups) {
    if (sum(upper, members) < min - SLACK) {
      throw refused(
        `The group ${name} must have at least ${percent(min)}, and its members may have ${percent(sum(upper, members))} together.`,
      )
    }
    if (sum(lower, members) > max + SLACK) {
      throw refused(
        `The group ${name} may have at most ${percent(max)}, and its members must have ${percent(sum(lower, members))} together.`,
      )
    }
  }
  const size = lower.length
  if (!solver.solve({ cost: new Float64Array(size), lower, upper, rows: limitRows({ lower, upper, groups }) })) {
    throw refused('No weights meet all bounds and group limits together. Widen one of them.')
  }
}

const refused = (sentence: string) => new Problem('invalid', 'construction.limits', sentence)

/** The sum and the groups. */
const limitRows = ({ lower, groups }: Limits): LinearRow[] => [
  { indices: [...lower.keys()], values: new Float64Array(lower.length).fill(1), lower: 1, upper: 1 },
  ...groups.map(({ members, min, max }) => ({
    indices: members,
    values: new Float64Array(members.length).fill(1),
    lower: min,
    upper: max,
  })),
]

/** What is minimised, and what it needs besides the weights. */
interface Objective extends Pick<ConvexProgram, 'cost' | 'hessian'> {
  /** Bounds of variables that come after the weights; `cost` has theirs too. */
  readonly further?: Pick<ConvexProgram, 'lower' | 'upper'>
  /** Rows besides those of the limits. */
  readonly rows?: readonly LinearRow[]
}

/**
 * The weights of least cost that meet the limits. Undefined where no weights do: because of the turnover or the further rows,
 * once the limits were checked.
 */
export function solveWithin(
  solver: ConvexSolver,
  limits: Limits,
  { cost, hessian, further, rows = [] }: Objective,
  turnover?: Turnover,
): Float64Array | undefined {
  const size = limits.lower.length
  if (turnover) {
    // Where the best weights keep the turnover anyway they are the answer, and the program without it is simpler.
    const free = solveWithin(solver, limits, { cost, ...(hessian && { hessian }), ...(further && { further }), rows })
    if (!free || exchanged(free, turnover.held) <= turnover.max) return free
  }
  const trades = turnover ? purchases(turnover.held, cost.length) : undefined
  const extra = trades ? size : 0
  const found = solver.solve({
    cost: joined(cost, new Float64Array(extra)),
    ...(hessian && { hessian }),
    lower: joined(limits.lower, further?.lower, new Float64Array(extra)),
    upper: joined(limits.upper, further?.upper, new Float64Array(extra).fill(1)),
    rows: [
      ...limitRows(limits),
      ...rows,
      ...(trades ? [...trades.rows, { ...trades.sum, lower: 0, upper: turnover!.max }] : []),
    ],
  })
  return found && tidied(found.subarray(0, size), limits)
}

/** The weights that meet the limits with the least exchange, for a turnover limit that leaves no way to meet them. */
export function leastTurnover(solver: ConvexSolver, limits: Limits, held: Float64Array): Float64Array {
  const size = held.length
  const ones = new Float64Array(size).fill(1)
  const found = solver.solve({
    cost: joined(new Float64Array(size), ones),
    lower: joined(limits.lower, new Float64Array(size)),
    upper: joined(limits.upper, ones),
    rows: [...limitRows(limits), ...purchases(held, size).rows],
  })
  if (!found) throw new Error('limits that were checked cannot be met')
  return tidied(found.subarray(0, size), limits)
}

/**
 * The bought part of each asset is a variable of its own, from `first` on: w - bought <= held. What is bought is as much as what is sold,
 * since both weights add up to 1. Variables for the sold parts too, w - bought + sold = held, give HiGHS bases at which its active
 * set fails.
 */
function purchases(held: Float64Array, first: number): { rows: LinearRow[]; sum: Omit<LinearRow, 'lower' | 'upper'> } {
  const all = [...held.keys()]
  return {
    rows: all.map((i) => ({ indices: [i, first + i], values: [1, -1], lower: -Infinity, upper: held[i]! })),
    sum: { indices: all.map((i) => first + i), values: new Float64Array(held.length).fill(1) },
  }
}

function joined(...parts: readonly (Float64Array | undefined)[]): Float64Array {
  return Float64Array.from(parts.flatMap((part) => Array.from(part ?? [])))
}

/** The weights nearest to these, by the sum of squared differences, that meet the limits. */
export function nearestWithin(
  solver: ConvexSolver,
  limits: Limits,
  wanted: Float64Array,
  turnover: Turnover | undefined,
): Float64Array | undefined {
  const trades = turnover ? exchanged(wanted, turnover.held) : 0
  if (meets(wanted, limits) && trades <= (turnover?.max ?? 1) + SLACK) return wanted
  const size = wanted.length
  const hessian = Array.from({ length: size }, (_, i) =>
    Float64Array.from({ length: size }, (_2, j) => (i === j ? 1 : 0)),
  )
  return solveWithin(solver, limits, { cost: wanted.map((weight) => -weight), hessian }, turnover)
}

/** Half of the sum of all changes. */
export function exchanged(weights: Float64Array, held: Float64Array): number {
  let sum = 0
  weights.forEach((weight, i) => (sum += Math.abs(weight - held[i]!)))
  return sum / 2
}

export function meets(weights: Float64Array, { lower, upper, groups }: Limits, slack = SLACK): boolean {
  return (
    weights.every((weight, i) => weight >= lower[i]! - slack && weight <= upper[i]! + slack) &&
    groups.every(({ members, min, max }) => {
      const sum = members.reduce((total, i) => total + weights[i]!, 0)
      return sum >= min - slack && sum <= max + slack
    })
  )
}

/** The weights without the solver's rounding at the bounds. */
export function tidied(found: Float64Array, { lower, upper }: Pick<Limits, 'lower' | 'upper'>): Float64Array {
  return found.map((weight, i) => {
    const within = Math.min(upper[i]!, Math.max(lower[i]!, weight))
    return Math.abs(within) < 1e-12 ? 0 : within
  })
}
