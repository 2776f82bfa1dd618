import { stripVTControlCharacters } from 'node:util'

/** Steers a terminal, hides text, or turns its direction around. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Text of a server, such as the name of a strategy, as a terminal may show it. */
export const plain = (text: string): string => stripVTControlCharacters(text).replaceAll(UNSEEN, ' ')

/** One line; what a terminal would obey is written as \uXXXX, which reads back as the same text. */
export const jsonLine = (value: unknown): string =>
  JSON.stringify(value).replaceAll(UNSEEN, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  )

/** The part of a stream that is written to; `isTTY` and `columns` are there on a terminal only. */
export interface Writable {
  write(text: string): unknown
  isTTY?: boolean
  columns?: number
}

type Colour = 'bold' | 'red' | 'green' | 'yellow' | 'dim'
const COLOURS: Record<Colour, number> = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 }

interface OutputSettings {
  stdout: Writable
  stderr: Writable
  env: Record<string, string | undefined>
  json: boolean
}

const BAR_WIDTH = 24

/** Results on stdout, everything about the way there on stderr. */
export class Output {
  readonly json: boolean
  readonly #stdout: Writable
  readonly #stderr: Writable
  readonly #hasColour: boolean
  readonly #hasBar: boolean
  #barShown = false

  constructor({ stdout, stderr, env, json }: OutputSettings) {
    this.json = json
    this.#stdout = stdout
    this.#stderr = stderr
    const isDumb = env['TERM'] === 'dumb'
    this.#hasColour = stdout.isTTY === true && !env['NO_COLOR'] && !isDumb
    this.#hasBar = stderr.isTTY === true && !isDumb
  }

  /** A document for programs, or lines for people. */
  result(document: unknown, lines: () => readonly string[]): void {
    this.clearProgress()
    this.#stdout.write(
      this.json
        ? `${jsonLine(document)}\n`
        : lines()
            .map((line) => `${line}\n`)
            .join(''),
    )
  }

  /** As it is: a script, or a file that was asked for on stdout. */
  raw(text: string): void {
    this.clearProgress()
    this.#stdout.write(text)
  }

  /** Beside the result; programs have it in the document. */
  note(sentence: string): void {
    if (this.json) return
    this.clearProgress()
    this.#stderr.write(`${plain(sentence)}\n`)
  }

  error(sentence: string): void {
    this.clearProgress()
    this.#stderr.write(`tradewright: ${plain(sentence)}\n`)
  }

  /** `fraction` from 0 to 1, or null where it is not known. Nothing is shown where stderr is no terminal. */
  progress(fraction: number | null, note: string): void {
    if (!this.#hasBar) return
    const filled = Math.round(Math.min(1, Math.max(0, fraction ?? 0)) * BAR_WIDTH)
    const percent = fraction === null ? '' : `${Math.floor(Math.min(1, Math.max(0, fraction)) * 100)}%`
    const bar = `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}] ${percent.padStart(4)} `
    const room = Math.max(10, (this.#stderr.columns || 80) - bar.length - 1)
    this.#stderr.write(`\r\u001b[K${bar}${charactersOf(plain(note)).slice(0, room).join('')}`)
    this.#barShown = true
  }

  clearProgress(): void {
    if (this.#barShown) this.#stderr.write('\r\u001b[K')
    this.#barShown = false
  }

  paint(colour: Colour, text: string): string {
    return this.#hasColour ? `\u001b[${COLOURS[colour]}m${text}\u001b[0m` : text
  }
}

interface Column {
  title: string
  align?: 'right'
}

/** Cells are cleaned here, so that no caller forgets it. A table without titles has no head. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string[] {
  const head = columns.some(({ title }) => title !== '') ? [columns.map(({ title }) => title)] : []
  const cells = [...head, ...rows].map((row) => row.map(plain))
  const widths = columns.map((_, at) => Math.max(...cells.map((row) => lengthOf(row[at] ?? ''))))
  return cells.map((row) =>
    row
      .map((cell, at) => {
        const space = ' '.repeat(widths[at]! - lengthOf(cell))
        return columns[at]?.align === 'right' ? space + cell : cell + space
      })
      .join('  ')
      .trimEnd(),
  )
}

/** As they are seen: an accent or a flag is one with its letter. */
const segmenter = new Intl.Segmenter()
const charactersOf = (text: string): string[] => Array.from(segmenter.segment(text), ({ segment }) => segment)
const lengthOf = (text: string): number => charactersOf(text).length
