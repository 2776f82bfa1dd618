import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RecordedLog } from '../../../test-support/recorded-log.ts'
import { SharedClock } from '../../../test-support/shared-clock.ts'
import { startStandIn } from '../../../test-support/stand-ins/stand-in.ts'
import { createTestDatabase, type TestDatabase } from '../../../test-support/test-database.ts'
import { VirtualTiming } from '../../../test-support/virtual-timing.ts'
import { createCallAllowances } from '../../stores/call-allowances.ts'
import { surviveLostConnections } from '../../stores/database.ts'
import { httpClient } from './http-client.ts'
import { type AllowanceStore, sharedAllowances } from './shared-allowances.ts'
import { type Timing, fetchTransport } from './transport.ts'

const never = new AbortController().signal
const MINUTE = 60_000
const LIMIT = { calls: 200, windowMillis: MINUTE, reservedForOrders: 40, reservedForCancels: 0 }
const START = Date.parse('2026-03-04T16:00:00Z')

let database: TestDatabase
/** Each process has connections of its own. */
let pools: pg.Pool[]
beforeAll(async () => {
  database = await createTestDatabase()
  pools = [1, 2].map(() => surviveLostConnections(new pg.Pool({ connectionString: database.url, max: 4 })))
})
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()))
  await database.close()
})

const processOn = (pool: pg.Pool, timing: Timing) =>
  sharedAllowances({ store: createCallAllowances(pool, () => timing.now()), timing, log: new RecordedLog() })

/** The most that a window of a minute holds, wherever it begins. */
const busiest = (times: readonly number[]) =>
  Math.max(...times.map((start) => times.filter((at) => at >= start && at < start + MINUTE).length))

