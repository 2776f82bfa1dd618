import { dateOf, dayStamp } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { pagedDefinition } from '../../../test-support/stand-ins/custom-api.ts'
import type { SentPage, SentRecords } from '../../market-data/custom-providers/records.ts'
import { run } from '../../market-data/custom-providers/read-page-task.ts'
import { ProviderDefinition } from '../../market-data/provider-definition.ts'
import {
  pageReader,
  readHere,
  fetchPages,
  PageBudget,
  inParts,
  symbolOf,
  edgeAfter,
  type Sending,
  toResult,
} from './provider.ts'

const never = new AbortController().signal
const definition = ProviderDefinition.parse(pagedDefinition('https://api.example.com'))
const range = { from: dayStamp(dateOf('2025-01-01')), to: dayStamp(dateOf('2025-02-01')) }
const request = { tickers: ['AAPL'], granularity: '1d', range, categories: ['close'] } as const

const row = (day: number, close: number) => ({ date: `2025-01-${String(day).padStart(2, '0')}`, close, volume: 1 })
const body = (rows: object[]) => JSON.stringify({ data: { items: rows } })
const sent = (text: string): SentPage => ({ definition, symbol: 'AAPL', place: 1, text })

/** A service that answers each page with the text that `answer` gives. */
const pagesOf = (answer: (page: number) => string) =>
  fetchPages(
    {
      http: {
        text: async ({ query }) => answer(Number(query!['page'])),
        json: () => Promise.reject(new Error('only text is asked for')),
      },
      definition,
      readPage: async (page) => readHere(page),
      budget: new PageBudget(),
      signal: never,
    },
    { symbol: 'AAPL', granularity: '1d', range },
  )

describe('pages', () => {
  it('end where the cursor would make an address of megabytes', async () => {
    const cursored = ProviderDefinition.parse({
      ...pagedDefinition('https://api.example.com'),
      paging: { type: 'cursor', parameter: 'next', path: ['next'] },
    })
    const text = JSON.stringify({ data: { items: [row(2, 5)] }, next: '€'.repeat(100_000) })
    const http = { text: async () => text, json: () => Promise.reject(new Error('only text is asked for')) }
    const paging = { http, definition: cursored, readPage: async (page: SentPage) => readHere(page) }
    const reading = Array.fromAsync(
      fetchPages({ ...paging, budget: new PageBudget(), signal: never }, { symbol: 'AAPL', granularity: '1d', range }),
    )
    await expect(reading).rejects.toThrow('its cursor has more than 2,000 characters')
  })

  it('are not asked for a ticker that replacements made endless', () => {
    const tickerReplacements = Array.from({ length: 5 }, () => ({ from: 'A', to: 'AAAAAAAAAA' }))
    expect(() => symbolOf({ ...definition, tickerReplacements }, 'AA')).toThrow('more than 100 characters')
  })

  it('end with a sentence where they go on for ever', async () => {
    const reading = Array.fromAsync(pagesOf(() => body([row(2, 5)])))
    await expect(reading).rejects.toThrow('it has more than 1,000 pages of one ticker')
  })

  it('end with a sentence where they are too much in total', async () => {
    const large = body([row(2, 5)]).padEnd(9 * 1024 * 1024)
    let asked = 0
    const reading = Array.fromAsync(pagesOf(() => (asked++, large)))
    await expect(reading).rejects.toThrow('it sent more than 256 MB of one ticker')
    expect(asked).toBe(29)
  })

  it('are asked for one at a time, when the one before has been used', async () => {
    const asked: number[] = []
    const pages = pagesOf((page) => (asked.push(page), body(page < 3 ? [row(page + 1, 5)] : [])))
    await pages.next()
    expect(asked).toEqual([1])
    await pages.next()
    expect(asked).toEqual([1, 2])
  })
})

