/** Enough of a file to hold its first line. */
export const HEAD_BYTES = 64 * 1024

const DELIMITERS = [',', ';', '\t', '|'] as const

/** The names in the first line; none when the first line holds values already. */
export function headersOf(head: string): string[] {
  const [line = ''] = head.replace(/^\uFEFF/, '').split(/\r?\n/, 1)
  const delimiter = DELIMITERS.toSorted((a, b) => line.split(b).length - line.split(a).length)[0]!
  const names = cells(line, delimiter)
  const isHeader = names.some((name) => name !== '' && !/\d{4}/.test(name) && Number.isNaN(Number(name)))
  return isHeader ? names : []
}

/** Quoted cells may hold the delimiter, and a quote as two. */
function cells(line: string, delimiter: string): string[] {
  const found: string[] = []
  let cell = ''
  let isQuoted = false
  for (let at = 0; at < line.length; at++) {
    const letter = line[at]!
    if (letter === '"' && isQuoted && line[at + 1] === '"') {
      cell += '"'
      at++
    } else if (letter === '"') {
      isQuoted = !isQuoted
    } else if (letter === delimiter && !isQuoted) {
      found.push(cell.trim())
      cell = ''
    } else {
      cell += letter
    }
  }
  return [...found, cell.trim()]
}

/** The meanings of a column; the first leaves it to the server. */
export const MEANINGS = [
  '',
  'date',
  'time',
  'open',
  'high',
  'low',
  'close',
  'volume',
  'dividend',
  'split',
  'value',
  'known_at',
  'currency',
  'exchange',
] as const

const PRICES = /^(o|h|l|c|open|high|low|close|last|price|closing price|opening price|close\/last|adj(usted)? ?close)$/i

/** Whether a file seems to hold prices: they are known at their close, other values when they are published. */
export const seemsPriced = (headers: readonly string[], choice: Readonly<Record<string, string>>): boolean =>
  headers.length === 0 ||
  headers.some((header) => {
    const meaning = choice[header] ?? ''
    return PRICES.test((meaning === '' ? header : meaning).replaceAll(/[_*]+/g, ' ').trim())
  })

export const LEFT_OUT = 'left out'
export const OWN_COLUMN = 'kept'

/** The name under which features and targets find a column that is kept. */
export function columnName(header: string): string {
  const words = header
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
  return (/^[a-z]/.test(words) ? words : `c_${words}`).slice(0, 41)
}

/** Only what was chosen by hand is sent; an empty meaning leaves the column out. */
export const columnsOf = (choice: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(choice)
      .filter(([, meaning]) => meaning !== '')
      .map(([header, meaning]) => [
        header,
        meaning === LEFT_OUT ? '' : meaning === OWN_COLUMN ? columnName(header) : meaning,
      ]),
  )

/** `AAPL` of `AAPL.csv`, `BTC-USD` of `btc-usd (1).csv`. */
export const tickerOfFile = (name: string): string =>
  name
    .replace(/\.[^.]*$/, '')
    .replace(/\s*\(\d+\)$/, '')
    .trim()
    .toUpperCase()
