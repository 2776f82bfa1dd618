import type { SentRecords } from '../../market-data/custom-providers/records.ts'

/** Rows are handed on when there are so many: what has been sent is not held until the last page has come. */
const PART_ROWS = 50_000

interface Part {
  readonly records: SentRecords
  readonly isLast: boolean
}

/** Joins pages into parts. The last one has rows, unless no page had any. */
export async function* inParts(
  pages: AsyncIterable<SentRecords>,
  names: readonly string[],
  partRows = PART_ROWS,
): AsyncGenerator<Part> {
  let waiting: SentRecords[] = []
  let rows = 0
  for await (const page of pages) {
    if (page.timestamps.length === 0) continue
    if (rows >= partRows) {
      yield { records: joined(waiting, names), isLast: false }
      ;[waiting, rows] = [[], 0]
    }
    waiting.push(page)
    rows += page.timestamps.length
  }
  yield { records: joined(waiting, names), isLast: true }
}

function joined(pages: readonly SentRecords[], names: readonly string[]): SentRecords {
  const length = pages.reduce((sum, { timestamps }) => sum + timestamps.length, 0)
  const join = (columnOf: (page: SentRecords) => Float64Array | undefined) => {
    const column = new Float64Array(length).fill(Number.NaN)
    let at = 0
    for (const page of pages) {
      column.set(columnOf(page) ?? [], at)
      at += page.timestamps.length
    }
    return column
  }
  return {
    timestamps: join(({ timestamps }) => timestamps),
    values: Object.fromEntries(names.map((name) => [name, join(({ values }) => values[name])])),
  }
}
