import type { tasks } from './tasks.ts'

/** Kinds of work by urgency, the first ones first: work of an earlier lane takes the thread of work of a later one. */
export const LANES = ['live', 'interactive', 'long'] as const
export type Lane = (typeof LANES)[number]

export interface LaneLoad {
  readonly lane: Lane
  readonly waiting: number
  readonly running: number
}

/** Thread time that one task may use in its lane; what takes longer goes on in the lane of long runs. */
export const LANE_BUDGET_MS: Readonly<Record<Lane, number>> = { live: 10_000, interactive: 2_000, long: Infinity }

/** Tasks that are not named here are interactive. */
const TASK_LANES: { readonly [Name in keyof typeof tasks]?: Lane } = {
  'live-trading/signal': 'live',
  'live-trading/fixed-signals': 'live',
  'live-trading/train': 'live',
  'live-trading/retrain': 'live',
  'optimizer/prepare': 'long',
  'optimizer/evaluate': 'long',
  'optimizer/choose': 'long',
  'optimizer/report': 'long',
  'studies/evaluate': 'long',
  'studies/report': 'long',
  'backtests/robustness-parts': 'long',
  'construction/run': 'long',
  'construction/walk': 'long',
}

/** Tasks whose end a caller waits for; prices may have to be made first. */
export const URGENT_TASKS = [
  'backtests/run',
  'live-trading/signal',
  'live-trading/fixed-signals',
  'market-data/sample',
] as const satisfies (keyof typeof tasks)[]

export const defaultLane = (task: string): Lane => (TASK_LANES as Readonly<Record<string, Lane>>)[task] ?? 'interactive'
