import { hasBlocks } from '@tradewright/core/strategy-kinds'
import type { BacktestResult as WireResult } from '@tradewright/contract/backtest-result'
import type { Granularity } from '@tradewright/core/granularity'
import { describeRules } from '@tradewright/core/rules/describe'
import { tradedChecks } from '@tradewright/engine/backtest/rules-result'
import { featureName } from '@tradewright/engine/features/catalogue'
import type { BacktestReport } from '../../../backtests/report.ts'
import { barDates } from '../../answer/bar-dates.ts'
import { columnToWire, fullColumnToWire } from '../../answer/column-wire.ts'

export function rulesToWire({ run, result }: BacktestReport, granularity: Granularity): WireResult['rules'] {
  const { strategy } = run.request
  const { rules } = result
  if (!hasBlocks(strategy) || !rules) return null
  const dates = barDates({ granularity, timestamps: rules.timestamps })
  const { truncation } = rules.honesty
  return {
    tree: { ...strategy.tree },
    reading: describeRules(strategy.tree, featureName),
    check_dates: dates,
    trades_history: tradedChecks(rules, result),
    weights: rules.tickers.map((ticker, i) => ({ ticker, history: columnToWire(rules.weights[i]!) })),
    ways: [...rules.ways],
    way_history: fullColumnToWire(rules.way),
    blocks: rules.blocks.map(({ id, checksHeld, rebalances, turnover }) => ({
      id,
      checks_held: checksHeld,
      rebalances,
      turnover,
    })),
    changes: rules.changes.map(({ check, id, ticker, what, before, now, left, right }) => ({
      date: dates[check]!,
      block: id,
      ticker: ticker ?? null,
      what,
      before,
      now,
      left: left ?? null,
      right: right ?? null,
    })),
    changes_left_out: rules.changesLeftOut,
    answers: rules.answers.map(({ id, ticker, answer }) => ({ block: id, ticker: ticker ?? null, answer })),
    silent_blocks: (rules.silent ?? []).map(({ id, sentence }) => ({ block: id, sentence })),
    honesty: {
      truncation: {
        passed: truncation.passed,
        checked_instants: truncation.checkedInstants,
        failed_features: [...truncation.failedFeatures],
        checked_decisions: truncation.checkedDecisions,
        failed_decisions: truncation.failedDecisions,
      },
    },
  }
}
