type NoteLevel = 'info' | 'warning' | 'error'

/**
 * Something that users are told. Programs go by `code`, `level` says how urgent it is, and `sentence` is for people
 * alone: it may be reworded without any other effect.
 */
export interface Note<Code extends string = string> {
  readonly code: Code
  readonly level: NoteLevel
  readonly sentence: string
  /** What it is about, where that is one ticker. */
  readonly ticker?: string
}
