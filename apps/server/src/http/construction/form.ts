import type { ConstructionRequest } from '@tradewright/contract/construction'
import type { BacktestForm } from '@tradewright/contract/backtest-form'
import { dateOf } from '@tradewright/core/time'
import type { z } from 'zod'
import type { ConstructionSettings } from '../../construction/construction.ts'
import { toDomain as backtestToDomain } from '../backtests/form.ts'
import { given } from '../input/form-values.ts'

/** Reads the body of a construction; a Problem says in a sentence which field is wrong. */
export function toDomain(body: z.output<typeof ConstructionRequest>): Omit<ConstructionSettings, 'tickers'> {
  const { run } = backtestToDomain({ ...body.backtest, 'allocation[]': percentagesOf(body.backtest) })
  const range = ({ min_pct, max_pct }: { min_pct: number; max_pct: number }) => ({ minPct: min_pct, maxPct: max_pct })
  return {
    request: {
      backtest: run.request,
      methods: body.methods,
      covariance: body.covariance,
      windowMonths: body.window_months,
      rebalance: body.rebalance,
      ...range(body),
      bounds: body.bounds.map((bound) => ({ ticker: bound.ticker, ...range(bound) })),
      groups: body.groups.map((group) => ({ name: group.name, tickers: group.tickers, ...range(group) })),
      turnoverPct: body.turnover_pct,
      views: body.views.map(({ ticker, against, expected_pct, confidence_pct, since }) => ({
        ticker,
        against,
        expectedPct: expected_pct,
        confidencePct: confidence_pct,
        since: since === undefined ? undefined : dateOf(since),
      })),
    },
    name: run.strategyName,
    provider: run.provider,
    retriesData: run.retriesData ?? false,
    config: run.config,
  }
}

/** Percentages are the user's own weights, to be compared with: a ticker may have none. */
function percentagesOf({ 'ticker[]': tickers = [], 'allocation[]': percentages = [] }: BacktestForm): string[] {
  if (percentages.length > tickers.length) return [...percentages]
  return tickers.map((_, row) => given(percentages[row]) ?? '0')
}
