import { type Category, releaseCategories } from '@tradewright/core/category'
import type { Granularity } from '@tradewright/core/granularity'
import { parseTicker } from '@tradewright/core/ticker'
import { DAY, type TimeRange } from '@tradewright/core/time'
import { assertPossible, rowsInRange } from '@tradewright/engine/market/layers/rows'
import {
  type FetchRequest,
  type MarketDataProvider,
  type TickerResult,
  ProviderFailure,
} from '@tradewright/engine/market/provider'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RecordedLog } from './recorded-log.ts'
import type { DataFault, StandIn, StandInRequest } from './stand-ins/stand-in.ts'
import type { VirtualTiming } from './virtual-timing.ts'

export interface ProviderUnderTest {
  readonly provider: MarketDataProvider
  /** Two it has daily data of, which it fetches in different calls. */
  readonly tickers: readonly [string, string]
  readonly unknownTicker: string
  /** Daily stamps in the past, with at least ten rows of each ticker. */
  readonly range: TimeRange
  /** The instant that counts as now, in the provider as in the stand-in. */
  readonly now: number
  close(): Promise<void>
  /** For providers that call a server. */
  readonly remote?: {
    readonly standIn: StandIn
    readonly timing: VirtualTiming
    readonly log: RecordedLog
    readonly secrets: readonly string[]
    readonly isAbout: (request: StandInRequest, ticker: string) => boolean
    /** Wrong data the vendor could send; an observation below zero, for example, is not wrong. */
    readonly dataFaults: readonly DataFault[]
  }
}

type Delivered = Extract<TickerResult, { outcome: 'delivered' }>

const never = new AbortController().signal

