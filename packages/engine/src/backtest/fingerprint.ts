import type { SeriesTable } from '../market/series.ts'

/**
 * Names the data of a run: equal fingerprints mean that every stamp and every value was the same, to the last bit.
 * Two 32-bit FNV-1a sums over the words of the columns; it guards against change, not against forgery.
 */
export function fingerprintOf(tables: Iterable<SeriesTable>): string {
  const inOrder = [...tables].sort((a, b) => (a.ticker < b.ticker ? -1 : 1))
  const sums: Sums = { low: 0x811c9dc5, high: 0x01000193 }
  for (const { ticker, granularity, timestamps, columns } of inOrder) {
    addText(sums, `${ticker} ${granularity}`)
    addColumn(sums, timestamps)
    for (const name of Object.keys(columns).sort()) {
      addText(sums, name)
      addColumn(sums, columns[name]!)
    }
  }
  return inHex(sums)
}

/** The same of a text. */
export function textFingerprint(text: string): string {
  const sums: Sums = { low: 0x811c9dc5, high: 0x01000193 }
  addText(sums, text)
  return inHex(sums)
}

const inHex = ({ low, high }: Sums): string => [high, low].map((sum) => sum.toString(16).padStart(8, '0')).join('')

interface Sums {
  low: number
  high: number
}

const addText = (sums: Sums, text: string): void =>
  addWords(
    sums,
    Uint32Array.from(text, (letter) => letter.codePointAt(0)!),
  )

const addColumn = (sums: Sums, column: Float64Array): void =>
  addWords(sums, new Uint32Array(column.buffer, column.byteOffset, 2 * column.length))

function addWords(sums: Sums, words: Uint32Array): void {
  let { low, high } = sums
  for (let i = 0; i < words.length; i++) {
    low = Math.imul(low ^ words[i]!, 0x01000193)
    high = Math.imul(high ^ (words[i]! + low), 0x85ebca6b)
  }
  sums.low = low >>> 0
  sums.high = high >>> 0
}
