import { kindNamed } from '@tradewright/core/strategy-kinds'
import { z } from 'zod'
import { type QuickAction, type Topic, buttonFor, type Caller } from '../action.ts'
import type { runBacktestAction, createStrategyAction } from '../actions.ts'
import type { MarketTools } from '../tools/market-tools.ts'
import type { StrategyTools } from '../tools/strategy-tools.ts'
import { date, paragraphs, percent, plain, syntheticNote, table } from '../words.ts'
import { commonEndWords, weightsIn } from './market-topics.ts'
import type { BacktestTools } from '../tools/backtest-tools.ts'
import { backtestWords } from './backtest-topics.ts'

interface MixDeps {
  readonly strategies: StrategyTools
  readonly market: MarketTools
  readonly runBacktest: ReturnType<typeof runBacktestAction>
  /** `YYYY-MM-DD` so many days before today. */
  readonly daysAgo: (days: number) => string
}

const Allocations = z.array(z.object({ ticker: z.string(), allocation: z.number() })).min(2)
const TEST_DAYS = 5 * 365

/** Risk parity in its simplest form: percentages in inverse proportion to volatility, so that each part moves alike. */
export function portfolioMix(deps: MixDeps): { topic: Topic; optimize: QuickAction } {
  const answer = (caller: Caller) => mixWords(deps, caller)
  return {
    topic: {
      example: 'How could I balance the risk of my portfolio?',
      matches: (words) =>
        /\b(optimi[sz]e|rebalance|diversif|balance)/.test(words) && /portfolio|allocation|mix|risk/.test(words),
      answer,
    },
    optimize: {
      type: 'optimize_portfolio',
      label: 'Optimize Portfolio',
      prompt:
        'Look at my best asset allocation strategy: how volatile its parts are and how they are correlated. Suggest a mix that balances the risk, explain why, and offer a button that backtests it.',
      answer,
    },
  }
}

async function mixWords(deps: MixDeps, caller: Caller): Promise<string> {
  const found = await firstMix(deps.strategies, caller)
  if (!found) {
    return 'Optimizing needs an Asset Allocation strategy with at least two tickers. Save one in the [Backtest Studio](/backtest), or search for ML features in the [Optimizer](/optimizer).'
  }
  const tickers = found.rows.map(({ ticker }) => ticker)
  const compared = await deps.market.compareQuotes.run(caller, { tickers: tickers.slice(0, 12) })
  const { quotes, missing, common_end_date: end, limited_by } = compared
  const measured = quotes.filter(({ volatility_1_year }) => volatility_1_year !== null && volatility_1_year > 0)
  if (measured.length < 2) {
    return paragraphs(
      `The parts of **${plain(found.name)}** cannot be measured: there are too few prices.`,
      missing.map(({ reason }) => `- ${plain(reason)}`).join('\n'),
    )
  }
  const weights = inverseVolatility(measured.map(({ volatility_1_year }) => volatility_1_year!))
  const allocation = measured.map(({ ticker }, index) => ({ ticker, percent: weights[index]! }))
  const now = new Map(found.rows.map(({ ticker, allocation: weight }) => [ticker.toUpperCase(), weight]))
  const run = {
    name: `${found.name} risk-balanced`.slice(0, 200),
    allocation,
    start_date: deps.daysAgo(TEST_DAYS),
    end_date: deps.daysAgo(0),
    rebalance: 'yearly' as const,
  }
  return paragraphs(
    `A mix of **${plain(found.name)}** in which each part contributes about the same risk, from the volatility of ${limited_by.length > 0 ? `the year to ${date(end!)}` : 'the last year'}:`,
    table(
      ['Ticker', 'Now', 'Balanced', 'Volatility'],
      measured.map(({ ticker, volatility_1_year }, index) => [
        plain(ticker),
        `${now.get(ticker) ?? 0}%`,
        `${weights[index]}%`,
        percent(volatility_1_year),
      ]),
    ),
    commonEndWords(end, limited_by),
    syntheticNote(measured),
    'It ignores correlations and expected returns, and last year’s volatility may not last: test it before you believe it.',
    buttonFor(deps.runBacktest, run),
  )
}

async function firstMix({ listStrategies, getStrategy }: StrategyTools, caller: Caller) {
  const { strategies } = await listStrategies.run(caller, {})
  for (const { strategy_id, name, type } of strategies) {
    if (!kindNamed(type).isFixed) continue
    const { settings } = await getStrategy.run(caller, { strategy_id })
    const rows = Allocations.safeParse(settings['allocations'])
    if (rows.success) return { name, rows: rows.data }
  }
  return undefined
}

/** Whole percentages that add up to 100. */
export function inverseVolatility(volatilities: readonly number[]): number[] {
  const inverse = volatilities.map((one) => 1 / one)
  const sum = inverse.reduce((total, one) => total + one, 0)
  const exact = inverse.map((one) => (one / sum) * 100)
  const whole = exact.map(Math.floor)
  const byRemainder = exact.map((one, index) => [one - whole[index]!, index] as const).sort((a, b) => b[0] - a[0])
  const left = 100 - whole.reduce((total, one) => total + one, 0)
  for (const [, index] of byRemainder.slice(0, left)) whole[index]! += 1
  return whole
}

interface WhatIfDeps {
  readonly backtests: Pick<BacktestTools, 'runBacktest'>
  readonly runBacktest: ReturnType<typeof runBacktestAction>
  readonly createStrategy: ReturnType<typeof createStrategyAction>
  readonly daysAgo: (days: number) => string
}

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
