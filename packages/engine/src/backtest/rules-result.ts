import type { FillTiming } from '@tradewright/core/backtest-settings'
import type { Column } from '@tradewright/core/column'
import type { SilentBlock } from '../rules/silent-blocks.ts'
import type { TruncationVerdict } from './honesty/truncation-check.ts'

/** Something that was different at a check from the one before. */
export interface RuleChange {
  /** The place of the check. */
  readonly check: number
  /** The block or condition. */
  readonly id: string
  /** The member that a pick's condition was asked for; undefined elsewhere. */
  readonly ticker: string | undefined
  readonly what: 'answer' | 'branch' | 'choice' | 'rebalance'
  /** In words of the tree: yes, no, tickers, or the reason of a rebalance; empty where there was nothing. */
  readonly now: string
  readonly before: string
  /** Both sides of a comparison. */
  readonly left: number | undefined
  readonly right: number | undefined
}

/** What one block did over the run. */
export interface BlockActivity {
  readonly id: string
  /** Checks after which it was held. */
  readonly checksHeld: number
  readonly rebalances: number
  /** Bought and sold by it over the whole run, in values of the account. */
  readonly turnover: number
}

export interface RulesTruncation extends TruncationVerdict {
  /** Checks that were made again from less data. */
  readonly checkedDecisions: number
  /** Those of them that came out differently. */
  readonly failedDecisions: number
}

/** What a backtest of rules found out beside its account. Columns are by check. */
export interface RulesResult {
  readonly timestamps: Float64Array
  /** 1 where the account is brought to the weights, which trades nothing where it has them already: see `tradedChecks`. */
  readonly trades: Int8Array
  readonly tickers: readonly string[]
  /** By ticker; what is missing to 1 is cash. */
  readonly weights: readonly Column[]
  /** Which way through the tree was taken: `trend yes`. */
  readonly ways: readonly string[]
  /** The place in `ways`. */
  readonly way: Int32Array
  readonly blocks: readonly BlockActivity[]
  /** Oldest first. Of very many the newest. */
  readonly changes: readonly RuleChange[]
  readonly changesLeftOut: number
  /** After the last check; null is no answer. Lists, since a record by ids of the tree would have any key. */
  readonly answers: readonly {
    readonly id: string
    readonly ticker: string | undefined
    readonly answer: boolean | null
  }[]
  readonly branches: readonly { readonly id: string; readonly branch: string }[]
  readonly featureLabels: readonly string[]
  /** Absent where every block had values. */
  readonly silent?: readonly SilentBlock[]
  readonly honesty: { readonly truncation: RulesTruncation }
}

/** Columns of a stored result are lists. */
type Stored = ArrayLike<number | null>

/**
 * True at the checks whose fill traded. One that brings the account to weights which it has already trades nothing, nor does
 * one whose fill lies after the end of the run.
 */
export function tradedChecks(
  { timestamps, trades }: { readonly timestamps: Stored; readonly trades: Stored },
  account: {
    readonly curve: { readonly timestamps: Stored }
    readonly trades: readonly { readonly timestamp: number }[]
    readonly settings: { readonly fillTiming: FillTiming }
  },
): boolean[] {
  const bars = account.curve.timestamps
  const traded = new Set(account.trades.map(({ timestamp }) => timestamp))
  const later = account.settings.fillTiming === 'same_close' ? 0 : 1
  let bar = 0
  return Array.from(trades, (asked, check) => {
    while (bar < bars.length && bars[bar]! < timestamps[check]!) bar++
    const filledAt = bars[bar + later]
    return asked === 1 && typeof filledAt === 'number' && traded.has(filledAt)
  })
}
