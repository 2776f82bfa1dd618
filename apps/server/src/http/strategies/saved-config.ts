import type { SavedConfig } from '@tradewright/contract/strategies'
import { toStudioGranularity } from '@tradewright/core/granularity'
import { formatDate } from '@tradewright/core/time'
import type { BacktestSettings, MlStrategy } from '@tradewright/engine/backtest/request'
import type { ModelChoice } from '@tradewright/engine/models/settings'
import { defaultWindowPercentages } from '@tradewright/engine/models/splits'
import type { AllocationRow } from '@tradewright/engine/trading/allocation'
import type { BacktestRun } from '../../backtests/backtest-run.ts'
import { externalToWire } from './external-form.ts'
import { boostingParams, modelTypeOf, treeParams } from './model-wire.ts'

/** The form's settings in the form's own words, as a saved strategy keeps them. */
export function configOf({ request, model, provider }: Omit<BacktestRun, 'config'>): SavedConfig {
  const { strategy } = request
  return { ...ownConfig(strategy, model), ...settingsConfig(request), dataProvider: provider }
}

function ownConfig(strategy: BacktestRun['request']['strategy'], model: ModelChoice | undefined) {
  if (strategy.kind === 'allocation') return { allocations: rowsToWire(strategy.allocation) }
  if (strategy.kind === 'ml') return { ...mlConfig(strategy), ...modelConfig(model) }
  if (strategy.kind === 'external') return { external: { ...externalToWire(strategy) } }
  return { rules: { ...strategy.tree } }
}

export const rowsToWire = (rows: readonly AllocationRow[]) =>
  rows.map(({ ticker, allocationPct }) => ({ ticker, allocation: allocationPct }))

function mlConfig({ trainPct, walkForward, features, target, buy, sell }: MlStrategy) {
  const windows = walkForward ?? defaultWindowPercentages
  return {
    trainSize: trainPct,
    testSize: 100 - trainPct,
    features: features.map(({ id, params }) => ({ id, params })),
    target: { id: target.id, params: target.params },
    targetParams: target.params,
    signal1Allocations: rowsToWire(buy),
    signal0Allocations: rowsToWire(sell),
    walkForwardEnabled: walkForward !== undefined,
    wfStepSizePct: windows.stepPct ?? null,
    wfTrainWindowPct: windows.trainPct,
    wfTestWindowPct: windows.testPct,
  }
}

function modelConfig(model: ModelChoice | undefined) {
  if (!model) return {}
  return { mlModelType: modelTypeOf(model), ...treeParams(model), ...boostingParams(model) }
}

const FREQUENCIES = { yearly: 'Yearly', monthly: 'Monthly', quarterly: 'Quarterly' } as const

function settingsConfig(settings: BacktestSettings) {
  return {
    startDate: formatDate(settings.from),
    endDate: formatDate(settings.to),
    includeFirstReturn: settings.includeFirstReturn,
    startValue: settings.startValue,
    cashflow: settings.cashflow,
    cashflowFreq: FREQUENCIES[settings.cashflowFrequency],
    cashflowKind: settings.cashflowKind ?? 'dollars',
    adjustInflation: settings.adjustInflation,
    investDividends: settings.reinvestDividends,
    referenceTicker: settings.referenceTicker ?? null,
    dataGranularity: toStudioGranularity(settings.granularity) ?? settings.granularity,
    rebalanceFrequency: settings.rebalanceFrequency,
    rebalanceBandPct: settings.rebalanceBandPct ?? null,
    tradingCostBps: settings.tradingCostBps,
    commission: settings.commission,
    halfSpreadBps: settings.halfSpreadBps ?? 0,
    impactFactor: settings.impactFactor ?? 0,
    fillTiming: settings.fillTiming,
    seed: settings.seed,
    shortBorrowPct: settings.shortBorrowPct ?? null,
    maintenanceMargin: String(settings.maintenanceMargin ?? 'us'),
    riskFreeTicker: settings.riskFreeTicker ?? null,
    allowMixedPrices: settings.allowMixedPrices,
    endedTicker: settings.endedTicker,
    replacementTicker: settings.replacementTicker ?? null,
    delistingReturnPct: settings.delistingReturnPct ?? 0,
  }
}
