import { type SignalTarget, targetKey, targetName, targetRows } from '@tradewright/core/external-signal'
import { epochDayOf, formatDate, type UtcMillis } from '@tradewright/core/time'
import { type Allocation, readAllocation, targetWeights } from '../trading/allocation.ts'
import { type AccountRun, runAccount, type RunConditions } from './account-run.ts'
import type { ExternalPlan } from './plan.ts'

/** What is held by the last signal that was received until an instant, or before the first one. */
export interface KnownSignal {
  /** Null before the first one. */
  readonly receivedAt: UtcMillis | null
  /** Null: all in cash. */
  readonly target: SignalTarget | null
  readonly key: string
}

export function signalKnownAt({ strategy }: ExternalPlan, at: UtcMillis): KnownSignal {
  const known = strategy.signals.findLast((signal) => signal.at <= at)
  const first = strategy.initial === null ? null : { allocation: strategy.initial }
  const target = known ? known.target : first
  return { receivedAt: known?.at ?? null, target, key: targetKey(target) }
}

/** Percentages by ticker; none is all in cash. */
export function allocationOf({ strategy }: ExternalPlan, target: SignalTarget | null): Allocation {
  const rows = targetRows(strategy, target)
  return rows.length === 0 ? new Map() : readAllocation(rows)
}

/** Trades when the target changes. `knownAt`: until when a signal must have been received, by bar. */
export function decideByTargets(
  plan: ExternalPlan,
  tickers: readonly string[],
  knownAt: (bar: number) => UtcMillis | undefined,
): (bar: number) => Float64Array | undefined {
  let held: string | undefined
  return (bar) => {
    const at = knownAt(bar)
    if (at === undefined) return undefined
    const { key, target } = signalKnownAt(plan, at)
    if (key === held) return undefined
    held = key
    return targetWeights(allocationOf(plan, target), tickers)
  }
}

/** A signal counts from the first bar that is decided after it was received. */
export function runExternal(plan: ExternalPlan, conditions: RunConditions): AccountRun {
  const { prices, decisionAt } = conditions.table
  return runAccount(
    conditions,
    prices,
    { from: 0, to: prices.timestamps.length },
    {
      decide: decideByTargets(plan, prices.tickers, (bar) => decisionAt[bar]),
      fillTiming: conditions.settings.fillTiming,
      rebalance: true,
    },
  )
}

export function externalNotes(plan: ExternalPlan, decisionAt: Float64Array): string[] {
  const { signals, initial } = plan.strategy
  const before = `Until the first signal it holds ${targetName(initial === null ? null : { allocation: initial })}.`
  const used = signals.filter(({ at }) => at <= decisionAt.at(-1)!)
  const [first, last] = [used[0], used.at(-1)]
  if (!first || !last) return [`There is no signal in this period. ${before}`]
  const changes = used.filter(({ target }, i) => targetKey(target) !== targetKey(used[i - 1]?.target ?? null)).length
  const span = `from ${formatDate(epochDayOf(first.at))} to ${formatDate(epochDayOf(last.at))}`
  return [
    `${used.length} ${used.length === 1 ? 'signal' : 'signals'} ${span} (${changes} of them new targets) decided this run, each ` +
      `from the first bar that is decided after its time. ${before}`,
  ]
}
