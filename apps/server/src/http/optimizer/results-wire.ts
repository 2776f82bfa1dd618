import type {
  BuyAndHoldComparison,
  LuckReport,
  NestedWalkForward,
  OptimizationResults,
  OptimizedStrategy,
} from '@tradewright/contract/optimization-results'
import { toStudioGranularity } from '@tradewright/core/granularity'
import { formatDate } from '@tradewright/core/time'
import { syntheticTickers } from '@tradewright/engine/backtest/provenance'
import type { ComparedCurves } from '@tradewright/engine/optimizer/holding'
import type { NestedReport } from '@tradewright/engine/optimizer/nested-report'
import type { Judgement } from '@tradewright/engine/optimizer/verdicts'
import type { WinnerDetails } from '@tradewright/engine/optimizer/winner'
import {
  type OptimizationRun,
  type RunOutcome,
  runtimeSeconds,
  luckOf,
  wasComparedWithHolding,
} from '../../optimizer/run.ts'
import { dataSourcesToWire } from '../backtests/wire/data-sources-wire.ts'
import { dataProblemToWire, seriesToWire, splicedToWire } from '../backtests/wire/provenance-wire.ts'
import { modelTypeOf } from '../strategies/model-wire.ts'
import { featureToWire, performanceToWire } from './history-wire.ts'
import { allocationToWire, periodToWire, targetToWire, treeSettings } from './wire.ts'

export function resultsToWire(run: OptimizationRun): OptimizationResults | null {
  const { outcome } = run
  if (!outcome) return null
  const { report } = outcome
  const { request } = run.settings
  const { earlyStopping, seedFeatures } = request
  const strategy = optimizedStrategy(run, outcome)
  const target = targetToWire(request.targets[report.winner.target]!)
  return {
    best_features: strategy.features,
    ...strategy.optimization_results,
    best_generation: report.generation,
    best_target: target,
    best_target_asset: target.target_asset,
    targets_considered: request.targets.length,
    stopped_at_generation: outcome.generations,
    stopped_early: outcome.stoppedEarly,
    early_stopping: {
      enabled: earlyStopping !== undefined,
      patience_generations: earlyStopping?.patience ?? 0,
      min_improvement: earlyStopping?.minImprovement ?? 0,
    },
    seed_info: {
      used_seed: outcome.seedFitness !== null,
      seed_features_count: seedFeatures.length,
      seed_fitness: outcome.seedFitness,
      improvement_over_seed: outcome.seedFitness === null ? null : report.fitness - outcome.seedFitness,
    },
    train_period: periodToWire(report.details.train),
    test_period: periodToWire(report.details.test),
    luck: luckToWire(run, outcome),
    buy_and_hold: wasComparedWithHolding(report)
      ? buyAndHoldToWire(report.details, strategy.signal1_allocations)
      : null,
    nested_walk_forward: report.nested ? nestedToWire(run, report.nested) : null,
    optimized_strategy: strategy,
    candidate_features: outcome.candidates,
    left_out_features: [...outcome.leftOut],
    evaluations_per_second: outcome.seconds > 0 ? report.trials / outcome.seconds : null,
    risk_free: outcome.riskFree,
    data_sources: dataSourcesToWire(outcome.sources),
    actual_period: periodToWire(outcome.period),
    limiting_ticker: outcome.period.limitingTicker ?? null,
    series_sources: outcome.series.map(seriesToWire),
    synthetic: outcome.synthetic,
    synthetic_tickers: syntheticTickers(outcome.series, 'traded'),
    data_problems: outcome.dataProblems.map(dataProblemToWire),
    spliced_tickers: splicedToWire(outcome.spliced),
    data_fingerprint: outcome.fingerprint,
    notes: [...outcome.notes],
  }
}

