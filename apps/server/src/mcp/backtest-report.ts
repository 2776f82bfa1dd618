import type { BacktestFacts } from '../assistant/tools/backtest-facts.ts'
import { backtestWords } from '../assistant/topics/backtest-words.ts'
import { paragraphs, signedPercent, table } from '../assistant/words.ts'

/** A result in words, for a reader without our charts. */
export const backtestSummary = (name: string, facts: BacktestFacts): string =>
  backtestWords(name, { ...facts, curve: [] })

export const backtestReport = (name: string, facts: BacktestFacts): string =>
  paragraphs(
    backtestSummary(name, facts),
    facts.yearly_returns.length > 0 &&
      table(
        ['Year', 'Return'],
        facts.yearly_returns.map(({ year, return: earned }) => [String(year), signedPercent(earned)]),
      ),
  )
