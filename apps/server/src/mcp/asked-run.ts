import { Problem } from '@tradewright/core/problem'
import type { BacktestRun } from '../backtests/backtest-run.ts'
import type { BacktestedStrategy, ProposedStrategy } from '../proposals/proposed-strategy.ts'
import { findStrategy, type StrategyDeps } from '../strategies/own-strategies.ts'

export interface AskedRunDeps extends StrategyDeps {
  /** Reads a strategy as an agent writes it down; a Problem says what is wrong. */
  readonly runOf: (strategy: ProposedStrategy) => BacktestRun
}

/** The run that an agent asks for: of a strategy that it writes down, or of a saved one. */
export async function askedRun(
  deps: AskedRunDeps,
  userId: number,
  { strategy_id: id, ...asked }: BacktestedStrategy,
): Promise<BacktestRun> {
  if (id === undefined) return deps.runOf(asked)
  if (asked.allocation || asked.rules || asked.settings) {
    const sentence = 'Give strategy_id alone, or exactly one of allocation, rules and settings.'
    throw new Problem('invalid', 'strategy.ways', sentence)
  }
  const { name, config } = await findStrategy(deps, userId, id)
  const run = deps.runOf({ ...asked, settings: config })
  return { ...run, strategyName: name, ...(run.request.strategy.kind === 'external' && { signalsOf: id }) }
}