/** Promises that the rest of the product relies on, for every provider. */
export function providerSuite(name: string, makeProvider: () => Promise<ProviderUnderTest>, hasRemote = true): void {
  describe(`${name} as a market data provider`, () => {
    let subject: ProviderUnderTest
    beforeEach(async () => {
      subject = await makeProvider()
    })
    afterEach(() => subject.close())

    const results = async (request: Partial<FetchRequest> = {}, signal = never): Promise<TickerResult[]> => {
      const { provider, tickers, range } = subject
      const categories: readonly Category[] = provider.limits.supportedCategories
      const granularity: Granularity = '1d'
      return await Array.fromAsync(provider.fetch({ tickers, granularity, range, categories, ...request }, signal))
    }
    const deliveries = async (request?: Partial<FetchRequest>): Promise<Delivered[]> => {
      const all = await results(request)
      expect(all.map(({ outcome }) => outcome)).toEqual(all.map(() => 'delivered'))
      return all.filter((result) => result.outcome === 'delivered')
    }

    it('tells its limits [DATA-036]', () => {
      const { limits, id, displayName, providerType } = subject.provider
      expect([id, displayName, providerType].every((text) => text.length > 0)).toBe(true)
      expect(limits.maxTickerBatch).toBeGreaterThanOrEqual(1)
      expect(limits.supportedCategories.length).toBeGreaterThanOrEqual(1)
      expect(limits.history['1d']).toBeDefined()
    })

    it('serves the tickers it delivers', () => {
      for (const ticker of subject.tickers) expect(subject.provider.serves(parseTicker(ticker))).toBe(true)
    })

    it('gives every ticker one result with possible rows inside the range', async () => {
      const { provider, tickers, range } = subject
      const delivered = await deliveries()
      expect(delivered.map(({ ticker }) => ticker).sort()).toEqual([...tickers].sort())
      for (const { ticker, silver, refused } of delivered) {
        expect(silver).toMatchObject({ ticker, provider: provider.id, granularity: '1d' })
        expect(silver.collectedAt).toBeGreaterThanOrEqual(subject.now)
        expect(silver.timestamps.length).toBeGreaterThanOrEqual(10)
        expect(silver.timestamps.every((stamp) => stamp >= range.from && stamp < range.to && stamp % DAY === 0)).toBe(
          true,
        )
        for (const [category, column] of Object.entries(silver.columns)) {
          expect([...provider.limits.supportedCategories, ...releaseCategories]).toContain(category)
          expect(column).toHaveLength(silver.timestamps.length)
        }
        assertPossible(silver)
        expect(refused).toEqual([])
      }
    })

    it('keeps what was sent beside it as bronze', async () => {
      for (const { bronze } of await deliveries()) {
        expect(bronze.provider).toBe(subject.provider.id)
        expect(bronze.timestamps.length).toBeGreaterThanOrEqual(10)
        for (const column of Object.values(bronze.columns)) expect(column).toHaveLength(bronze.timestamps.length)
      }
    })

    it('answers the same question with the same rows', async () => {
      const [first, second] = [await deliveries(), await deliveries()]
      expect(second.map(rowsOf)).toEqual(first.map(rowsOf))
    })

    it('gives a part of the range exactly the rows it has in the whole', async () => {
      const part = { from: subject.range.from + 5 * DAY, to: subject.range.to - 5 * DAY }
      const whole = (await deliveries()).map(({ silver }) => rowsInRange(silver, part).timestamps)
      const parts = (await deliveries({ range: part })).map(({ silver }) => silver.timestamps)
      expect(parts).toEqual(whole)
    })

    it('gives only the categories that were asked for', async () => {
      const [first] = subject.provider.limits.supportedCategories
      for (const { silver } of await deliveries({ categories: [first!] })) {
        const asked = Object.keys(silver.columns).filter((category) => !releaseCategories.includes(category))
        expect(asked).toEqual([first])
      }
    })

    it('names an unknown ticker and delivers the others', async () => {
      const { unknownTicker, tickers } = subject
      const all = await results({ tickers: [unknownTicker, ...tickers] })
      const unknown = all.find(({ ticker }) => ticker === unknownTicker)
      expect(unknown).toMatchObject({ outcome: 'missing', message: expect.stringContaining(unknownTicker) })
      expect(all.filter(({ outcome }) => outcome === 'delivered')).toHaveLength(tickers.length)
    })

    it('delivers no bar that is still forming', async () => {
      const { now } = subject
      for (const { silver } of await deliveries({ range: { from: now - 100 * DAY, to: now + 2 * DAY } })) {
        expect(silver.timestamps.at(-1)).toBeLessThan(now)
      }
    })

    it('says so when the range is empty of data', async () => {
      const range = { from: subject.now + 10 * DAY, to: subject.now + 20 * DAY }
      for (const result of await results({ range })) {
        expect(result).toMatchObject({ outcome: 'missing', message: expect.stringContaining(result.ticker) })
      }
    })

    it('refuses a range or granularity it does not keep, with a sentence', async () => {
      const { history } = subject.provider.limits
      for (const granularity of ['1m', '5m', '15m', '30m', '1h'] as const) {
        const depth = history[granularity]
        if (depth && depth.daysBack === undefined) continue
        const [result] = await results({ tickers: [subject.tickers[0]], granularity })
        expect(result).toMatchObject({
          outcome: 'missing',
          reason: depth ? 'beyond-history' : 'granularity-not-served',
          message: expect.stringContaining(subject.tickers[0]),
        })
      }
    })

    it('ends before the first call when it is aborted already', async () => {
      await expect(results({}, AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped')
      expect(subject.remote?.standIn.requests ?? []).toEqual([])
    })

    if (hasRemote) remoteSuite(() => subject, results)
  })
}

type Fetch = (request?: Partial<FetchRequest>, signal?: AbortSignal) => Promise<TickerResult[]>

function remoteSuite(subjectOf: () => ProviderUnderTest, results: Fetch): void {
  const remoteOf = () => {
    const { remote } = subjectOf()
    if (!remote) throw new Error('this provider calls no server')
    return remote
  }
  const expectNoSecret = (text: string) => {
    for (const secret of remoteOf().secrets) expect(text).not.toContain(secret)
  }
  const expectFailures = (all: readonly TickerResult[], kind: ProviderFailure['failure']) => {
    expect(all).toHaveLength(2)
    for (const result of all) {
      if (result.outcome !== 'failed') throw new Error(`${result.ticker} was ${result.outcome}`)
      expect(result.failure).toBeInstanceOf(ProviderFailure)
      expect(result.failure).toMatchObject({ failure: kind, provider: subjectOf().provider.id })
      expect(result.failure.message).toContain(subjectOf().provider.displayName)
      expectNoSecret(result.failure.message)
    }
  }

  it('talks to a stand-in that says what it is', async () => {
    const response = await fetch(remoteOf().standIn.url)
    expect(response.headers.get('x-stand-in')).toBeTruthy()
    await response.body?.cancel()
  })

  it.each([
    ['down', 'network'],
    ['broken', 'network'],
    ['half-body', 'network'],
    ['html', 'malformed'],
  ] as const)('reports every ticker when the service is %s', async (fault, kind) => {
    remoteOf().standIn.misbehave(fault)
    expectFailures(await results(), kind)
  })

  it('survives a service that is out of order for a moment', async () => {
    remoteOf().standIn.misbehave('broken', { times: 2 })
    expect((await results()).map(({ outcome }) => outcome)).toEqual(['delivered', 'delivered'])
  })

  it('gives up on a service that never answers', async () => {
    const { standIn, timing } = remoteOf()
    standIn.misbehave('slow')
    standIn.onStall = () => timing.expireTimeouts()
    expectFailures(await results(), 'network')
  })

  it('does not storm back in a storm of 429s, and says when to come back', async () => {
    const { standIn, timing } = remoteOf()
    standIn.misbehave('limited')
    const all = await results()
    expectFailures(all, 'limit')
    expect(standIn.requests.length).toBeLessThanOrEqual(3)
    expect(timing.slept).toContain(7_500)
    expect(all[0]).toMatchObject({ failure: { retryAfterSeconds: 7.5, mayRetry: true } })
  })

  it('stops at once when the key is rejected', async () => {
    const { standIn } = remoteOf()
    standIn.misbehave('unauthorised')
    await expect(results()).rejects.toMatchObject({ failure: 'auth', provider: subjectOf().provider.id })
    expect(standIn.requests).toHaveLength(1)
  })

  it('ends at once, with the reason, when it is aborted in the middle of a call', async () => {
    const { standIn } = remoteOf()
    const controller = new AbortController()
    standIn.misbehave('slow')
    standIn.onStall = () => controller.abort(new Error('the user cancelled'))
    await expect(results({}, controller.signal)).rejects.toThrow('the user cancelled')
    expect(standIn.requests).toHaveLength(1)
  })

  it('keeps what it got when one ticker fails', async () => {
    const { standIn, isAbout } = remoteOf()
    const [good, bad] = subjectOf().tickers
    standIn.misbehave('html', { when: (request) => isAbout(request, bad) })
    const all = await results()
    expect(Object.fromEntries(all.map(({ ticker, outcome }) => [ticker, outcome]))).toEqual({
      [good]: 'delivered',
      [bad]: 'failed',
    })
  })

  it('lets no impossible row through, and tells of it', async () => {
    const { standIn, dataFaults } = remoteOf()
    for (const fault of dataFaults) {
      standIn.misbehave(fault)
      for (const result of await results()) {
        if (result.outcome === 'delivered') {
          assertPossible(result.silver)
          expect(result.refused.length, fault).toBeGreaterThan(0)
          expect(result.refused[0]).toMatchObject({ provider: subjectOf().provider.id, ticker: result.ticker })
        } else {
          expect(result, fault).toMatchObject({ outcome: 'failed', failure: { failure: 'malformed' } })
        }
      }
    }
  })

  it('writes no key into the log', async () => {
    const { standIn, log } = remoteOf()
    await results()
    standIn.misbehave('broken')
    await results()
    expect(log.lines.length).toBeGreaterThan(0)
    expectNoSecret(log.lines.join('\n'))
  })
}

const rowsOf = ({ silver }: Delivered) => ({
  timestamps: silver.timestamps,
  columns: silver.columns,
  knownAt: silver.knownAt,
})
