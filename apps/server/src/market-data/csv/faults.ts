import { Problem } from '@tradewright/core/problem'

interface RowFault {
  readonly line: number
  /** "close is "abc", which is not a number" */
  readonly what: string
}

const SHOWN_FAULTS = 5
/** Reading stops here: a file of another kind has a fault in every row. */
export const MAX_FAULTS = 100

/** Faults in the rows of a file, by line. */
export class FaultList {
  readonly #shown: RowFault[] = []
  #count = 0

  /** Refuses the file at once when there are too many to go on. */
  add(fault: RowFault): void {
    if (this.#count < SHOWN_FAULTS) this.#shown.push(fault)
    if (++this.#count >= MAX_FAULTS) throw this.#problem('; and more')
  }

  /** Refuses the file when anything is wrong with it. */
  refuse(): void {
    if (this.#count === 0) return
    const rest = this.#count - SHOWN_FAULTS
    throw this.#problem(rest > 0 ? `; and ${rest} more` : '')
  }

  #problem(more: string): Problem {
    const lines = this.#shown.map(({ line, what }) => `line ${line}: ${what}`)
    return new Problem('invalid', 'csv.rows', `Nothing was imported. In ${lines.join('; ')}${more}.`)
  }
}

const SHOWN_CHARACTERS = 60

/** Text of the file inside a sentence. */
export const shortened = (text: string): string =>
  text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)}…`
