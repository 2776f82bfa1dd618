import { z } from 'zod'
import { findStrategy, type StrategyDeps } from '../../strategies/own-strategies.ts'
import type { StrategyConfig } from '../../strategies/strategy.ts'
import { defineAction } from '../action.ts'
import { backtestFacts } from '../tools/backtest-facts.ts'
import { type BacktestToolDeps, type FormFields, runForm } from '../tools/backtest-tools.ts'
import { backtestWords } from '../topics/backtest-words.ts'
import { paragraphs } from '../words.ts'
import { IsoDate } from '../tools/iso-date.ts'

interface Deps extends BacktestToolDeps, StrategyDeps {
  /** A saved strategy's settings as the form's fields. */
  readonly fieldsOf: (config: StrategyConfig) => FormFields
}

/** Runs a saved strategy with its own settings, or over another period, and keeps the backtest. */
export const runStrategyAction = (deps: Deps) =>
  defineAction({
    type: 'run_strategy',
    description: "Run one of the user's saved strategies, over its own period or another one, and save the backtest.",
    input: z.object({ strategy_id: z.int(), start_date: IsoDate.optional(), end_date: IsoDate.optional() }),
    label: ({ strategy_id, start_date, end_date }) =>
      `Run strategy ${strategy_id} and save the backtest${start_date || end_date ? ` (${start_date ?? '…'} to ${end_date ?? '…'})` : ''}`,
    async run(caller, { strategy_id, start_date, end_date }) {
      const { name, type, config } = await findStrategy(deps, caller.userId, strategy_id)
      const { report } = await runForm(deps, caller, {
        ...deps.fieldsOf(config),
        strategyType: type,
        strategyName: name,
        ...(start_date !== undefined && { startDate: start_date }),
        ...(end_date !== undefined && { endDate: end_date }),
        // Saved again under its name, the strategy would take over the other period.
        saveStrategy: start_date === undefined && end_date === undefined ? 'true' : 'false',
        saveBacktest: 'true',
      })
      return paragraphs(backtestWords(name, backtestFacts(report)), 'The backtest is saved.')
    },
  })
