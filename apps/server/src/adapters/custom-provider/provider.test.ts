import { dateOf, dayStamp } from '@tradewright/core/time'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { providerSuite } from '../../../test-support/provider-suite.ts'
import { deliveredBy, remoteProvider } from '../../../test-support/remote-provider.ts'
import { pagedDefinition as paged, startCustomApiStandIn } from '../../../test-support/stand-ins/custom-api.ts'
import { madeUpBar } from '../../../test-support/stand-ins/made-up-market.ts'
import type { StandIn } from '../../../test-support/stand-ins/stand-in.ts'
import { testSurroundings } from '../../../test-support/test-surroundings.ts'
import type { SentPage } from '../../market-data/custom-providers/records.ts'
import { ProviderDefinition } from '../../market-data/provider-definition.ts'
import { guardedTransport } from '../http/address-guard.ts'
import { dryRun } from './dry-run.ts'
import { readHere, customProvider } from './provider.ts'

const KEY = 'users-own-api-key'
const range = { from: dayStamp(dateOf('2025-01-02')), to: dayStamp(dateOf('2025-12-01')) }
const never = new AbortController().signal

const USER = 7
const holder = { userId: USER, apiKey: KEY }
const trial = { ...holder, ticker: 'AAPL' }

const SHAPES: Readonly<Record<string, object>> = {
  'rows behind a cursor': {
    path: '/cursor/{ticker}',
    paging: { type: 'cursor', parameter: 'after', path: 'next' },
    records: { shape: 'rows', path: 'items', timestamp: 'date', timestampFormat: 'date', values: { close: 'close' } },
  },
  'parallel columns': {
    path: '/columns/{ticker}',
    records: { shape: 'columns', timestamp: 't', timestampFormat: 'unix-seconds', values: { close: 'c', volume: 'v' } },
  },
  'objects keyed by date, newest first, in windows': {
    path: '/keyed/{ticker}',
    limits: { daysPerCall: 90 },
    records: {
      shape: 'keyed',
      path: ['Time Series'],
      timestampFormat: 'date',
      values: { close: ['4. close'] },
      newestFirst: true,
    },
  },
  'a key in the query': {
    paging: { type: 'page', parameter: 'page' },
    auth: { type: 'query', name: 'token' },
  },
}

/** Loopback is allowed here, as an operator may decide; what is refused is tested with the transport. */
const partsWithLoopback = () => ({
  surroundings: { ...testSurroundings(), transport: guardedTransport({ isAllowed: () => true }) },
  readPage: async (page: SentPage) => readHere(page),
})

providerSuite('a custom provider', async () => {
  const parts = partsWithLoopback()
  const { surroundings } = parts
  const standIn = await startCustomApiStandIn(() => surroundings.timing.now(), KEY)
  return remoteProvider({
    provider: customProvider(ProviderDefinition.parse(paged(standIn.url)), holder, parts),
    standIn,
    surroundings,
    tickers: ['AAPL', 'MSFT'],
    unknownTicker: 'NOSUCH',
    range,
    secrets: [KEY],
    isAbout: ({ path }, ticker) => path.endsWith(ticker),
  })
})

describe('a definition', () => {
  let standIn: StandIn
  const parts = partsWithLoopback()
  beforeEach(async () => {
    standIn = await startCustomApiStandIn(() => parts.surroundings.timing.now(), KEY)
  })
  afterEach(() => standIn.close())

  it.each(Object.entries(SHAPES))('finds our record in %s', async (_, part) => {
    const definition = ProviderDefinition.parse({ ...paged(standIn.url), paging: { type: 'none' }, ...part })
    const provider = customProvider(definition, holder, parts)
    const result = await deliveredBy(provider, { tickers: ['AAPL'], range })
    expect(result.refused).toEqual([])
    expect(result.silver.timestamps.length).toBe(228)
    result.silver.timestamps.forEach((stamp, row) => {
      expect(result.silver.columns['close']![row]).toBe(madeUpBar('AAPL', stamp).close)
    })
  })

  it.each([
    ['code where a placeholder belongs', { path: '/x/{constructor}' }, 'path'],
    ['another kind of address', { baseUrl: 'file:///etc/passwd' }, 'baseUrl'],
    ['a header that would begin another one', { headers: { 'X-A': 'a\r\nX-B: b' } }, 'headers.X-A'],
    ['a header of the connection', { headers: { Host: 'elsewhere' } }, 'headers.Host'],
    ['an unknown setting', { script: 'fetch()' }, 'The definition'],
    ['no value at all', { records: { ...paged('').records, values: {} } }, 'records.values'],
  ])('is refused with %s', async (_, part, place) => {
    const { works, problems } = await dryRun({ ...paged(standIn.url), ...part }, trial, parts, never)
    expect(works).toBe(false)
    expect(problems[0]).toMatch(new RegExp(`^${place}: `))
    expect(standIn.requests).toHaveLength(0)
  })

  it('shows in a dry run what would be stored', async () => {
    const run = await dryRun(paged(standIn.url), trial, parts, never)
    expect(run).toMatchObject({ works: true, problems: [] })
    expect(run.sample).toHaveLength(5)
    const [{ date, close }] = run.sample as [{ date: string; close: number }]
    expect(close).toBe(madeUpBar('AAPL', dayStamp(dateOf(date))).close)
  })

  it.each([
    ['a path that leads nowhere', { records: { ...paged('').records, path: 'data.rows' } }, 'has no data for AAPL'],
    ['a path to something else', { records: { ...paged('').records, path: 'data' } }, 'there is no list at ["data"]'],
    [
      'a wrong date format',
      { records: { ...paged('').records, timestampFormat: 'unix-seconds' } },
      'is not a date of the form "unix-seconds"',
    ],
    ['a text as value', { records: { ...paged('').records, values: { close: 'date' } } }, 'which is not a number'],
  ])('is told in a dry run about %s', async (_, part, sentence) => {
    const { works, problems } = await dryRun({ ...paged(standIn.url), ...part }, trial, parts, never)
    expect(works).toBe(false)
    expect(problems[0]).toContain(sentence)
  })

  it('says that the key was rejected, without showing it', async () => {
    const { problems } = await dryRun(paged(standIn.url), { ...trial, apiKey: 'a-wrong-key' }, parts, never)
    expect(problems).toEqual(['My API did not deliver AAPL: it refused the request as not allowed (HTTP 401).'])
  })

  it('cannot reach this machine unless the operator allows it', async () => {
    const guarded = { ...parts, surroundings: { ...testSurroundings(), transport: guardedTransport() } }
    const { works, problems } = await dryRun(paged(standIn.url), trial, guarded, never)
    expect(works).toBe(false)
    expect(problems[0]).toContain('127.0.0.1 is a private or reserved address')
    expect(standIn.requests).toHaveLength(0)
  })

  it('spends an allowance of its own for each user and key', async () => {
    const { timing } = parts.surroundings
    const fetchAs = async (userId: number, apiKey: string) => {
      const definition = ProviderDefinition.parse({ ...paged(standIn.url), limits: { callsPerMinute: 7 } })
      await deliveredBy(customProvider(definition, { userId, apiKey }, parts), { tickers: ['AAPL'], range })
    }
    // Six pages of rows and an empty one: the next call of the same user waits for its minute.
    await fetchAs(1, KEY)
    const before = timing.now()
    await fetchAs(2, KEY)
    expect(timing.now()).toBe(before)
    await fetchAs(1, KEY)
    expect(timing.now()).toBeGreaterThan(before + 59_000)
  })
})
