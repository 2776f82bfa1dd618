import type { Clock } from '@tradewright/core/clock'
import { epochDayOf, formatDate } from '@tradewright/core/time'
import { z } from 'zod'
import { validateRun } from '../../backtests/validate-run.ts'
import { saveStrategy, type StrategyDeps } from '../../strategies/own-strategies.ts'
import { defineAction } from '../action.ts'
import { Allocation, allocationFields, type BacktestToolDeps } from '../tools/backtest-tools.ts'
import { plain } from '../words.ts'
import { namedMix, weightsText } from './weights-text.ts'

interface Deps extends StrategyDeps, Pick<BacktestToolDeps, 'runOf'> {
  readonly clock: Clock
}

const TEST_DAYS = 5 * 365

/** Saves an allocation as a strategy, with the Studio's usual settings over the last five years. */
export const createStrategyAction = (deps: Deps) =>
  defineAction({
    type: 'create_strategy',
    description: 'Save an Asset Allocation strategy of fixed percentages. A strategy of the same name is replaced.',
    input: z.object({ name: z.string().trim().min(1).max(200), allocation: Allocation }),
    label: ({ name, allocation }) => `Save strategy ${namedMix(name, allocation)}`,
    async run({ userId }, { name, allocation }) {
      const today = epochDayOf(deps.clock.now().getTime())
      const dates = { start_date: formatDate(today - TEST_DAYS), end_date: formatDate(today) }
      const run = deps.runOf(allocationFields({ allocation, rebalance: 'yearly', ...dates }))
      validateRun(run, deps.clock)
      await saveStrategy(deps, userId, { name, type: 'Asset Allocation', config: run.config })
      return `Saved the strategy **${plain(name)}** (${plain(weightsText(allocation))}). It is in [Strategies](/strategies); run it in the [Backtest Studio](/backtest) to see its figures.`
    },
  })
