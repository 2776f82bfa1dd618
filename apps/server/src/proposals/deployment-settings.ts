import { z } from 'zod'
import { type Change, proposedName } from './proposal.ts'

const percentOrNone = z.number().gt(0).max(100).nullable()

/** Settings of a deployment that can be proposed, in the words of the deploy form. */
export const DeploymentChanges = z.object({
  name: proposedName(200).optional(),
  rebalance_threshold: z.number().min(0).max(50).optional().describe('Percentage points.'),
  rebalance_frequency: z.enum(['none', 'daily', 'weekly', 'monthly', 'quarterly', 'yearly']).optional(),
  trading_frequency_type: z.enum(['continuous', 'end_of_day']).optional(),
  check_frequency_minutes: z.int().min(1).max(1440).optional(),
  end_of_day_minutes_before_close: z.int().min(1).max(120).optional(),
  dry_run: z.boolean().optional().describe('Decides and records, and sends no orders.'),
  max_daily_loss_pct: percentOrNone.optional().describe('null: no limit.'),
  max_drawdown_pct: percentOrNone.optional().describe('null: no limit.'),
})
export type DeploymentChanges = z.infer<typeof DeploymentChanges>

type Value = string | number | boolean | null
type Values = Readonly<Partial<Record<keyof DeploymentChanges, Value | undefined>>>

/** The defaults of a new deployment, as the deploy form has them. */
export const NEW_SETTINGS: Values = {
  rebalance_threshold: 5,
  rebalance_frequency: 'monthly',
  trading_frequency_type: 'continuous',
  check_frequency_minutes: 60,
  end_of_day_minutes_before_close: 30,
  dry_run: false,
  max_daily_loss_pct: null,
  max_drawdown_pct: null,
}

const FREQUENCY_WORDS: Readonly<Record<string, string>> = { continuous: 'Continuous', end_of_day: 'End of day' }
const capitalised = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`
const percentWords = (value: Value): string => (value === null ? 'No limit' : `${String(value)}%`)
const minutes = (value: Value): string => `${String(value)} minutes`

const WORDS: Record<keyof DeploymentChanges, readonly [label: string, write: (value: Value) => string]> = {
  name: ['Name', String],
  rebalance_threshold: ['Rebalance threshold', percentWords],
  rebalance_frequency: ['Rebalancing', (value) => capitalised(String(value))],
  trading_frequency_type: ['Trading', (value) => FREQUENCY_WORDS[String(value)] ?? String(value)],
  check_frequency_minutes: ['Checked every', minutes],
  end_of_day_minutes_before_close: ['Before the close', minutes],
  dry_run: ['Dry run', (value) => (value === true ? 'On' : 'Off')],
  max_daily_loss_pct: ['Largest daily loss', percentWords],
  max_drawdown_pct: ['Largest drawdown', percentWords],
}

const NAMES = Object.keys(WORDS) as (keyof DeploymentChanges)[]

/** The settings that are given, without the name. */
export const changedSettings = (given: DeploymentChanges): Values =>
  Object.fromEntries(
    NAMES.flatMap((name) => (name === 'name' || given[name] === undefined ? [] : [[name, given[name]] as const])),
  )

/** What is given, and differs from what is now. */
export const settingRows = (now: Values, given: Values): Change[] =>
  NAMES.filter((name) => given[name] !== undefined && given[name] !== now[name]).map((name) => {
    const [label, write] = WORDS[name]
    return { label, before: write(now[name] ?? null), after: write(given[name] ?? null) }
  })
