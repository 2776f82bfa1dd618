import type { Construction as WireConstruction, ConstructionItem as WireItem } from '@tradewright/contract/construction'
import { formatDate } from '@tradewright/core/time'
import type { ConstructionReport } from '@tradewright/engine/construction/report'
import type { Construction, ConstructionItem } from '../../construction/construction.ts'
import { errorOf, statusOf } from '../../jobs/job.ts'
import { figureToWire } from '../answer/figure-wire.ts'
import { curveMetricsToWire, metricNotes } from '../backtests/wire/metrics-wire.ts'
import { splicedToWire } from '../backtests/wire/provenance-wire.ts'

export function itemToWire(construction: ConstructionItem): WireItem {
  const { request, name, tickers } = construction.settings
  const status = statusOf(construction)
  const progress = construction.job?.progress
  return {
    id: construction.id,
    status,
    name,
    tickers: [...tickers],
    methods: request.methods.map(({ id }) => id),
    start_date: formatDate(request.backtest.from),
    end_date: formatDate(request.backtest.to),
    progress:
      status === 'running'
        ? { fraction: progress?.fraction ?? 0, note: progress?.note ?? 'Waiting for its turn' }
        : null,
    error_message: status === 'failed' ? errorOf(construction) : null,
    created_at: construction.createdAt.toISOString(),
    finished_at: construction.finishedAt?.toISOString() ?? null,
  }
}

export function toWire(construction: Construction): WireConstruction {
  const { request, config } = construction.settings
  return {
    ...itemToWire(construction),
    covariance: request.covariance,
    window_months: request.windowMonths,
    rebalance: request.rebalance,
    config: config as WireConstruction['config'],
    results: construction.outcome && resultsToWire(construction.outcome.report, construction.outcome.notes),
  }
}

const copied = (rows: readonly (readonly number[])[]) => rows.map((row) => [...row])

function resultsToWire(report: ConstructionReport, notes: readonly string[]): NonNullable<WireConstruction['results']> {
  const { frontier } = report
  return {
    tickers: [...report.tickers],
    start_value: report.startValue,
    first_price: formatDate(report.firstPrice),
    test_start: formatDate(report.from),
    test_end: formatDate(report.to),
    window_bars: report.window,
    bars: report.bars,
    dates: report.days.map(formatDate),
    rebalance_dates: report.rebalanceDays.map(formatDate),
    portfolios: report.portfolios.map(({ chance, ...portfolio }) => ({
      id: portfolio.id,
      label: portfolio.label,
      metrics: curveMetricsToWire(portfolio.metrics),
      figure_notes: metricNotes(portfolio.metrics, ['curve']),
      turnover: figureToWire(portfolio.turnover),
      fees: portfolio.fees,
      growth: [...portfolio.growth],
      weights: copied(portfolio.weights),
      current: [...portfolio.current],
      expected: portfolio.expected,
      over_turnover: portfolio.overTurnover,
      chance: chance && {
        difference: chance.difference,
        p_value: chance.pValue,
        more_than_chance: chance.isMoreThanChance,
        sentence: chance.sentence,
      },
    })),
    frontier: {
      date: formatDate(frontier.day),
      points: frontier.points.map(({ weights, ...point }) => ({ ...point, weights: [...weights] })),
      tickers: [...frontier.tickers],
      shrinkage: frontier.shrinkage,
    },
    risk_free: report.riskFree,
    synthetic: report.isSynthetic,
    spliced_tickers: splicedToWire(report.spliced),
    fingerprint: report.fingerprint,
    seed: report.seed,
    notes: [...notes],
  }
}