function optimizedStrategy({ settings, candidates }: OptimizationRun, outcome: RunOutcome): OptimizedStrategy {
  const { request } = settings
  const { report } = outcome
  const target = targetToWire(request.targets[report.winner.target]!)
  const { max_features_rf: max_features, ...parameters } = treeSettings(request.model)
  const granularity = toStudioGranularity(request.granularity) ?? request.granularity
  const ownAsset = [{ ticker: target.target_asset, allocation: 100 }]
  return {
    name: `Optimized Strategy - ${target.target_asset}`,
    type: 'ML',
    target_asset: target.target_asset,
    related_assets: target.related_assets,
    features: report.winner.genes.map((gene) => featureToWire(candidates[gene]!)),
    target_id: target.target_id,
    target_config: target.params,
    start_date: formatDate(request.from),
    end_date: formatDate(request.to),
    dataGranularity: granularity,
    data_granularity: granularity,
    ml_model: modelTypeOf(request.model),
    train_size: request.trainPct,
    test_size: 100 - request.trainPct,
    ml_parameters: { ...parameters, max_features },
    signal1_allocations: request.buy.length > 0 ? allocationToWire(request.buy) : ownAsset,
    signal0_allocations: allocationToWire(request.sell),
    optimization_results: {
      best_fitness: report.fitness,
      best_performance: {
        ...performanceToWire(report.details.overall),
        walk_forward: request.walkForward ? walkForwardToWire(report.details) : null,
      },
      runtime_seconds: runtimeSeconds(outcome),
      total_evaluations: report.trials,
    },
  }
}

const walkForwardToWire = ({ windows }: WinnerDetails) => ({
  window_count: windows.length,
  windows: windows.map(({ number, test, testRows, accuracy, cagr, sharpe, holding }) => ({
    window_num: number,
    test_start: formatDate(test.from),
    test_end: formatDate(test.to),
    test_rows: testRows,
    accuracy,
    cagr,
    sharpe,
    buy_and_hold: holding ?? null,
  })),
})

const buyAndHoldToWire = (
  { holding, curves }: WinnerDetails,
  allocation: BuyAndHoldComparison['allocation'],
): BuyAndHoldComparison => ({
  allocation,
  performance: holding,
  test_curve: curvesToWire(curves.test),
  hold_out_curve: curves.holdOut ? curvesToWire(curves.holdOut) : null,
})

const nestedToWire = ({ settings, candidates }: OptimizationRun, nested: NestedReport): NestedWalkForward => ({
  ...judged(nested.judgement),
  planned_windows: nested.planned,
  performance: performanceToWire(nested.scores),
  buy_and_hold: nested.holding,
  curve: curvesToWire(nested.curves),
  windows: nested.windows.map((window) => ({
    test_start: formatDate(window.period.from),
    test_end: formatDate(window.period.to),
    target_asset: settings.request.targets[window.winner.target]!.asset,
    features: window.winner.genes.map((gene) => candidates[gene]!.label),
    best_fitness: window.fitness,
    generations: window.generations,
    evaluations: window.trials,
    performance: performanceToWire(window),
    buy_and_hold: window.holding,
  })),
})

const curvesToWire = ({ days, winner, holding }: ComparedCurves) => ({
  dates: days.map(formatDate),
  winner: [...winner],
  buy_and_hold: [...holding],
})

const judged = ({ value, ...said }: Judgement) => ({ value, ...saidToWire(said) })

const saidToWire = ({ verdict, words, sentence }: Omit<Judgement, 'value'>) => ({
  verdict,
  verdict_text: words,
  sentence,
})

const nothing = { accuracy: null, f1_score: null, sharpe: null, cagr: null }

function luckToWire({ settings, candidates }: OptimizationRun, { report }: RunOutcome): LuckReport {
  const { details, trials } = report
  const luck = luckOf(report)
  const { holdOut } = details
  return {
    hold_out: {
      ...judged(luck.holdOut),
      period: holdOut ? periodToWire(holdOut.period) : null,
      rows: holdOut?.rows ?? 0,
      performance: holdOut ? performanceToWire(holdOut) : nothing,
      buy_and_hold: holdOut?.holding ?? null,
      in_search: details.overall[settings.request.fitness.metric],
    },
    deflated_sharpe: {
      ...judged(luck.deflated),
      trials,
      sharpe: details.overall.sharpe,
      active_sharpe: luck.activeSharpe,
      lucky_sharpe: wasComparedWithHolding(report) ? luck.luckySharpe : null,
    },
    overfitting_probability: { ...judged(luck.overfitting), trials: luck.compared },
    feature_stability: {
      ...judged(luck.stability),
      features: luck.features.map((feature) => ({
        label: candidates[feature.gene]!.label,
        generation_share: feature.generationShare,
        population_share: feature.populationShare,
        window_share: feature.windowShare,
        importance: feature.importance,
      })),
    },
    summary: saidToWire(luck.summary),
  }
}
