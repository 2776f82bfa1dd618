import type { Column } from '@tradewright/core/column'
import { Problem } from '@tradewright/core/problem'
import type { StudyMeasure } from '@tradewright/core/rules/study'
import type { RulesTree } from '@tradewright/core/rules/tree'
import type { AccountRun } from '../backtest/account-run.ts'
import { withStart } from '../backtest/metrics.ts'
import { cagr } from '../performance/cagr.ts'
import { calmar } from '../performance/calmar.ts'
import { maxDrawdown } from '../performance/drawdown.ts'
import { type Figure, isAvailable } from '../performance/figure.ts'
import { isConstant, sampleDeviation } from '../performance/moments.ts'
import { type TrackRecord, trackRecordOf } from '../performance/probabilistic-sharpe.ts'
import { excessReturns, simpleReturns } from '../performance/returns.ts'
import { sharpe } from '../performance/sharpe.ts'
import type { StudyBench } from './bench.ts'
import { plannedVariant } from './plan.ts'

/** Null where a figure has no value. */
export type StudyFigures = Readonly<Record<StudyMeasure, number | null>>

export interface VariantFigures {
  readonly inSample: StudyFigures
  /** Null where nothing is held back. */
  readonly holdOut: StudyFigures | null
  /** Per bar of the in-sample part: of the returns over those of holding, both at a volatility of one. */
  readonly activeSharpe: number | null
}

/** Figures, or the sentence that says why there are none. */
export type VariantResult = VariantFigures | { readonly problem: string }

/** Runs one variant by the functions of a rule backtest. Pure: the same on every thread. */
export function evaluateVariant(bench: StudyBench, tree: RulesTree): VariantResult {
  const account = variantAccount(bench, tree)
  if (account instanceof Problem) return { problem: account.message }
  return { ...figuresOf(bench, account), activeSharpe: activeRecord(bench, account)?.sharpePerPeriod ?? null }
}

/** Valid until the next variant is run. */
export function variantAccount(bench: StudyBench, tree: RulesTree): AccountRun | Problem {
  const planned = plannedVariant(bench, tree)
  if (planned instanceof Problem) return planned
  const { strategy } = planned
  if (strategy.kind !== 'rules') throw new Error('a variant of rules is rules')
  const account = bench.accounts.run(strategy.program)
  if (account.result.wipedOutBy !== 'withdrawal') return account
  return new Problem('invalid', 'study.withdrawn', 'The withdrawals used the account up.')
}

/** In-sample and hold-out of one run: decisions never look ahead, so the first part is the same without the second. */
export function figuresOf(bench: StudyBench, account: AccountRun): Omit<VariantFigures, 'activeSharpe'> {
  const { holdOutBar } = bench
  const bars = account.growth.length
  return {
    inSample: figuresOver(bench, account, { from: 0, to: holdOutBar }),
    // From the last close before it, so that its first return counts.
    holdOut: holdOutBar < bars ? figuresOver(bench, account, { from: holdOutBar - 1, to: bars }) : null,
  }
}

function figuresOver(
  { barsPerYear, riskFree }: StudyBench,
  { growth, prices }: AccountRun,
  { from, to }: { from: number; to: number },
): StudyFigures {
  const start = from === 0 ? 1 : growth[from]!
  // Nothing was left to earn with.
  if (!(start > 0)) return { sharpe: null, cagr: null, calmar: null, maxDrawdown: null }
  const part = growth.subarray(from, to).map((value) => value / start)
  const days = prices.days[to - 1]! - prices.days[from]!
  const yearly = cagr(part.at(-1) ?? 1, days)
  const deepest = maxDrawdown(withStart(part)).depth
  const free = riskFree?.subarray(from, to - 1)
  return {
    sharpe: valueOrNull(sharpe(simpleReturns(part), { periodsPerYear: barsPerYear, ...(free && { riskFree: free }) })),
    cagr: valueOrNull(yearly),
    calmar: valueOrNull(calmar(yearly, deepest)),
    maxDrawdown: deepest,
  }
}

const valueOrNull = (figure: Figure): number | null => (isAvailable(figure) ? figure : null)

/**
 * In-sample returns over those of holding, both brought to the same volatility, so that its Sharpe ratio asks whether the
 * variant has the better one: what the tickers earn by themselves is no merit of the rules, and less risk is one.
 */
export function activeRecord(bench: StudyBench, account: AccountRun): TrackRecord | undefined {
  if (!bench.holding) return undefined
  const own = scaledExcess(bench, account)
  const held = scaledExcess(bench, bench.holding)
  return own && held && trackRecordOf(own.map((earned, step) => earned - held[step]!))
}

function scaledExcess({ riskFree, holdOutBar }: StudyBench, { growth }: AccountRun): Column | undefined {
  const returns = simpleReturns(growth.subarray(0, holdOutBar))
  const excess = excessReturns(returns, riskFree?.subarray(0, holdOutBar - 1) ?? 0)
  if (isConstant(excess)) return undefined
  const deviation = sampleDeviation(excess)
  return excess.map((earned) => earned / deviation)
}
