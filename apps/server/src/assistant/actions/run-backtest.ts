import { z } from 'zod'
import { defineAction } from '../action.ts'
import { allocationFields, AllocationRun, type BacktestToolDeps, runForm } from '../tools/backtest-tools.ts'
import { backtestFacts } from '../tools/backtest-facts.ts'
import { backtestWords } from '../topics/backtest-words.ts'
import { paragraphs } from '../words.ts'
import { namedMix } from './weights-text.ts'

/** Runs an allocation and keeps strategy and backtest. */
export const runBacktestAction = (deps: BacktestToolDeps) =>
  defineAction({
    type: 'run_backtest',
    description: 'Run a backtest of fixed percentages and save it, with its strategy.',
    input: AllocationRun.extend({ name: z.string().trim().min(1).max(200) }),
    label: ({ name, allocation }) => `Run and save backtest ${namedMix(name, allocation)}`,
    async run(caller, input) {
      const saved = { strategyName: input.name, saveStrategy: 'true', saveBacktest: 'true' }
      const { report } = await runForm(deps, caller, { ...allocationFields(input), ...saved })
      return paragraphs(
        backtestWords(input.name, backtestFacts(report)),
        'Saved: the strategy is in [Strategies](/strategies), the backtest in the [Backtest Studio](/backtest).',
      )
    },
  })
