import { STRATEGY_TYPES } from '@tradewright/core/strategy-kinds'
import { z } from 'zod'
import { freeRecord } from './bounds.ts'
import { LeftOutCount, Success } from './answers.ts'
import { SplicedTickers } from './backtest-figures.ts'
import { SavedBacktestItem } from './saved-backtest-item.ts'
import { PathId } from './ids.ts'
import { route } from './route.ts'
import { ownShape, savedShape } from './setting-schemas.ts'

export const StrategyType = z.enum(
  STRATEGY_TYPES,
  'Strategy type must be "Asset Allocation", "ML", "Rules" or "External signal".',
)
export type StrategyType = z.infer<typeof StrategyType>

export const NAME_MAX_LENGTH = 200
const DESCRIPTION_MAX_LENGTH = 2000

const params = z.object({ id: PathId })
const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0')

/** Names of strategies and backtests. */
export const nameField = (what: string) =>
  z
    .string(`${what} is required.`)
    .trim()
    .min(1, `${what} is required.`)
    .max(NAME_MAX_LENGTH, `${what} is too long (at most ${NAME_MAX_LENGTH} characters).`)
    .refine(isStorable, `${what} must not contain control characters.`)

/** Kept as it was sent, once every setting in it can be read. */
const StrategyConfig = freeRecord('Strategy config')
type StrategyConfig = z.infer<typeof StrategyConfig>

/**
 * The config that a backtest with `saveStrategy` writes and `strategy_config` of a saved backtest holds. A strategy may
 * say the same in other names and forms, which `settings-codec.ts` of the core reads: `selectedFeatures`, `selectedTarget`
 * with `targetParams`, names in snake_case, allocations as a map from ticker to percent.
 */
export const SavedConfig = z.object({
  ...ownShape,
  targetParams: z.record(z.string(), z.unknown()).optional(),
  ...savedShape,
  dataProvider: z.string(),
})
export type SavedConfig = z.infer<typeof SavedConfig>

export const StrategyItem = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string().nullable(),
  strategy_type: StrategyType,
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})
export type StrategyItem = z.infer<typeof StrategyItem>

export const Strategy = StrategyItem.extend({ config: StrategyConfig })
export type Strategy = z.infer<typeof Strategy>

const description = z
  .string('Description must be text.')
  .trim()
  .max(DESCRIPTION_MAX_LENGTH, `Description is too long (at most ${DESCRIPTION_MAX_LENGTH} characters).`)
  .refine(isStorable, 'Description must not contain control characters.')

export const listStrategies = route({
  method: 'GET',
  path: '/api/strategies',
  access: 'signed in',
  scope: 'read',
  tag: 'Strategies',
  summary: "The signed-in user's strategies, newest first.",
  answer: z.object({ strategies: z.array(StrategyItem), left_out: LeftOutCount }),
})

export const getStrategy = route({
  method: 'GET',
  path: '/api/strategies/:id',
  access: 'signed in',
  scope: 'read',
  tag: 'Strategies',
  summary: 'One strategy with its config.',
  params,
  answer: Strategy,
})

export const createStrategy = route({
  method: 'POST',
  path: '/api/strategies',
  access: 'signed in',
  scope: 'research',
  idempotent: true,
  addsRows: true,
  tag: 'Strategies',
  summary: 'Create a strategy, or update the one of the same name and type.',
  body: z.object({
    name: nameField('Strategy name'),
    description: description.nullish(),
    strategy_type: StrategyType,
    config: StrategyConfig.default({}),
  }),
  answer: Strategy,
})

export const updateStrategy = route({
  method: 'PUT',
  path: '/api/strategies/:id',
  access: 'signed in',
  scope: 'research',
  addsRows: true,
  tag: 'Strategies',
  summary: 'Change a strategy. What is left out stays; config is replaced as a whole. A name in use answers 409.',
  params,
  body: z.object({
    name: nameField('Strategy name').optional(),
    description: description.nullish(),
    strategy_type: StrategyType.optional(),
    config: StrategyConfig.optional(),
  }),
  answer: Strategy,
})

export const deleteStrategy = route({
  method: 'DELETE',
  path: '/api/strategies/:id',
  access: 'signed in',
  scope: 'research',
  tag: 'Strategies',
  summary: 'Delete a strategy together with its saved backtests.',
  params,
  answer: Success,
})

export const listStrategyResults = route({
  method: 'GET',
  path: '/api/strategies/:id/results',
  access: 'signed in',
  scope: 'read',
  tag: 'Strategies',
  summary: "A strategy's saved backtests, newest first.",
  params,
  answer: z.object({ backtests: z.array(SavedBacktestItem) }),
})

/** Fractions, from the strategy's latest saved backtest; null where that has no such figure. */
export const StrategyPerformance = z.object({
  strategy_id: z.int(),
  strategy_name: z.string(),
  /** The spec lets text that is already formatted stand here too. */
  cagr_numeric: z.union([z.number(), z.string()]).nullable(),
  sharpe: z.number().nullable(),
  total_return: z.number().nullable(),
  max_drawdown: z.number().nullable(),
  backtest_id: z.int(),
  /** The figures come from made-up prices. */
  synthetic: z.boolean(),
  /** Whose prices stood in for a ticker on days of that backtest. */
  spliced_tickers: SplicedTickers,
})
export type StrategyPerformance = z.infer<typeof StrategyPerformance>

export const getStrategyPerformance = route({
  method: 'GET',
  path: '/api/strategy-performance',
  access: 'signed in',
  scope: 'read',
  tag: 'Strategies',
  summary: 'How each strategy with a saved backtest did, best CAGR first. Strategies without one are not listed.',
  answer: z.object({ all: z.array(StrategyPerformance) }),
})
