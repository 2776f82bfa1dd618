import type { SavedBacktest as WireBacktest } from '@tradewright/contract/backtests'
import type { SavedBacktestItem as WireItem } from '@tradewright/contract/saved-backtest-item'
import type { SavedConfig } from '@tradewright/contract/strategies'
import type { SavedBacktest, SavedBacktestItem } from '../../backtests/saved-backtest.ts'
import { toWire as resultToWire } from './wire.ts'

export const itemToWire = ({ id, name, strategyId, strategyName, createdAt }: SavedBacktestItem): WireItem => ({
  id,
  name,
  strategy_name: strategyName,
  strategy_id: strategyId,
  created_at: createdAt.toISOString(),
})

export const toWire = async (backtest: SavedBacktest): Promise<WireBacktest> => ({
  ...itemToWire(backtest),
  result_data: await resultToWire(backtest.report),
  // Written by `configOf` in this shape.
  strategy_config: backtest.config as SavedConfig,
})
