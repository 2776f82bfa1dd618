/** A CSV file as text cells, with the line each row began on, for messages. */
export interface CsvTable {
  readonly delimiter: string
  readonly rows: readonly CsvRow[]
}

export interface CsvRow {
  readonly line: number
  readonly cells: readonly string[]
}

const DELIMITERS = [',', ';', '\t', '|']

/** RFC 4180 with the delimiters that spreadsheets of other countries write. Blank lines are skipped. */
export function readCsvTable(text: string): CsvTable {
  const source = text.replace(/^\uFEFF/, '')
  const delimiter = detectDelimiter(source)
  const rows: CsvRow[] = []
  let [cells, cell, line, startLine]: [string[], string, number, number] = [[], '', 1, 1]
  const endRow = () => {
    cells.push(cell.trim())
    if (cells.some((text) => text !== '')) rows.push({ line: startLine, cells })
    ;[cells, cell] = [[], '']
  }
  for (let i = 0; i < source.length; i++) {
    const character = source[i]!
    if (character === '"' && cell.trim() === '') {
      const quoted = readQuoted(source, i)
      cell = quoted.text
      line += quoted.lineBreaks
      i = quoted.end
    } else if (character === delimiter) {
      cells.push(cell.trim())
      cell = ''
    } else if (character === '\n') {
      endRow()
      startLine = ++line
    } else cell += character
  }
  endRow()
  return { delimiter, rows }
}

/** From an opening quote to its closing one; a doubled quote is a quote. An unclosed one takes the rest. */
function readQuoted(source: string, start: number): { text: string; end: number; lineBreaks: number } {
  let text = ''
  let i = start + 1
  for (; i < source.length; i++) {
    if (source[i] !== '"') text += source[i]
    else if (source[i + 1] === '"') text += source[i++]
    else break
  }
  return { text, end: i, lineBreaks: text.split('\n').length - 1 }
}

function detectDelimiter(source: string): string {
  const firstLine = source.trimStart().split('\n', 1)[0] ?? ''
  const counts = DELIMITERS.map((delimiter) => firstLine.split(delimiter).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))]!
}
