import * as contract from '@tradewright/contract/strategies'
import type { BacktestStore } from '../../backtests/ports.ts'
import {
  changeStrategy,
  type DeploymentsOfStrategy,
  findStrategy,
  refuseLarge,
  removeStrategy,
  saveStrategy,
  type StrategyDeps,
} from '../../strategies/own-strategies.ts'
import type { Strategy, StrategyConfig, StrategyItem, StrategyPerformance } from '../../strategies/strategy.ts'
import type { Handle } from '../server/handle.ts'
import { callOf } from '../backtests/form.ts'
import { readableRows } from '../answer/readable-rows.ts'
import { splicedToWire } from '../backtests/wire/provenance-wire.ts'
import { strategyForms } from './strategy-forms.ts'
import { itemToWire as backtestItem } from '../backtests/wire/saved-backtest-wire.ts'

export function serveStrategies(
  handle: Handle,
  deps: StrategyDeps & { backtests: BacktestStore; deploymentsOf: DeploymentsOfStrategy },
): void {
  handle(contract.listStrategies, async ({ user, request: { log } }) => {
    const rows = await deps.strategies.list(user.id)
    const told = { list: 'strategies', schema: contract.StrategyItem, toWire: itemToWire, log }
    const { entries, ...leftOut } = readableRows(rows, told)
    return { strategies: entries, ...leftOut }
  })
  handle(contract.getStrategy, async ({ user, params }) => toWire(await findStrategy(deps, user.id, params.id)))
  handle(contract.createStrategy, async ({ user, body }) => {
    const { strategy_type: type, name, config, description } = body
    refuseUnreadable(config)
    const strategy = { name, type, config, ...(description !== undefined && { description }) }
    return toWire(await saveStrategy(deps, user.id, strategy))
  })
  handle(contract.updateStrategy, async ({ user, params, body }) => {
    const { name, strategy_type: type, config, description } = body
    if (config !== undefined) refuseUnreadable(config)
    const change = {
      ...(name !== undefined && { name }),
      ...(type !== undefined && { type }),
      ...(config !== undefined && { config }),
      ...(description !== undefined && { description }),
    }
    return toWire(await changeStrategy(deps, user.id, params.id, change))
  })
  handle(contract.deleteStrategy, async ({ user, params }) => {
    await removeStrategy(deps, user.id, params.id)
    return { success: true as const }
  })
  handle(contract.listStrategyResults, async ({ user, params }) => {
    const { id } = await findStrategy(deps, user.id, params.id)
    return { backtests: (await deps.backtests.listOfStrategy(user.id, id)).map(backtestItem) }
  })
  handle(contract.getStrategyPerformance, async ({ user }) => ({
    all: (await deps.strategies.performance(user.id)).map(performanceToWire),
  }))
}

/** What a run or a deployment could not read later is refused, by the name of the setting. */
function refuseUnreadable(config: StrategyConfig): void {
  refuseLarge(config)
  const call = callOf(config)
  if (call.rules !== undefined) strategyForms.rules.read(call)
  if (call.external !== undefined) strategyForms.external.read(call)
}

const itemToWire = ({ id, name, description, type, createdAt, updatedAt }: StrategyItem): contract.StrategyItem => ({
  id,
  name,
  description,
  strategy_type: type,
  created_at: createdAt.toISOString(),
  updated_at: updatedAt.toISOString(),
})

const toWire = (strategy: Strategy): contract.Strategy => ({ ...itemToWire(strategy), config: { ...strategy.config } })

const performanceToWire = (one: StrategyPerformance): contract.StrategyPerformance => ({
  strategy_id: one.strategyId,
  strategy_name: one.strategyName,
  cagr_numeric: one.cagr,
  sharpe: one.sharpe,
  total_return: one.totalReturn,
  max_drawdown: one.maxDrawdown,
  backtest_id: one.backtestId,
  synthetic: one.synthetic,
  spliced_tickers: splicedToWire(one.spliced ?? []),
})