describe('a page', () => {
  it('is read by another thread when it is large, with the same result', async () => {
    const rows = Array.from({ length: 5_000 }, (_, i) => row(2 + (i % 20), i))
    const elsewhere: SentPage[] = []
    const read = pageReader(async (page) => (elsewhere.push(page), run(page, { transfer: () => {} })))
    const large = sent(body(rows))
    expect(await read(large, never)).toEqual(readHere(large))
    expect(elsewhere).toHaveLength(1)
    await read(sent(body(rows.slice(0, 5))), never)
    expect(elsewhere).toHaveLength(1)
  })

  it('that does not fit the definition says so from another thread as well', async () => {
    const read = pageReader(async (page) => run(page, { transfer: () => {} }))
    const wrong = sent(JSON.stringify({ data: { items: 'none' } }).padEnd(200_000))
    await expect(read(wrong, never)).rejects.toMatchObject({
      kind: 'malformed',
      message: expect.stringContaining('there is no list at'),
    })
    await expect(read(sent('<html>'.padEnd(200_000)), never)).rejects.toThrow('it sent a web page instead of data')
    await expect(read(sent('[1'.padEnd(200_000)), never)).rejects.toThrow(
      'it sent an answer that is incomplete or not JSON',
    )
  })

  it('that cannot be read is not read again on the thread that answers', async () => {
    const read = pageReader(async () => ({ is: 'not JSON' }))
    // It could be read here: that the other thread has said no is enough.
    await expect(read(sent(body([row(2, 1)]).padEnd(200_000)), never)).rejects.toThrow('it sent an answer that is')
  })

  it('has no more values and levels than prices need, whatever its bytes are worth', () => {
    for (const text of [`[${'{},'.repeat(3_500_000)}{}]`, `${'['.repeat(200)}${']'.repeat(200)}`]) {
      expect(run(sent(text), { transfer: () => {} })).toEqual({
        is: 'unreadable',
        why: expect.stringContaining('values'),
      })
    }
  })
})

const records = (days: number[], closes: number[]): SentRecords => ({
  timestamps: Float64Array.from(days, (day) => dayStamp(dateOf(row(day, 0).date))),
  values: { close: Float64Array.from(closes), volume: Float64Array.from(closes, () => 1) },
})

describe('parts', () => {
  async function* several(pages: SentRecords[]) {
    yield* pages
  }
  const partsOf = (pages: SentRecords[]) => Array.fromAsync(inParts(several(pages), ['close', 'volume'], 3))

  it('hold what was sent in order, and the last one is not empty', async () => {
    const empty = records([], [])
    const parts = await partsOf([records([2, 3], [1, 2]), records([6, 7], [3, 4]), records([8], [5]), empty])
    expect(parts.map(({ isLast, records: { values } }) => [isLast, [...values['close']!]])).toEqual([
      [false, [1, 2, 3, 4]],
      [true, [5]],
    ])
    expect(await partsOf([])).toEqual([{ isLast: true, records: empty }])
  })

  it.each([
    [false, [6, 7, 8], [7, 8, 9, 10], [9, 10], ['time-runs-backwards', 'duplicate-timestamp']],
    [true, [10, 9, 8], [9, 8, 7, 6], [6, 7], ['time-runs-backwards', 'duplicate-timestamp']],
  ])('refuse rows that go back behind the part before (newest first: %s)', (newestFirst, first, second, kept, why) => {
    const ordered = { ...definition, records: { ...definition.records, newestFirst } }
    const start: Sending = { definition: ordered, request, ticker: 'AAPL', now: range.to, edge: undefined }
    const before = toResult(start, records(first, [1, 2, 3]))
    if (before.outcome !== 'delivered') throw new Error(before.outcome)
    const after = toResult({ ...start, edge: edgeAfter(start, before.silver) }, records(second, [4, 5, 6, 7]))
    if (after.outcome !== 'delivered') throw new Error(after.outcome)
    expect(after.silver.timestamps).toEqual(records(kept, [0, 0]).timestamps)
    expect(after.refused.map(({ reason }) => reason)).toEqual(why)
  })

  it('that bring nothing new are no reason to call a ticker missing', () => {
    const sending: Sending = { definition, request, ticker: 'AAPL', now: range.to, edge: range.to - 1 }
    expect(toResult(sending, records([], []))).toMatchObject({ outcome: 'delivered', refused: [] })
  })
})
