import type { BacktestForm } from '@tradewright/contract/backtest-form'
import { Problem } from '@tradewright/core/problem'
import { SavedConfig } from '@tradewright/contract/strategies'

/** A saved strategy's settings as the fields of the form that would save them again. */
export function formOfConfig(config: unknown): BacktestForm {
  const parsed = SavedConfig.safeParse(config)
  if (!parsed.success) {
    const sentence =
      'This strategy was not saved by a backtest, so some settings are missing. Open it in the Studio first.'
    throw new Problem('invalid', 'strategy.config', sentence)
  }
  const {
    allocations,
    features,
    target,
    targetParams: _,
    signal1Allocations,
    signal0Allocations,
    rules,
    external,
    ...rest
  } = parsed.data
  return {
    ...Object.fromEntries(
      Object.entries(rest).flatMap(([name, value]) =>
        value === null || value === undefined ? [] : [[name, String(value)]],
      ),
    ),
    ...rowsOf('ticker[]', 'allocation[]', allocations),
    ...rowsOf('signal1_ticker[]', 'signal1_allocation[]', signal1Allocations),
    ...rowsOf('signal0_ticker[]', 'signal0_allocation[]', signal0Allocations),
    ...(features && { features: JSON.stringify(features) }),
    ...(target && { target: JSON.stringify(target) }),
    ...(rules && { rules: JSON.stringify(rules) }),
    ...(external && { external: JSON.stringify(external) }),
  }
}

const rowsOf = (tickers: string, percentages: string, rows: SavedConfig['allocations']) =>
  rows && {
    [tickers]: rows.map(({ ticker }) => ticker),
    [percentages]: rows.map(({ allocation }) => String(allocation)),
  }
