/** One measured figure. Exactly these keys are what `--json` prints; without a peer its three are null. */
export interface BenchRow {
  bench: string
  ours: number
  unit: string
  peer: string | null
  peer_value: number | null
  ratio: number | null
  goal: string | null
  holds: boolean | null
}

/** The default export of every `bench/**\/*.bench.ts`. */
export interface Bench {
  /** Also what `npm run bench <name>` chooses by; its rows are called `name/figure`. */
  name: string
  run(report: (row: BenchRow) => void): Promise<void>
}

/** What a figure, or its ratio to the peer's, has to be. */
export type Goal = { on: 'ours' | 'ratio' } & ({ atLeast: number } | { under: number })

export interface Measurement {
  bench: string
  ours: number
  unit: string
  peer?: { name: string; value: number }
  /** The direction of the ratio: for rates ours / peer, for times usually peer / ours, so that more is better. */
  ratio?: 'ours / peer' | 'peer / ours'
  goal?: Goal
}

export function benchRow({ bench, ours, unit, peer, ratio = 'ours / peer', goal }: Measurement): BenchRow {
  const quotient = peer && (ratio === 'ours / peer' ? ours / peer.value : peer.value / ours)
  for (const figure of [ours, peer?.value, quotient]) {
    if (figure !== undefined && !Number.isFinite(figure)) throw new RangeError(`${bench}: ${figure} is no figure`)
  }
  return {
    bench,
    ours,
    unit,
    peer: peer?.name ?? null,
    peer_value: peer?.value ?? null,
    ratio: quotient ?? null,
    goal: goal ? describeGoal(goal, unit) : null,
    holds: goal ? holds(goal, goal.on === 'ours' ? ours : quotient) : null,
  }
}

function describeGoal(goal: Goal, unit: string): string {
  const bound = 'atLeast' in goal ? `at least ${goal.atLeast}` : `under ${goal.under}`
  return goal.on === 'ours' ? `${bound} ${unit}` : `ratio ${bound}`
}

/** Null when the goal is about a peer that could not be measured. */
function holds(goal: Goal, figure: number | undefined): boolean | null {
  if (figure === undefined) return null
  return 'atLeast' in goal ? figure >= goal.atLeast : figure < goal.under
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
