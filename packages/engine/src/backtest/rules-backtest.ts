import { type RulesCheck, RulesEvaluator } from '../rules/evaluator.ts'
import { type RulesInputs, rulesInputs } from '../rules/inputs.ts'
import { silentBlocks } from '../rules/silent-blocks.ts'
import { type AccountRun, runAccount, type RunConditions } from './account-run.ts'
import { checkRulesTruncation } from './honesty/rules-truncation.ts'
import type { RulesPlan } from './plan.ts'
import type { SeriesSet } from './priced-series.ts'
import { type RunControl, stopIfCancelled } from './progress.ts'
import { RulesRecorder } from './rules-recorder.ts'
import type { RulesResult } from './rules-result.ts'
import type { SimulationTable } from './simulation-table.ts'

/** Features, checks, trading, and the checks again from less data. */
export function runRules(
  { program }: RulesPlan,
  conditions: RunConditions,
  seriesSet: SeriesSet,
  control: RunControl,
): { account: AccountRun; rules: RulesResult } {
  const { table, settings } = conditions
  const inputs = rulesColumns(program, table, settings, seriesSet, control)
  control.onProgress({ stage: 'simulation' })
  const evaluator = new RulesEvaluator(program, inputs)
  const recorder = new RulesRecorder(program, evaluator)
  const { timestamps } = table.prices
  const account = tradeRules(evaluator, conditions, (bar, check) => recorder.record(timestamps[bar]!, check))
  // An account that has nothing left decides no more.
  stopIfCancelled(control)
  const truncation = checkRulesTruncation(
    program,
    inputs,
    { ...table, timestamps, granularity: settings.granularity },
    (ticker) => seriesSet.anchored(ticker),
  )
  const silent = silentBlocks(program, inputs)
  return { account, rules: { ...recorder.result(), ...(silent.length > 0 && { silent }), honesty: { truncation } } }
}

/** An account that trades as the rules say. `checked` is told of every check. */
function tradeRules(
  evaluator: RulesEvaluator,
  conditions: RunConditions,
  checked: (bar: number, check: RulesCheck) => void = () => undefined,
): AccountRun {
  const { prices } = conditions.table
  return runAccount(
    conditions,
    prices,
    { from: 0, to: prices.timestamps.length },
    {
      decide: (bar) => {
        const check = evaluator.evaluate(bar)
        if (check) checked(bar, check)
        return check?.trades ? check.weights : undefined
      },
      fillTiming: conditions.settings.fillTiming,
      rebalance: false,
    },
  )
}

function rulesColumns(
  program: RulesPlan['program'],
  table: SimulationTable,
  { granularity }: RunConditions['settings'],
  seriesSet: SeriesSet,
  control: RunControl,
): RulesInputs {
  const bars = { ...table, timestamps: table.prices.timestamps, granularity }
  return rulesInputs(
    program,
    bars,
    (ticker) => seriesSet.anchored(ticker),
    (done, total) => {
      stopIfCancelled(control)
      control.onProgress({ stage: 'features', done, total })
    },
  )
}
