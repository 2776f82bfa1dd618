import type { RecentRun as WireRun, SavedBacktest as WireBacktest } from '@tradewright/contract/backtests'
import type { SavedBacktestItem as WireItem } from '@tradewright/contract/saved-backtest-item'
import type { SavedConfig } from '@tradewright/contract/strategies'
import type { RecentRun, SavedBacktest, SavedBacktestItem } from '../../../backtests/saved-backtest.ts'
import { splicedToWire } from './provenance-wire.ts'
import { toWire as resultToWire } from '../wire.ts'

export const itemToWire = ({ id, name, strategyId, strategyName, createdAt }: SavedBacktestItem): WireItem => ({
  id,
  name,
  strategy_name: strategyName,
  strategy_id: strategyId,
  created_at: createdAt.toISOString(),
})

export const changedToWire = (item: SavedBacktestItem) => ({ ...itemToWire(item), saved: item.isSaved })

export const recentToWire = (run: RecentRun): WireRun => ({
  ...changedToWire(run),
  cagr: run.cagr,
  sharpe: run.sharpe,
  max_drawdown: run.maxDrawdown,
  synthetic: run.synthetic,
  spliced_tickers: splicedToWire(run.spliced ?? []),
})

export const toWire = async (backtest: SavedBacktest): Promise<WireBacktest> => ({
  ...changedToWire(backtest),
  result_data: await resultToWire(backtest.report),
  // Written by `configOf` in this shape.
  strategy_config: backtest.config as SavedConfig,
})
