import type { ConstructionRequest } from '@tradewright/contract/construction'
import type { BacktestForm } from '@tradewright/contract/backtest-form'
import { dateOf, type UtcMillis } from '@tradewright/core/time'
import type { z } from 'zod'
import { type ConstructionSettings, plannedConstruction } from '../../construction/construction.ts'
import { given } from '@tradewright/core/form-values'
import { toDomain } from '../backtests/form.ts'

interface Sent {
  readonly body: z.output<typeof ConstructionRequest>
  readonly now: UtcMillis
}

/** A compute task: reads the body of a construction and plans it; a Problem says in a sentence which field is wrong. */
export function run({ body, now }: Sent): ConstructionSettings {
  const { run: asked } = toDomain({ ...body.backtest, 'allocation[]': percentagesOf(body.backtest) })
  const range = ({ min_pct, max_pct }: { min_pct: number; max_pct: number }) => ({ minPct: min_pct, maxPct: max_pct })
  const settings = {
    request: {
      backtest: asked.request,
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
    name: asked.strategyName,
    provider: asked.provider,
    retriesData: asked.retriesData ?? false,
    config: asked.config,
  }
  return plannedConstruction(settings, { now: () => new Date(now) })
}

/** Percentages are the user's own weights, to be compared with: a ticker may have none. */
function percentagesOf({ 'ticker[]': tickers = [], 'allocation[]': percentages = [] }: BacktestForm): string[] {
  if (percentages.length > tickers.length) return [...percentages]
  return tickers.map((_, row) => given(percentages[row]) ?? '0')
}