describe('an allowance that processes share', () => {
  it('is never exceeded by two of them together, in any window', async () => {
    const clock = new SharedClock(START, 2)
    const calls: number[] = []
    await Promise.all(
      pools.map(async (pool, index) => {
        const timing = clock.timing()
        const allowance = processOn(pool, timing).of('alpaca:two processes', LIMIT)
        for (let call = 0; call < 250; call++) {
          await allowance.acquire(1, never)
          calls.push(clock.now())
          // One of them makes a pause now and then.
          if (index === 1 && call % 50 === 49) await timing.sleep(7_000, never)
        }
        clock.leave()
      }),
    )
    expect(calls).toHaveLength(500)
    expect(busiest(calls)).toBeLessThanOrEqual(LIMIT.calls - LIMIT.reservedForOrders)
    // Nearly all of it is used: 500 calls at 160 a minute take a little more than three minutes.
    expect(clock.now() - START).toBeLessThan(4.2 * MINUTE)
  })

  it('holds by the clock of the database when both ask at once', async () => {
    const key = { service: 'test', fingerprint: 'at once' }
    const request = { calls: 10, windowMillis: MINUTE, need: 1, want: 1, leaseMillis: 0, ignoresPause: false }
    const answers = await Promise.all(
      pools.flatMap((pool) => Array.from({ length: 15 }, () => createCallAllowances(pool).acquire(key, request))),
    )
    expect(answers.reduce((sum, { granted }) => sum + granted, 0)).toBe(10)
    const refused = answers.filter(({ granted }) => granted === 0)
    for (const { waitMillis } of refused) expect(waitMillis).toBeGreaterThan(MINUTE / 2)
  })

  it('keeps a part for orders, which do not wait for reads', async () => {
    const timing = new VirtualTiming(START)
    const [reader, trader] = pools.map((pool) => processOn(pool, timing).of('alpaca:orders', LIMIT))
    for (let call = 0; call < 160; call++) await reader!.acquire(1, never)
    const slept = timing.slept.length
    for (let order = 0; order < 40; order++) await trader!.acquire(1, never, { priority: 'order' })
    expect(timing.slept.slice(slept)).toEqual([])
    await trader!.acquire(1, never, { priority: 'order' })
    expect(timing.now() - START).toBeGreaterThanOrEqual(MINUTE)
  })

  it('keeps a part for cancellations, which wait neither for reads nor for orders', async () => {
    const timing = new VirtualTiming(START)
    const limit = { ...LIMIT, reservedForOrders: 60, reservedForCancels: 30 }
    const [trader, stop] = pools.map((pool) => processOn(pool, timing).of('alpaca:cancels', limit))
    for (let read = 0; read < 140; read++) await trader!.acquire(1, never)
    for (let order = 0; order < 30; order++) await trader!.acquire(1, never, { priority: 'order' })
    const slept = timing.slept.length
    for (let cancel = 0; cancel < 30; cancel++) await stop!.acquire(1, never, { priority: 'cancel' })
    expect(timing.slept.slice(slept)).toEqual([])
    await trader!.acquire(1, never, { priority: 'order' })
    expect(timing.now() - START).toBeGreaterThanOrEqual(MINUTE)
  })

  it('leaves to orders what the vendor says remains, where other programs use the same account', async () => {
    const timing = new VirtualTiming(START)
    const headers = { 'x-ratelimit-remaining': '39', 'x-ratelimit-reset': String(START / 1_000 + 25) }
    const standIn = await startStandIn('test', () => ({ headers, body: {} }))
    const buckets = processOn(pools[0]!, timing)
    const bucket = buckets.of('alpaca:others', LIMIT)
    const surroundings = { transport: fetchTransport, timing, buckets, log: new RecordedLog() }
    const client = httpClient({ service: 'test', baseUrl: standIn.url, bucket }, surroundings)
    await client.text({ path: '/', signal: never })
    await bucket.acquire(1, never, { priority: 'order' })
    expect(timing.now()).toBe(START)
    await bucket.acquire(1, never)
    expect(timing.now()).toBe(START + 25_000)
    await standIn.close()
  })

  it.each([
    ['as much as is reserved', '40', 25],
    ['nothing, in a window that is over', '0', -1],
    ['nothing, for a day', '0', 86_400],
    ['what is no number', '-1', 25],
  ])('waits for nothing where the vendor says that there remains %s', async (_, remaining, seconds) => {
    const timing = new VirtualTiming(START)
    const headers = { 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': String(START / 1_000 + seconds) }
    const standIn = await startStandIn('test', () => ({ headers, body: {} }))
    const buckets = processOn(pools[0]!, timing)
    const bucket = buckets.of(`alpaca:${remaining} ${seconds}`, LIMIT)
    const surroundings = { transport: fetchTransport, timing, buckets, log: new RecordedLog() }
    const client = httpClient({ service: 'test', baseUrl: standIn.url, bucket }, surroundings)
    for (let call = 0; call < 3; call++) await client.text({ path: '/', signal: never })
    expect(timing.now()).toBe(START)
    await standIn.close()
  })

  it('counts what a process kept for later calls when it died', async () => {
    const timing = new VirtualTiming(START)
    const [dying, next] = pools.map((pool) => processOn(pool, timing).of('alpaca:dying', LIMIT))
    for (let call = 0; call < 20; call++) await dying!.acquire(1, never)
    // Whatever it still had is lost with it, and was counted.
    let taken = 0
    while (timing.now() < START + MINUTE && taken < 200) {
      await next!.acquire(1, never)
      if (timing.now() < START + MINUTE) taken++
    }
    expect(taken).toBeLessThanOrEqual(LIMIT.calls - LIMIT.reservedForOrders - 20)
    expect(taken).toBeGreaterThan(120)
  })

  it('lets an order pass reads of its own process that wait', async () => {
    // The test counts as a process, so that time stands still while it has something to do.
    const clock = new SharedClock(START, 2)
    const allowance = processOn(pools[0]!, clock.timing()).of('alpaca:passing', LIMIT)
    const reads = Array.from({ length: 200 }, () => allowance.acquire(1, never))
    await reads[159]
    await allowance.acquire(1, never, { priority: 'order' })
    expect(clock.now()).toBe(START)
    clock.leave()
    await Promise.all(reads)
    expect(clock.now()).toBeGreaterThan(START + MINUTE)
  })

  it('is asked for a few tokens at a time when calls follow each other, and for one when they do not', async () => {
    const timing = new VirtualTiming(START)
    const counted = createCallAllowances(pools[0]!, () => timing.now())
    let questions = 0
    const store: AllowanceStore = {
      ...counted,
      acquire: (...args) => {
        questions++
        return counted.acquire(...args)
      },
    }
    const allowance = sharedAllowances({ store, timing, log: new RecordedLog() }).of('alpaca:leases', LIMIT)
    for (let call = 0; call < 100; call++) await allowance.acquire(1, never)
    expect(questions).toBeLessThan(20)
    timing.advance(10 * MINUTE)
    questions = 0
    for (let call = 0; call < 5; call++) {
      await allowance.acquire(1, never)
      timing.advance(30_000)
    }
    expect(questions).toBe(5)
  })

  it('is paused for all when one meets a 429', async () => {
    const timing = new VirtualTiming(START)
    const standIn = await startStandIn('test', () => ({ body: {} }))
    const [first, second] = pools.map((pool) => {
      const surroundings = {
        transport: fetchTransport,
        timing,
        buckets: processOn(pool, timing),
        log: new RecordedLog(),
      }
      const bucket = surroundings.buckets.of('alpaca:paused', LIMIT)
      return httpClient({ service: 'test', baseUrl: standIn.url, bucket, retry: { attempts: 1 } }, surroundings)
    })
    standIn.misbehave('limited', { times: 1 })
    await expect(first!.text({ path: '/', signal: never })).rejects.toThrow('limiting')
    await expect
      .poll(() =>
        database.pool.query('SELECT 1 FROM call_allowances WHERE paused_until > $1', [START]).then((r) => r.rowCount),
      )
      .toBe(1)
    await second!.text({ path: '/', signal: never })
    expect(timing.now() - START).toBeGreaterThanOrEqual(7_500)
    await standIn.close()
  })

  it('fails at once where a pause is longer than the caller waits, also in another process', async () => {
    const timing = new VirtualTiming(START)
    const [first, second] = pools.map((pool) => processOn(pool, timing).of('alpaca:impatient', LIMIT))
    await first!.acquire(1, never)
    first!.pause(7_501)
    const isPaused = async () => {
      const paused = 'SELECT 1 FROM call_allowances WHERE paused_until = $1'
      return (await database.pool.query(paused, [START + 7_501])).rowCount === 1
    }
    await expect.poll(isPaused).toBe(true)
    for (const one of [first!, second!]) {
      await expect(one.acquire(1, never, { maxPauseMillis: 5_000 })).rejects.toMatchObject({ milliseconds: 7_501 })
    }
    expect(timing.slept).toEqual([])
    await second!.acquire(1, never, { maxPauseMillis: 10_000 })
    expect(timing.slept).toEqual([7_501])
  })

  it('lets a cancellation pass a pause, which orders and reads wait for', async () => {
    const timing = new VirtualTiming(START)
    const [first, second] = pools.map((pool) => processOn(pool, timing).of('alpaca:stopped', LIMIT))
    await first!.acquire(1, never)
    first!.pause(20_000)
    await expect
      .poll(async () => {
        const paused = 'SELECT 1 FROM call_allowances WHERE paused_until = $1'
        return (await database.pool.query(paused, [START + 20_000])).rowCount
      })
      .toBe(1)
    for (const one of [first!, second!]) await one.acquire(1, never, { priority: 'cancel' })
    expect(timing.now()).toBe(START)
    await second!.acquire(1, never, { priority: 'order' })
    expect(timing.now()).toBe(START + 20_000)
  })

  it('is paused when the vendor says that nothing remains', async () => {
    const timing = new VirtualTiming(START)
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(START / 1_000 + 20) }
    const standIn = await startStandIn('test', () => ({ headers, body: {} }))
    const buckets = processOn(pools[0]!, timing)
    const bucket = buckets.of('alpaca:remaining', LIMIT)
    const surroundings = { transport: fetchTransport, timing, buckets, log: new RecordedLog() }
    const client = httpClient({ service: 'test', baseUrl: standIn.url, bucket }, surroundings)
    await client.text({ path: '/', signal: never })
    await client.text({ path: '/', signal: never })
    expect(timing.now() - START).toBe(20_000)
    await standIn.close()
  })

  it('is lived on carefully while the store is away: orders go on, reads wait and then go slowly', async () => {
    const timing = new VirtualTiming(START)
    const away = () => Promise.reject(new Error('no database'))
    const log = new RecordedLog()
    const allowance = sharedAllowances({ store: { acquire: away, pause: away }, timing, log }).of('alpaca:away', {
      ...LIMIT,
      reservedForCancels: 20,
    })
    for (let order = 0; order < 5; order++) await allowance.acquire(1, never, { priority: 'order' })
    for (let cancel = 0; cancel < 20; cancel++) await allowance.acquire(1, never, { priority: 'cancel' })
    expect(timing.now()).toBe(START)
    const reads: number[] = []
    for (let read = 0; read < 10; read++) {
      await allowance.acquire(1, never)
      reads.push(timing.now())
    }
    expect(reads[0]! - START).toBeGreaterThanOrEqual(MINUTE)
    expect(reads[9]! - reads[0]!).toBeGreaterThanOrEqual((9 * 8 * MINUTE) / LIMIT.calls)
    expect(log.lines.join()).toContain('no database')
  })

  it('comes back with the store', async () => {
    const timing = new VirtualTiming(START)
    const real = createCallAllowances(pools[0]!, () => timing.now())
    let failures = 3
    const store: AllowanceStore = {
      ...real,
      acquire: (...args) => (failures-- > 0 ? Promise.reject(new Error('restarting')) : real.acquire(...args)),
    }
    await sharedAllowances({ store, timing, log: new RecordedLog() }).of('alpaca:back', LIMIT).acquire(1, never)
    expect(timing.now() - START).toBe(3_000)
  })

  it('is kept without the key it belongs to', async () => {
    await processOn(pools[0]!, new VirtualTiming(START)).of('alpaca:PKSECRETKEY', LIMIT).acquire(1, never)
    const { rows } = await database.pool.query<{ service: string }>('SELECT * FROM call_allowances')
    expect(JSON.stringify(rows)).not.toContain('PKSECRETKEY')
    expect(rows.map(({ service }) => service)).toContain('alpaca')
  })

  it('refuses a call that could never fit instead of waiting for ever', async () => {
    const allowance = processOn(pools[0]!, new VirtualTiming(START)).of('alpaca:large', LIMIT)
    await expect(allowance.acquire(161, never)).rejects.toThrow(RangeError)
  })
})
