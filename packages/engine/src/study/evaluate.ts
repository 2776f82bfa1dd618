import type { Column } from '@tradewright/core/column'
import { Problem } from '@tradewright/core/problem'
import type { StudyMeasure } from '@tradewright/core/rules/study'
import type { RulesTree } from '@tradewright/core/rules/tree'
import { type AccountRun, unmeasurableFlow } from '../backtest/account-run.ts'
import { withStart } from '../backtest/metrics.ts'
import { cagr } from '../performance/cagr.ts'
import { calmar } from '../performance/calmar.ts'
import { maxDrawdown } from '../performance/drawdown.ts'
import { type Figure, isAvailable } from '../performance/figure.ts'
import { sharpePerPeriodOf, type TrackRecord, trackRecordOf } from '../performance/probabilistic-sharpe.ts'
import { simpleReturns } from '../performance/returns.ts'
import { sharpe } from '../performance/sharpe.ts'
import { scaledExcess, type StudyMarket } from './study-market.ts'
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
export function evaluateVariant(market: StudyMarket, tree: RulesTree): VariantResult {
  const account = variantAccount(market, tree)
  if (account instanceof Problem) return { problem: account.message }
  const active = activeReturns(market, account)
  return { ...figuresOf(market, account), activeSharpe: (active && sharpePerPeriodOf(active)) ?? null }
}

/** Valid until the next variant is run. */
export function variantAccount(market: StudyMarket, tree: RulesTree): AccountRun | Problem {
  const planned = plannedVariant(market, tree)
  if (planned instanceof Problem) return planned
  const { strategy } = planned
  if (strategy.kind !== 'rules') throw new Error('a variant of rules is rules')
  const account = market.accounts.run(strategy.program)
  const unmeasurable = unmeasurableFlow(account)
  if (unmeasurable) return unmeasurable
  if (account.result.wipedOutBy !== 'withdrawal') return account
  return new Problem('invalid', 'study.withdrawn', 'The withdrawals used up the account.')
}

/** In-sample and hold-out of one run: decisions never look ahead, so the first part is the same without the second. */
export function figuresOf(market: StudyMarket, account: AccountRun): Omit<VariantFigures, 'activeSharpe'> {
  const { holdOutBar } = market
  const bars = account.growth.length
  return {
    inSample: figuresOver(market, account, { from: 0, to: holdOutBar }),
    // From the last close before it, so that its first return counts.
    holdOut: holdOutBar < bars ? figuresOver(market, account, { from: holdOutBar - 1, to: bars }) : null,
  }
}

function figuresOver(
  { barsPerYear, riskFree }: StudyMarket,
  { growth, prices }: AccountRun,
  { from, to }: { from: number; to: number },
): StudyFigures {
  const start = from === 0 ? 1 : growth[from]!
  // Nothing was left to earn with.
  if (!(start > 0)) return { sharpe: null, cagr: null, calmar: null, maxDrawdown: null }
  const part = new Float64Array(to - from)
  for (let i = 0; i < part.length; i++) part[i] = growth[from + i]! / start
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
function activeReturns({ holdingExcess, riskFree, holdOutBar }: StudyMarket, account: AccountRun): Column | undefined {
  if (!holdingExcess) return undefined
  const active = scaledExcess(account, riskFree, holdOutBar)
  if (active) for (let step = 0; step < active.length; step++) active[step]! -= holdingExcess[step]!
  return active
}

export function activeRecord(market: StudyMarket, account: AccountRun): TrackRecord | undefined {
  const active = activeReturns(market, account)
  return active && trackRecordOf(active)
}
