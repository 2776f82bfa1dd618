/**
 * When an order that a broker did not take, or took back, may be sent again: `now` within seconds, `later` after a growing
 * pause, `next-session` not on this day, `ask` when its user says so.
 */
export type TryAgain = 'now' | 'later' | 'next-session' | 'ask'

/** A broker's reasons in its own words, and what they mean; the first that fits counts. */
export type RefusalTable = readonly {
  readonly words: RegExp
  readonly again: TryAgain
  /** Set on the Problem, where the order path has an answer of its own. */
  readonly code?: string
}[]

const entryOf = (table: RefusalTable, reason: string) => table.find(({ words }) => words.test(reason))

/** A reason that is in no table may pass: it is tried again, and told each time. */
export const tryAgainAfter = (table: RefusalTable | undefined, reason: string): TryAgain =>
  entryOf(table ?? [], reason)?.again ?? 'later'

export const refusalCode = (table: RefusalTable, reason: string): string | undefined => entryOf(table, reason)?.code
