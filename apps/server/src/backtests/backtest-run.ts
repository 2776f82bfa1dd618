import { defaultModel, modelOf } from '@tradewright/core/model-catalogue'
import { type Block, childBlocks } from '@tradewright/core/rules/tree'
import { formatDate, type UtcMillis } from '@tradewright/core/time'
import type { BacktestRequest } from '@tradewright/engine/backtest/request'
import type { ModelChoice } from '@tradewright/engine/models/settings'
import type { AllocationRow } from '@tradewright/engine/trading/allocation'
import type { StrategyConfig } from '../strategies/strategy.ts'

/** A user's request: the run itself, and what is to be kept of it. Plain data, so that any process can do it. */
export interface BacktestRun {
  readonly request: BacktestRequest
  /** The model of an ML strategy; undefined for others. */
  readonly model: ModelChoice | undefined
  /** A provider's id, or `auto`. */
  readonly provider: string
  /** Ask providers again that have just failed. */
  readonly retriesData?: boolean
  /** Only what the data store held at this moment is used; undefined: the data of today. */
  readonly asOf?: UtcMillis | undefined
  readonly strategyName: string
  readonly saveStrategy: boolean
  readonly saveBacktest: boolean
  readonly backtestName: string
  /** Compare with this saved backtest; a reference ticker goes before it. */
  readonly referenceBacktestId: number | undefined
  /**
   * For signals from outside: the saved strategy whose received ones are used; undefined where the request has them.
   */
  readonly signalsOf?: number | undefined
  /** The form's settings, for the saved strategy and the saved backtest. */
  readonly config: StrategyConfig
}

export const isSaved = ({ saveStrategy, saveBacktest }: BacktestRun): boolean => saveStrategy || saveBacktest

/** What a backtest is called without a name of its own. */
export const backtestNameOf = (strategyName: string, { from, to }: Pick<BacktestRequest, 'from' | 'to'>): string =>
  `${strategyName} ${formatDate(from)} to ${formatDate(to)}`

const MAX_NAMED = 4

type Strategy = BacktestRequest['strategy']
const DESCRIPTIONS: {
  readonly [Kind in Strategy['kind']]: (
    strategy: Extract<Strategy, { kind: Kind }>,
    model: ModelChoice | undefined,
  ) => string
} = {
  allocation: ({ allocation }) => mixOf(allocation),
  ml: ({ buy }, model) => `${modelOf(model?.kind ?? defaultModel.kind).label}, ${mixOf(buy)}`,
  rules: ({ tree }) => `Rules, ${named(heldTickers(tree.root))}`,
  external: ({ allocations }) => `External signal, ${named(allocations.map(({ name }) => name))}`,
}

/** Tells one run without a name from another in a list: `60% SPY, 40% AGG`. */
export const describeStrategy = <Kind extends Strategy['kind']>(
  { strategy }: { readonly strategy: Extract<Strategy, { kind: Kind }> },
  model: ModelChoice | undefined,
): string => DESCRIPTIONS[strategy.kind](strategy, model)

const mixOf = (rows: readonly AllocationRow[]): string =>
  named(rows.map(({ ticker, allocationPct }) => `${allocationPct}% ${ticker}`))

function named(parts: readonly string[]): string {
  const more = parts.length - MAX_NAMED
  return [...parts.slice(0, MAX_NAMED), ...(more > 0 ? [`${more} more`] : [])].join(', ')
}

/** Tickers that a block may hold, each once, in the order of the tree. */
export function heldTickers(block: Block): string[] {
  const own =
    block.kind === 'hold' ? block.rows.map(({ ticker }) => ticker) : block.kind === 'pick' ? block.tickers : []
  return [...new Set([...own, ...childBlocks(block).flatMap((child) => heldTickers(child.block))])]
}
