import type { BacktestForm } from '@tradewright/contract/backtest-form'
import { CASHFLOW_FREQUENCIES } from '@tradewright/contract/backtests'
import { NAME_MAX_LENGTH, STRATEGY_TYPES, type StrategyType } from '@tradewright/contract/strategies'
import { parseGranularity, studioGranularities } from '@tradewright/core/granularity'
import {
  cashflowKinds,
  type BacktestRequest,
  type BacktestSettings,
  defaultSettings,
  endedTickerChoices,
} from '@tradewright/engine/backtest/request'
import { fillTimings } from '@tradewright/engine/trading/fill-timing'
import type { MaintenanceMargin } from '@tradewright/engine/trading/margin'
import { rebalanceFrequencies } from '@tradewright/engine/trading/rebalance-calendar'
import { backtestNameOf, type BacktestRun, describeStrategy } from '../../backtests/backtest-run.ts'
import { allocationRows } from '../strategies/allocation-form.ts'
import {
  choiceField,
  dateField,
  flagField,
  given,
  invalidField,
  momentField,
  numberField,
  wholeField,
} from '../input/form-values.ts'
import { externalStrategy } from '../strategies/external-form.ts'
import { mlStrategy, modelChoice } from '../strategies/ml-form.ts'
import { rulesStrategy } from '../strategies/rules-form.ts'
import { configOf } from '../strategies/saved-config.ts'

const RUN_ID_MAX_LENGTH = 100

const STRATEGY_OF = {
  'Asset Allocation': (form) => ({
    kind: 'allocation',
    allocation: allocationRows('The allocation', form['ticker[]'], form['allocation[]']),
  }),
  ML: mlStrategy,
  Rules: ({ rules }) => rulesStrategy(rules),
  'External signal': ({ external, signals }) => externalStrategy(external, signals),
} satisfies Record<StrategyType, (form: BacktestForm) => BacktestRequest['strategy']>

/** Reads the form of a run; a Problem says in a sentence which field is wrong. */
export function toDomain(form: BacktestForm): { run: BacktestRun; runId: string | undefined } {
  const type = choiceField('The strategy type', STRATEGY_TYPES, form.strategyType) ?? 'Asset Allocation'
  const settings = settingsOf(form)
  const strategy = STRATEGY_OF[type](form)
  const request = { ...settings, strategy }
  const model = type === 'ML' ? modelChoice(form) : undefined
  const saving = savingOf(form, request, model)
  const run = {
    request,
    model,
    provider: given(form.dataProvider)?.toLowerCase() ?? 'auto',
    retriesData: flagField('Retry data', form.retryData) ?? false,
    ...asOfField(form.asOf),
    ...saving,
    ...(type === 'External signal' && given(form.signals) === undefined && { signalsOf: signalsOf(form) }),
    referenceBacktestId: settings.referenceTicker === undefined ? referenceBacktest(form) : undefined,
  }
  const runId = given(form.runId)
  if (runId !== undefined && runId.length > RUN_ID_MAX_LENGTH) {
    throw invalidField(`runId is too long (at most ${RUN_ID_MAX_LENGTH} characters).`)
  }
  return { run: { ...run, config: configOf(run) }, runId }
}

function asOfField(text: string | undefined): Pick<BacktestRun, 'asOf'> {
  const asOf = momentField('The as-of time', text)
  return asOf === undefined ? {} : { asOf }
}

const FREQUENCY_OF = { Yearly: 'yearly', Monthly: 'monthly', Quarterly: 'quarterly' } as const

