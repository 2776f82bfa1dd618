import type { BacktestForm } from '@tradewright/contract/backtest-form'
import { NAME_MAX_LENGTH, type SavedConfig } from '@tradewright/contract/strategies'
import { choiceField, flagField, given, invalidField, wholeField } from '@tradewright/core/form-values'
import {
  callFields,
  deployed,
  readSavedStrategy,
  settingsOfCall,
  settingsToSaved,
} from '@tradewright/core/settings-codec'
import { kindNamed, receivesSignals, STRATEGY_TYPES, strategyKindOf } from '@tradewright/core/strategy-kinds'
import type { BacktestRequest } from '@tradewright/engine/backtest/request'
import { backtestNameOf, type BacktestRun, describeStrategy } from '../../backtests/backtest-run.ts'
import type { RunnableStrategy } from '../../live-trading/deployment.ts'
import type { Strategy, StrategyConfig } from '../../strategies/strategy.ts'
import { momentField } from '../input/form-values.ts'
import { savedStrategy, strategyForms } from '../strategies/strategy-forms.ts'

const RUN_ID_MAX_LENGTH = 100

/** Reads the form of a run; a Problem says in a sentence which field is wrong. */
export function toDomain(form: BacktestForm): { run: BacktestRun; runId: string | undefined } {
  const type = choiceField('The strategy type', STRATEGY_TYPES, form.strategyType) ?? 'Asset Allocation'
  const settings = settingsOfCall(form)
  const kind = strategyForms[strategyKindOf(type)]
  const strategy = kind.read(form)
  const request = { ...settings, strategy }
  const model = kind.model?.(form)
  const saving = savingOf(form, request, model)
  const run = {
    request,
    model,
    provider: given(form.dataProvider)?.toLowerCase() ?? 'auto',
    retriesData: flagField('Retry data', form.retryData) ?? false,
    ...asOfField(form.asOf),
    ...saving,
    ...(receivesSignals(strategy) && given(form.signals) === undefined && { signalsOf: signalsOf(form) }),
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

/** The settings of a run as a saved strategy and a saved backtest keep them. */
const configOf = ({ request, model, provider }: Omit<BacktestRun, 'config'>): SavedConfig => ({
  ...savedStrategy(request.strategy, model),
  ...settingsToSaved(request),
  dataProvider: provider,
})

/** A saved strategy as the call that runs it. A Problem names what cannot be read. */
export const callOf = (config: StrategyConfig): BacktestForm => callFields(readSavedStrategy(config))

/** Kinds that learn from no past trade today's prices, whatever range their form would have tested. */
const ANY_DAY = { startDate: '2020-01-02', endDate: '2020-01-02' }

/** A saved strategy as a deployment runs it. A Problem says what it lacks. */
export function runnableOf({ config, type, name }: Strategy): RunnableStrategy {
  const { isFixed, receivesSignals: isOutside } = kindNamed(type)
  const saved = { ...((isFixed || isOutside) && ANY_DAY), ...deployed(readSavedStrategy(config)) }
  const { run } = toDomain({ ...callFields(saved), strategyType: type, strategyName: name })
  return { request: run.request, model: run.model, provider: run.provider }
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
