import type { SeriesTable } from '../market/series.ts'

/**
 * Names the data of a run: equal fingerprints mean that every stamp and every value was the same, to the last bit.
 * Two 32-bit FNV-1a sums over the words of the columns; it guards against change, not against forgery.
 */
export function fingerprintOf(tables: Iterable<SeriesTable>): string {
  const inOrder = [...tables].sort((a, b) => (a.ticker < b.ticker ? -1 : 1))
  let [low, high] = [0x811c9dc5, 0x01000193]
  const take = (word: number) => {
    low = Math.imul(low ^ word, 0x01000193) >>> 0
    high = Math.imul(high ^ (word + low), 0x85ebca6b) >>> 0
  }
  const takeText = (text: string) => {
    for (let i = 0; i < text.length; i++) take(text.charCodeAt(i))
  }
  for (const { ticker, granularity, timestamps, columns } of inOrder) {
    takeText(`${ticker} ${granularity}`)
    for (const name of ['timestamp', ...Object.keys(columns).sort()]) {
      takeText(name)
      const column = name === 'timestamp' ? timestamps : columns[name]!
      // A view of a longer column may begin at any value, so its words are copied.
      for (const word of new Uint32Array(column.slice().buffer)) take(word)
    }
  }
  return (high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0')).toLowerCase()
}
