import { z } from 'zod'
import { allFeatures } from '@tradewright/engine/features/catalogue'
import type { BacktestStore } from '../../backtests/ports.ts'
import { findStrategy, type StrategyDeps } from '../../strategies/own-strategies.ts'
import { defineTool } from '../action.ts'
import { fallbackPrices } from './backtest-tools.ts'

const MAX_LISTED = 50

interface StrategyToolDeps extends StrategyDeps {
  readonly backtests: BacktestStore
}

export const strategyTools = (deps: StrategyToolDeps) => ({
  listStrategies: defineTool({
    name: 'list_strategies',
    description:
      "The user's saved strategies with the figures of each one's latest saved backtest, best CAGR first, those without a backtest last.",
    note: 'Looking at your strategies',
    input: z.object({}),
    async run({ userId }) {
      const [items, performances] = await Promise.all([
        deps.strategies.list(userId),
        deps.strategies.performance(userId),
      ])
      const rank = new Map(performances.map(({ strategyId }, index) => [strategyId, index]))
      const rankOf = ({ id }: { id: number }) => rank.get(id) ?? Number.MAX_SAFE_INTEGER
      const strategies = items
        .sort((a, b) => rankOf(a) - rankOf(b))
        .slice(0, MAX_LISTED)
        .map(({ id, name, type, description, updatedAt }) => {
          const latest = performances.find(({ strategyId }) => strategyId === id)
          return {
            strategy_id: id,
            name,
            type,
            description,
            updated: updatedAt.toISOString().slice(0, 10),
            latest_backtest: latest
              ? {
                  backtest_id: latest.backtestId,
                  cagr: latest.cagr,
                  sharpe: latest.sharpe,
                  total_return: latest.totalReturn,
                  max_drawdown: latest.maxDrawdown,
                  synthetic: latest.synthetic,
                  fallback_prices: fallbackPrices(latest.spliced),
                }
              : null,
          }
        })
      return { total: items.length, strategies }
    },
  }),

  getStrategy: defineTool({
    name: 'get_strategy',
    description: 'One strategy of the user with its settings and its saved backtests.',
    note: 'Reading a strategy',
    input: z.object({ strategy_id: z.int() }),
    async run({ userId }, { strategy_id }) {
      const { id, name, type, description, config } = await findStrategy(deps, userId, strategy_id)
      const saved = await deps.backtests.listOfStrategy(userId, id)
      return {
        strategy_id: id,
        name,
        type,
        description,
        settings: config,
        backtests: saved.slice(0, MAX_LISTED).map((backtest) => ({
          backtest_id: backtest.id,
          name: backtest.name,
          created: backtest.createdAt.toISOString().slice(0, 10),
        })),
      }
    },
  }),
})

export type StrategyTools = ReturnType<typeof strategyTools>

export const featureTools = {
  listFeatures: defineTool({
    name: 'list_features',
    description: 'The features that an ML strategy can learn from, with their parameters.',
    note: 'Reading the catalogue of features',
    input: z.object({}),
    async run() {
      return {
        features: allFeatures.map(({ id, name, description, parameters }) => ({
          id,
          name,
          description,
          parameters: parameters.map((parameter) => parameter.name),
        })),
      }
    },
  }),
}
