import type { WordColumn } from '@tradewright/core/column'
import { recordCount } from './layers/rows.ts'
import type { RecordColumns, SeriesBlock } from './series.ts'

/** Gives each word a number, in the order they are first met. */
class Dictionary {
  readonly words: string[] = []
  readonly #codes = new Map<string, number>()

  codeOf(word: string): number {
    const known = this.#codes.get(word)
    if (known !== undefined) return known
    this.#codes.set(word, this.words.length)
    return this.words.push(word) - 1
  }
}

/** Flattens blocks to one row per value, in the order of blocks, categories and rows. Gaps are left out. */
export function toRecordColumns(blocks: readonly SeriesBlock[]): RecordColumns {
  const rowCount = blocks.reduce((sum, block) => sum + recordCount(block), 0)
  const word = () => ({ codes: new Uint32Array(rowCount), dictionary: new Dictionary() })
  const words = {
    ticker: word(),
    category: word(),
    type: word(),
    currency: word(),
    provider: word(),
    granularity: word(),
  }
  const number = { timestamp: new Float64Array(rowCount), value: new Float64Array(rowCount) }
  const times = { collectedAt: new Float64Array(rowCount), knownAt: new Float64Array(rowCount).fill(Number.NaN) }
  let at = 0
  for (const block of blocks) {
    for (const [category, column] of Object.entries(block.columns)) {
      const start = at
      for (let row = 0; row < column.length; row++) {
        const value = column[row]!
        if (Number.isNaN(value)) continue
        number.timestamp[at] = block.timestamps[row]!
        number.value[at] = value
        if (block.knownAt) times.knownAt[at] = block.knownAt[row]!
        at++
      }
      times.collectedAt.fill(block.collectedAt, start, at)
      const same = { ...block, category }
      for (const name of ['ticker', 'category', 'type', 'currency', 'provider', 'granularity'] as const) {
        words[name].codes.fill(words[name].dictionary.codeOf(same[name]), start, at)
      }
    }
  }
  return {
    rowCount,
    ...number,
    ...times,
    ticker: wordColumn(words.ticker),
    category: wordColumn(words.category),
    type: wordColumn(words.type),
    currency: wordColumn(words.currency),
    provider: wordColumn(words.provider),
    granularity: wordColumn(words.granularity),
  }
}

const wordColumn = ({ codes, dictionary }: { codes: Uint32Array; dictionary: Dictionary }): WordColumn => ({
  codes,
  words: dictionary.words,
})
