export const RECORD_FORMAT = 'tradewright-record'
export const RECORD_VERSION = 1
export const RECORD_MAX_BYTES = 32 * 1024 ** 2
export const MAX_RECORD_ENTRIES = 100_000

/** SHA-256 of a text in UTF-8, in hex. */
type Sha256 = (text: string) => string

/** A link of the chain: `hash` is made from the hash before and the content, byte by byte. */
export interface ChainEntry {
  /** JSON, kept as it was written. */
  readonly content: string
  readonly previous: string
  readonly hash: string
}

export interface RecordFile {
  readonly format: typeof RECORD_FORMAT
  readonly version: typeof RECORD_VERSION
  /** JSON about the record; its hash is the `previous` of the first entry. */
  readonly header: string
  readonly entries: readonly ChainEntry[]
  /** The hash of the last entry, or of the header. */
  readonly head: string
}

export const chained = (sha256: Sha256, previous: string, content: string): ChainEntry => ({
  content,
  previous,
  hash: sha256(`${previous}\n${content}`),
})

export interface RecordVerdict {
  readonly isWhole: boolean
  readonly entries: number
  readonly head: string
  /** The number of the first entry that does not fit, from 1; 0 is the header; null where all fit. */
  readonly firstBad: number | null
  readonly sentence: string
}

/** Computes the chain anew and names the first entry that does not fit it. */
export function verifyRecord({ header, entries, head }: RecordFile, sha256: Sha256): RecordVerdict {
  let previous = sha256(header)
  let before = ''
  for (const [index, entry] of entries.entries()) {
    const number = index + 1
    const bad = (why: string) => broken(entries.length, head, number, `Entry ${number} ${why}`)
    if (entry.previous !== previous) {
      return number === 1
        ? broken(entries.length, head, 0, 'The header was changed: the first entry does not begin from its hash.')
        : bad('does not follow the one before: an entry was changed, removed, added or moved here.')
    }
    if (sha256(`${entry.previous}\n${entry.content}`) !== entry.hash) {
      return bad('was changed: its hash is not that of its content.')
    }
    const { seq, at } = readContent(entry.content)
    if (seq !== number) return bad(`says that it is number ${String(seq)}.`)
    if (typeof at !== 'string' || at < before) return bad('is older than the one before it.')
    before = at
    previous = entry.hash
  }
  if (head !== previous) {
    return broken(
      entries.length,
      head,
      entries.length,
      'The head is not the hash of the last entry: entries are missing at the end.',
    )
  }
  const count = entries.length === 1 ? '1 entry' : `${entries.length} entries`
  return {
    isWhole: true,
    entries: entries.length,
    head,
    firstBad: null,
    sentence: `The chain is whole: ${count}, none changed, removed or added since the head ${head.slice(0, 16)}… was published.`,
  }
}

const broken = (entries: number, head: string, firstBad: number, sentence: string): RecordVerdict => ({
  isWhole: false,
  entries,
  head,
  firstBad,
  sentence,
})

function readContent(content: string): { seq?: unknown; at?: unknown } {
  try {
    const value: unknown = JSON.parse(content)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

/** What a chain proves and what it does not, for every place that shows one. */
export const RECORD_PROVES =
  'A hash chain proves that no entry was changed, removed or inserted before an entry whose hash you know. It does not prove by ' +
  'itself when an entry was written, nor that there are no other records: note the head now, or have it published where its date ' +
  'can be checked, and compare later.'
