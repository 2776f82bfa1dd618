import { buttonFor } from '../action-tags.ts'
import type { createStrategyAction } from '../actions/create-strategy.ts'
import type { runBacktestAction } from '../actions/run-backtest.ts'
import type { Topic } from '../area.ts'
import type { BacktestTools } from '../tools/backtest-tools.ts'
import { paragraphs } from '../words.ts'
import { backtestWords } from './backtest-words.ts'
import { weightsIn } from './tickers-in.ts'

interface WhatIfDeps {
  readonly backtests: Pick<BacktestTools, 'runBacktest'>
  readonly runBacktest: ReturnType<typeof runBacktestAction>
  readonly createStrategy: ReturnType<typeof createStrategyAction>
  readonly daysAgo: (days: number) => string
}

const TEST_DAYS = 5 * 365

/** Computes a mix that the question names; to keep it takes a button. */
export const whatIfTopic = ({ backtests, runBacktest, createStrategy, daysAgo }: WhatIfDeps): Topic => ({
  example: 'What if I held 60% SPY and 40% TLT?',
  matches: (_, question) => weightsIn(question).length > 0,
  async answer(caller, question) {
    const allocation = weightsIn(question)
    const run = { allocation, start_date: daysAgo(TEST_DAYS), end_date: daysAgo(0), rebalance: 'yearly' as const }
    const name = allocation.map(({ ticker, percent }) => `${ticker} ${percent}%`).join(', ')
    const facts = await backtests.runBacktest.run(caller, run)
    return paragraphs(
      backtestWords(name, facts),
      'Nothing was saved. The run is under Recent runs in the Studio.',
      [buttonFor(runBacktest, { ...run, name }), buttonFor(createStrategy, { name, allocation })].join('\n'),
    )
  },
})