function settingsOf(form: BacktestForm): BacktestSettings {
  const defaults = defaultSettings
  const granularity = choiceField('The data granularity', studioGranularities, form.dataGranularity) ?? 'daily'
  const frequency = choiceField('The cashflow frequency', CASHFLOW_FREQUENCIES, form.cashflowFreq) ?? 'Yearly'
  return {
    from: dateField('The start date', form.startDate),
    to: dateField('The end date', form.endDate),
    includeFirstReturn:
      flagField("Include the first session's return", form.includeFirstReturn) ?? defaults.includeFirstReturn,
    granularity: parseGranularity(granularity)!,
    startValue: numberField('The starting value', form.startValue) ?? defaults.startValue,
    cashflow: numberField('The cashflow', form.cashflow) ?? defaults.cashflow,
    cashflowFrequency: FREQUENCY_OF[frequency],
    cashflowKind: choiceField('The kind of cashflow', cashflowKinds, form.cashflowKind) ?? 'dollars',
    adjustInflation: flagField('Adjust for inflation', form.adjustInflation) ?? defaults.adjustInflation,
    reinvestDividends: flagField('Reinvest dividends', form.investDividends) ?? defaults.reinvestDividends,
    referenceTicker: given(form.referenceTicker)?.toUpperCase(),
    rebalanceFrequency:
      choiceField('The rebalance frequency', rebalanceFrequencies, form.rebalanceFrequency) ??
      defaults.rebalanceFrequency,
    rebalanceBandPct: numberField('The rebalance band', form.rebalanceBandPct),
    tradingCostBps: numberField('The trading cost', form.tradingCostBps) ?? defaults.tradingCostBps,
    commission: numberField('The commission', form.commission) ?? defaults.commission,
    halfSpreadBps: numberField('The half-spread', form.halfSpreadBps) ?? 0,
    impactFactor: numberField('The factor of market impact', form.impactFactor) ?? 0,
    fillTiming: choiceField('The fill timing', fillTimings, form.fillTiming) ?? defaults.fillTiming,
    seed: wholeField('The seed', form.seed) ?? defaults.seed,
    shortBorrowPct: numberField('The borrow rate of short positions', form.shortBorrowPct),
    maintenanceMargin: marginField(form.maintenanceMargin),
    riskFreeTicker: given(form.riskFreeTicker)?.toUpperCase(),
    endedTicker:
      choiceField('The choice for ended tickers', endedTickerChoices, form.endedTicker) ?? defaults.endedTicker,
    replacementTicker: given(form.replacementTicker)?.toUpperCase(),
    delistingReturnPct: numberField('The final value of ended tickers', form.delistingReturnPct) ?? 0,
    allowMixedPrices: flagField('Allow mixed prices', form.allowMixedPrices) ?? defaults.allowMixedPrices,
  }
}

function marginField(text: string | undefined): MaintenanceMargin {
  const word = given(text)?.toLowerCase() ?? 'us'
  if (word === 'us' || word === 'off') return word
  const pct = Number(word)
  if (Number.isFinite(pct)) return pct
  throw invalidField('The maintenance margin must be us, off or a percentage.')
}

function savingOf(
  form: BacktestForm,
  request: BacktestRequest,
  model: BacktestRun['model'],
): Pick<BacktestRun, 'strategyName' | 'saveStrategy' | 'saveBacktest' | 'backtestName'> {
  const saveStrategy = flagField('Save strategy', form.saveStrategy) ?? false
  const saveBacktest = flagField('Save backtest', form.saveBacktest) ?? false
  const name = named('The strategy name', form.strategyName)
  if (name === undefined && (saveStrategy || saveBacktest)) {
    throw invalidField('A strategy name is required to save the strategy or the backtest.')
  }
  const strategyName = name ?? 'Unnamed strategy'
  const backtestName =
    named('The backtest name', form.backtestName) ?? backtestNameOf(name ?? describeStrategy(request, model), request)
  return { strategyName, saveStrategy, saveBacktest, backtestName }
}

function named(what: string, text: string | undefined): string | undefined {
  const name = given(text)
  if (name !== undefined && name.length > NAME_MAX_LENGTH) {
    throw invalidField(`${what} is too long (at most ${NAME_MAX_LENGTH} characters).`)
  }
  return name
}

const signalsOf = (form: BacktestForm): number | undefined =>
  wholeField('The strategy whose signals are used', form.signalsOf)

function referenceBacktest(form: BacktestForm): number | undefined {
  return wholeField('The comparison backtest', form.referenceBacktestId)
}
