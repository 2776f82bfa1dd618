import { type EpochDay, formatDate } from '@tradewright/core/time'
import type { BacktestResult } from './result.ts'

export interface NoteFacts {
  /** The series that borrowing was charged by; undefined when none was at hand. */
  readonly borrowingRate: string | undefined
  /** Percents of the account that the strategy invests at most. */
  readonly investedPct: number
  /** The first session of the range that was asked for. */
  readonly expectedStart: EpochDay
}

/** Where the prices were made up. Whoever says so in other words leaves it out. */
export const MADE_UP_PRICES =
  'Made-up prices of the sample market were used: this result says nothing about the real world.'

/** What the reader of the figures should know, each as a sentence. */
export function notesOf(result: Omit<BacktestResult, 'notes'>, facts: NoteFacts): string[] {
  const { borrowingRate, investedPct, expectedStart } = facts
  const { settings, actualStart, limitingTicker, wipedOut, ml } = result
  const notes: string[] = []
  if (result.synthetic) notes.push(MADE_UP_PRICES)
  if (actualStart > expectedStart && limitingTicker !== undefined) {
    notes.push(`The data begins on ${formatDate(actualStart)}, when ${limitingTicker} has its first price.`)
  }
  if (investedPct > 100) notes.push(borrowingNote(investedPct, borrowingRate))
  if (investedPct < 100) notes.push(`${round(100 - investedPct)} % of the account stay in cash, which earns nothing.`)
  if (ml && settings.fillTiming === 'same_close') {
    notes.push('Filled at the same close that the decision needed: this is optimistic.')
  }
  if (wipedOut) {
    const why = wipedOut.by === 'loss' ? 'Everything was lost' : 'Everything was withdrawn'
    notes.push(`${why} on ${formatDate(wipedOut.day)}; the account stays at zero from there.`)
  }
  return notes
}

function borrowingNote(investedPct: number, rate: string | undefined): string {
  const charged =
    rate === undefined ? 'at the spread alone, since no interest rate is at hand' : `at ${rate} and a spread`
  return `${round(investedPct - 100)} % of the account are borrowed, ${charged}.`
}

const round = (pct: number): number => Math.round(pct * 100) / 100
