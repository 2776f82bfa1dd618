import * as contract from '@tradewright/contract/leading-indicators'
import { Problem } from '@tradewright/core/problem'
import { formatDate } from '@tradewright/core/time'
import type { LeadingIndicator } from '@tradewright/engine/optimizer/leading-indicators'
import {
  availableTickers,
  type CorrelationDeps,
  type CorrelationQuery,
  findCorrelations,
} from '../../leading-indicators/correlations.ts'
import type { CountedWork } from '../../jobs/run-limit.ts'
import { tickerName } from '../../tickers/catalogue.ts'
import { given } from '@tradewright/core/form-values'
import type { Handle } from '../server/handle.ts'
import { disconnectSignal } from '../server/client-disconnect.ts'

interface LeadingIndicatorDeps extends CorrelationDeps {
  readonly counted: CountedWork
}

export function serveLeadingIndicators(handle: Handle, deps: LeadingIndicatorDeps): void {
  handle(contract.listIndicatorTickers, async ({ user }) => ({
    success: true as const,
    tickers: Object.fromEntries(
      [...(await availableTickers(deps, user.id))].map(([category, tickers]) => [category, tickers]),
    ),
  }))
  handle(contract.getCorrelations, async ({ user, params, query, reply }) => {
    const wanted = toDomain(params.ticker, query)
    const found = await deps.counted(user.id, () => findCorrelations(deps, user.id, wanted, disconnectSignal(reply)))
    const revised = new Set(found.revised.flatMap((one) => (one.ofUnknownRelease > 0 ? [one.ticker] : [])))
    return {
      success: true as const,
      ticker: found.ticker,
      correlations: found.indicators.map((one) => toWire(one, revised)),
      period: { start_date: formatDate(found.period.from), end_date: formatDate(found.period.to) },
      tested: found.tested,
      expected_false_hits: 0.05 * found.tested,
      synthetic: found.synthetic,
      notes: [...found.notes],
    }
  })
}

type Query = { readonly [Name in 'min_correlation' | 'period_days' | 'limit' | 'lag_days']?: string | undefined }

function toDomain(ticker: string, query: Query): CorrelationQuery {
  return {
    ticker,
    minCorrelation: within('min_correlation', query.min_correlation, 0, 1) ?? contract.MIN_CORRELATION.default,
    periodDays: whole('period_days', query.period_days, 10, 3650) ?? contract.DEFAULT_ANALYSIS_PERIOD,
    limit: whole('limit', query.limit, 1, 1000) ?? contract.CORRELATION_LIMIT,
    lagDays: query.lag_days === 'all' ? undefined : whole('lag_days', query.lag_days, 1, 60),
  }
}

function within(what: string, text: string | undefined, least: number, most: number): number | undefined {
  const word = given(text)
  if (word === undefined) return undefined
  const value = Number(word)
  if (!(value >= least && value <= most)) throw invalid(`${what} must be a number from ${least} to ${most}.`)
  return value
}

function whole(what: string, text: string | undefined, least: number, most: number): number | undefined {
  const value = within(what, text, least, most)
  if (value !== undefined && !Number.isInteger(value)) throw invalid(`${what} must be a whole number.`)
  return value
}

const invalid = (sentence: string) => new Problem('invalid', 'leading-indicators.query', sentence)

const toWire = (one: LeadingIndicator, revised: ReadonlySet<string>): contract.CorrelationRow => ({
  cross_ticker: one.ticker,
  cross_name: tickerName(one.ticker),
  cross_metric: one.metric,
  lag_days: one.lag,
  correlation_value: one.correlation,
  directional_accuracy: one.directionalAccuracy,
  sharpe_ratio: one.sharpe,
  p_value: one.pValue,
  adjusted_p_value: one.adjustedPValue,
  observations: one.pairs,
  synthetic: one.synthetic,
  uses_revised_values: revised.has(one.ticker),
  feature: { ...one.feature, params: { ...one.feature.params } },
})
