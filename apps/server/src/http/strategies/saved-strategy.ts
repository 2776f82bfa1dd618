import type { BacktestForm } from '@tradewright/contract/backtest-form'
import type { RunnableStrategy } from '../../live-trading/deployment.ts'
import type { Strategy } from '../../strategies/strategy.ts'
import { toDomain } from '../backtests/form.ts'

/** A saved strategy as the run that its form would start. A Problem says what the form lacks. */
export function readSavedStrategy({ config, type, name }: Strategy): RunnableStrategy {
  const { run } = toDomain(toForm(config, type, name))
  return { request: run.request, model: run.model, provider: run.provider }
}

type Config = Strategy['config']

function toForm(config: Config, type: Strategy['type'], strategyName: string): BacktestForm {
  const plain = (...keys: string[]): string | undefined => {
    const value = keys.map((key) => config[key]).find((one) => one !== undefined && one !== null)
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : undefined
  }
  const rows = (...keys: string[]) => allocationColumns(keys.map((key) => config[key]).find((one) => one !== undefined))
  const held = rows('allocations', 'allocation')
  const buy = rows('signal1Allocations', 'signal1_allocations', 'signal1_allocation')
  const sell = rows('signal0Allocations', 'signal0_allocations', 'signal0_allocation')
  // An allocation learns from no past: it trades today's prices, whatever range its form would have tested.
  const anyDay = type === 'Asset Allocation' || type === 'External signal' ? '2020-01-02' : undefined
  return {
    strategyName,
    strategyType: type,
    startDate: plain('startDate', 'start_date') ?? anyDay,
    endDate: plain('endDate', 'end_date') ?? anyDay,
    // A deployment begins when it is started.
    includeFirstReturn: undefined,
    startValue: plain('startValue'),
    investDividends: plain('investDividends'),
    dataProvider: plain('dataProvider'),
    dataGranularity: plain('dataGranularity', 'data_granularity'),
    'ticker[]': held.tickers,
    'allocation[]': held.percentages,
    rules: jsonText(config['rules']),
    external: jsonText(config['external']),
    signals: undefined,
    signalsOf: undefined,
    mlModelType: plain('mlModelType'),
    trainSize: plain('trainSize'),
    walkForwardEnabled: plain('walkForwardEnabled'),
    wfTrainWindowPct: plain('wfTrainWindowPct'),
    wfTestWindowPct: plain('wfTestWindowPct'),
    wfStepSizePct: plain('wfStepSizePct'),
    max_features: plain('max_features'),
    min_samples_leaf: plain('min_samples_leaf'),
    min_samples_split: plain('min_samples_split'),
    n_estimators: plain('n_estimators'),
    boosting_rounds: plain('boosting_rounds'),
    max_depth: plain('max_depth'),
    learning_rate: plain('learning_rate'),
    min_leaf_share: plain('min_leaf_share'),
    find_rounds: plain('find_rounds'),
    features: jsonText(config['features'] ?? config['selectedFeatures']),
    target: targetText(config),
    'signal1_ticker[]': buy.tickers,
    'signal1_allocation[]': buy.percentages,
    'signal0_ticker[]': sell.tickers,
    'signal0_allocation[]': sell.percentages,
    allowMixedPrices: plain('allowMixedPrices'),
    endedTicker: plain('endedTicker'),
    replacementTicker: plain('replacementTicker'),
    delistingReturnPct: plain('delistingReturnPct'),
    tradingCostBps: plain('tradingCostBps'),
    commission: plain('commission'),
    halfSpreadBps: plain('halfSpreadBps'),
    impactFactor: plain('impactFactor'),
    maintenanceMargin: plain('maintenanceMargin'),
    fillTiming: plain('fillTiming'),
    seed: plain('seed'),
    shortBorrowPct: plain('shortBorrowPct'),
    saveStrategy: undefined,
    saveBacktest: undefined,
    backtestName: undefined,
    cashflow: undefined,
    cashflowFreq: undefined,
    cashflowKind: undefined,
    adjustInflation: undefined,
    referenceTicker: undefined,
    referenceBacktestId: undefined,
    testSize: undefined,
    rebalanceFrequency: undefined,
    rebalanceBandPct: undefined,
    riskFreeTicker: undefined,
    runId: undefined,
  }
}

/** A list of rows, or a map from ticker to percent as older forms wrote it. */
function allocationColumns(value: unknown): { tickers: string[]; percentages: string[] } {
  const rows = Array.isArray(value)
    ? value.map((row: { ticker?: unknown; allocation?: unknown } | null) => [row?.ticker, row?.allocation] as const)
    : typeof value === 'object' && value !== null
      ? Object.entries(value)
      : []
  const named = rows.filter(([ticker]) => typeof ticker === 'string' && ticker.trim() !== '')
  return {
    tickers: named.map(([ticker]) => ticker as string),
    percentages: named.map(([, percent]) => textOf(percent)),
  }
}

const textOf = (value: unknown): string => (typeof value === 'number' || typeof value === 'string' ? String(value) : '')

const jsonText = (value: unknown): string | undefined =>
  value === undefined || value === null ? undefined : typeof value === 'string' ? value : JSON.stringify(value)

/** `{id, params}`, its JSON, or an id with the parameters beside it. */
function targetText(config: Config): string | undefined {
  const target = config['target'] ?? config['selectedTarget']
  const params = config['targetParams']
  if (typeof target === 'number' || (typeof target === 'string' && !/^\s*[{[]/.test(target))) {
    return JSON.stringify({ id: target, params: params ?? {} })
  }
  return jsonText(target)
}
