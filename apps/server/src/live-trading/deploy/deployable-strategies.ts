import { hasBlocks, learns } from '@tradewright/core/strategy-kinds'
import type { RebalanceFrequency } from '@tradewright/core/backtest-settings'
import { Problem } from '@tradewright/core/problem'
import { readSavedStrategy } from '@tradewright/core/settings-codec'
import { formatTicker, parseTicker } from '@tradewright/core/ticker'
import { bondsOfYields, planBacktest, shortTickers } from '@tradewright/engine/backtest/plan'
import { fixedRows } from '@tradewright/engine/backtest/request'
import type { Strategy, StrategyPerformance } from '../../strategies/strategy.ts'
import type { RunnableStrategy } from '../deployment.ts'
import type { LiveDeps } from '../deps.ts'

type Performance = Pick<StrategyPerformance, 'totalReturn' | 'synthetic' | 'spliced'>

export interface DeployableStrategy {
  readonly strategy: Strategy
  /** Undefined where it cannot be deployed; `reason` then says why. */
  readonly runnable: RunnableStrategy | undefined
  readonly reason: string | null
  /** Figures of the latest backtest; null without one. */
  readonly performance: Performance | null
}

type Needs = Pick<LiveDeps, 'strategies' | 'readStrategy'>

/** A config may have hundreds of kilobytes, and reading it from JSON holds up the thread that answers. */
const READ_AT_ONCE = 100

interface SavedStrategy {
  readonly id: number
  readonly strategy: Strategy
  /** Figures of the latest backtest; null without one. */
  readonly performance: Performance | null
}

/** All strategies of a user; `withReadiness` says of each whether it can be deployed. */
export async function strategiesToDeploy(deps: Needs, userId: number): Promise<SavedStrategy[]> {
  const performance = new Map((await deps.strategies.performance(userId)).map((one) => [one.strategyId, one]))
  const items = await deps.strategies.list(userId)
  const saved: SavedStrategy[] = []
  for (let at = 0; at < items.length; at += READ_AT_ONCE) {
    const ids = items.slice(at, at + READ_AT_ONCE).map(({ id }) => id)
    for (const strategy of await deps.strategies.findMany(userId, ids)) {
      saved.push({ id: strategy.id, strategy, performance: performance.get(strategy.id) ?? null })
    }
  }
  return saved
}

export const withReadiness = (deps: Needs, { strategy, performance }: SavedStrategy): DeployableStrategy => ({
  strategy,
  performance,
  ...readiness(deps, strategy),
})

export async function findRunnable(
  deps: Needs,
  userId: number,
  strategyId: number,
): Promise<{ strategy: Strategy; runnable: RunnableStrategy }> {
  const strategy = await deps.strategies.find(userId, strategyId)
  if (!strategy) throw new Problem('missing', 'strategy.missing', 'There is no such strategy.')
  const { runnable, reason } = readiness(deps, strategy)
  if (!runnable) {
    throw new Problem('invalid', 'deployment.not-deployable', `The strategy cannot be deployed: ${reason ?? ''}`)
  }
  return { strategy, runnable }
}

/** Deployable is what a backtest would run, and for ML what says what to hold for both signals. */
function readiness({ readStrategy }: Needs, strategy: Strategy): Pick<DeployableStrategy, 'runnable' | 'reason'> {
  try {
    const runnable = readStrategy(strategy)
    const plan = planBacktest(runnable.request)
    const [bond] = bondsOfYields(plan)
    if (bond !== undefined) {
      const reason =
        `${bond} is a bond built from yields: its price for a day is published on the next day, and it cannot be bought. ` +
        'Use a fund, with the bond as its fallback (IEF?FB=DGS10?M=8).'
      return { runnable: undefined, reason }
    }
    const { strategy: asked } = runnable.request
    if (learns(asked) && asked.sell.length === 0) {
      return { runnable: undefined, reason: 'It does not say what to hold when the signal is Sell.' }
    }
    return { runnable, reason: null }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { runnable: undefined, reason: error.message }
  }
}

/** Tickers of the strategy in their one spelling, each once, CASHX included. */
export function signalTickers({ request }: RunnableStrategy): string[] {
  if (hasBlocks(request.strategy)) return [...planBacktest(request).tradedTickers]
  const rows = fixedRows(request.strategy).flat()
  return [...new Set(rows.map(({ ticker }) => formatTicker(parseTicker(ticker))))]
}

/** The signal tickers that the strategy may sell short. */
export const shortedSignals = ({ request }: RunnableStrategy): string[] => [
  ...shortTickers(planBacktest(request).strategy),
]

/** The rebalancing of its backtests; null where the strategy names none. A deployment has its own, so no request has it. */
export const testedRebalancing = ({ strategy, runnable }: DeployableStrategy): RebalanceFrequency | null =>
  (runnable && readSavedStrategy(strategy.config).rebalanceFrequency) ?? null
