import { dateOf, dayStamp } from '@tradewright/core/time'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { providerSuite } from '../../../test-support/provider-suite.ts'
import { startCustomApiStandIn } from '../../../test-support/stand-ins/custom-api.ts'
import { madeUpBar } from '../../../test-support/stand-ins/made-up-market.ts'
import type { StandIn } from '../../../test-support/stand-ins/stand-in.ts'
import { testSurroundings } from '../../../test-support/test-surroundings.ts'
import { ProviderDefinition } from '../../market-data/provider-definition.ts'
import { guardedTransport } from '../http/guarded-transport.ts'
import { dryRun } from './dry-run.ts'
import { customProvider } from './provider.ts'

const KEY = 'users-own-api-key'
const range = { from: dayStamp(dateOf('2025-01-02')), to: dayStamp(dateOf('2025-12-01')) }
const never = new AbortController().signal

const base = (baseUrl: string) => ({
  id: 'my-api',
  displayName: 'My API',
  baseUrl,
  auth: { type: 'header', name: 'X-Token', prefix: 'Token ' },
  query: { start: '{from}', end: '{to}' },
})

const paged = (baseUrl: string) => ({
  ...base(baseUrl),
  path: '/paged/{ticker}',
  paging: { type: 'page', parameter: 'page' },
  records: {
    shape: 'rows',
    path: 'data.items',
    timestamp: 'date',
    timestampFormat: 'date',
    values: { close: 'close', volume: 'volume' },
  },
})

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
    ...paged(''),
    auth: { type: 'query', name: 'token' },
  },
}

/** Loopback is allowed here, as an operator may decide; what is refused is tested with the transport. */
const surroundingsWithLoopback = () => ({
  ...testSurroundings(),
  transport: guardedTransport({ isAllowed: () => true }),
})

providerSuite('a custom provider', async () => {
  const surroundings = surroundingsWithLoopback()
  const standIn = await startCustomApiStandIn(() => surroundings.timing.now(), KEY)
  return {
    provider: customProvider(ProviderDefinition.parse(paged(standIn.url)), KEY, surroundings),
    tickers: ['AAPL', 'MSFT'],
    unknownTicker: 'NOSUCH',
    range,
    now: surroundings.timing.now(),
    close: () => standIn.close(),
    remote: {
      standIn,
      timing: surroundings.timing,
      log: surroundings.log,
      secrets: [KEY],
      isAbout: ({ path }, ticker) => path.endsWith(ticker),
      dataFaults: ['nan', 'negative-price', 'time-runs-backwards'],
    },
  }
})

describe('a definition', () => {
  let standIn: StandIn
  const surroundings = surroundingsWithLoopback()
  beforeEach(async () => {
    standIn = await startCustomApiStandIn(() => surroundings.timing.now(), KEY)
  })
  afterEach(() => standIn.close())

  it.each(Object.entries(SHAPES))('finds our record in %s', async (_, part) => {
    const definition = ProviderDefinition.parse({ ...base(standIn.url), ...part, baseUrl: standIn.url })
    const provider = customProvider(definition, KEY, surroundings)
    const request = { tickers: ['AAPL'], granularity: '1d', range, categories: ['close'] } as const
    const [result] = await Array.fromAsync(provider.fetch(request, never))
    if (result?.outcome !== 'delivered') throw new Error(JSON.stringify(result))
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
    const { works, problems } = await dryRun(
      { ...paged(standIn.url), ...part },
      { ticker: 'AAPL', apiKey: KEY },
      surroundings,
      never,
    )
    expect(works).toBe(false)
    expect(problems[0]).toMatch(new RegExp(`^${place}: `))
    expect(standIn.requests).toHaveLength(0)
  })

  it('shows in a dry run what would be stored', async () => {
    const run = await dryRun(paged(standIn.url), { ticker: 'AAPL', apiKey: KEY }, surroundings, never)
    expect(run).toMatchObject({ works: true, problems: [] })
    expect(run.sample).toHaveLength(5)
    const [{ date, close }] = run.sample as [{ date: string; close: number }]
    expect(close).toBe(madeUpBar('AAPL', dayStamp(dateOf(date))).close)
  })

  it.each([
    ['a path that leads nowhere', { records: { ...paged('').records, path: 'data.rows' } }, 'has no data of AAPL'],
    ['a path to something else', { records: { ...paged('').records, path: 'data' } }, 'there is no list at ["data"]'],
    [
      'a wrong date format',
      { records: { ...paged('').records, timestampFormat: 'unix-seconds' } },
      'is not a date of the form "unix-seconds"',
    ],
    ['a text as value', { records: { ...paged('').records, values: { close: 'date' } } }, 'which is not a number'],
  ])('is told in a dry run about %s', async (_, part, sentence) => {
    const { works, problems } = await dryRun(
      { ...paged(standIn.url), ...part },
      { ticker: 'AAPL', apiKey: KEY },
      surroundings,
      never,
    )
    expect(works).toBe(false)
    expect(problems[0]).toContain(sentence)
  })

  it('says that the key was rejected, without showing it', async () => {
    const { problems } = await dryRun(
      paged(standIn.url),
      { ticker: 'AAPL', apiKey: 'a-wrong-key' },
      surroundings,
      never,
    )
    expect(problems).toEqual(['My API did not deliver AAPL: it refused the request as not allowed (HTTP 401).'])
  })

  it('cannot reach this machine unless the operator allows it', async () => {
    const guarded = { ...testSurroundings(), transport: guardedTransport() }
    const { works, problems } = await dryRun(paged(standIn.url), { ticker: 'AAPL', apiKey: KEY }, guarded, never)
    expect(works).toBe(false)
    expect(problems[0]).toContain('127.0.0.1 is a private or reserved address')
    expect(standIn.requests).toHaveLength(0)
  })
})
