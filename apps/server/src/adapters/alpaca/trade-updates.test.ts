import { afterEach, beforeEach, expect, it } from 'vitest'
import { type AlpacaStandIn, STAND_IN_KEYS, startAlpacaStandIn } from '../../../test-support/stand-ins/alpaca/alpaca.ts'
import { RecordedLog } from '../../../test-support/recorded-log.ts'
import { watchTradeUpdates } from './trade-updates.ts'

let standIn: AlpacaStandIn
let stop: () => void
let rings: number
let attempts: number[]
let log: RecordedLog

beforeEach(async () => {
  standIn = await startAlpacaStandIn(() => Date.parse('2026-03-04T16:00:00Z'))
  rings = 0
  attempts = []
  log = new RecordedLog()
  stop = () => {}
})
afterEach(async () => {
  stop()
  await standIn.close()
})

function watch(baseUrl = standIn.url): void {
  stop = watchTradeUpdates({
    address: async () => ({ baseUrl, keys: STAND_IN_KEYS }),
    onNews: () => rings++,
    log,
    pauseBefore: (attempt) => {
      attempts.push(attempt)
      return 1
    },
  })
}

const untilListening = () => expect.poll(() => standIn.stream.listeners.size).toBe(1)
const untilRung = (times: number) => expect.poll(() => rings).toBe(times)

function buyOne(): void {
  standIn.account.add({
    clientOrderId: `order-${rings}`,
    symbol: 'SPY',
    side: 'buy',
    qty: undefined,
    notional: undefined,
    type: 'market',
    timeInForce: 'day',
    limitPrice: undefined,
  })
}

it('rings when it begins to listen and at every trade, told in binary as Alpaca does', async () => {
  watch()
  await untilListening()
  await untilRung(1)
  standIn.account.rejectNext = 'no'
  buyOne()
  await untilRung(2)
})

it('comes back when the line breaks, and rings, since it may have missed something', async () => {
  watch()
  await untilListening()
  await untilRung(1)
  standIn.stream.cut()
  await untilRung(2)
  expect(standIn.stream.connections).toBe(2)
  // A connection that worked ends the row of failures.
  standIn.stream.cut()
  await untilRung(3)
  expect(attempts).toEqual([1, 1])
})

it('waits longer and longer while the keys are refused, and never tells them to the log', async () => {
  standIn.stream.refusesKeys = true
  watch()
  await expect.poll(() => attempts.length).toBeGreaterThan(2)
  expect(attempts.slice(0, 3)).toEqual([1, 2, 3])
  expect(rings).toBe(0)
  expect(log.lines.join('\n')).not.toContain(STAND_IN_KEYS.secretKey)
  standIn.stream.refusesKeys = false
  await untilRung(1)
})

it('makes nothing of noise', async () => {
  watch()
  await untilListening()
  await untilRung(1)
  for (const noise of ['', '{', 'null', '[]', '{"stream":"weather"}', '{"stream":"authorization"', '42'])
    standIn.stream.say(noise)
  standIn.stream.say({ stream: 'trade_updates', data: null })
  await untilRung(2)
  expect(standIn.stream.connections).toBe(1)
})

it('retries where nothing listens, and stops when it is told to', async () => {
  const silent = await startAlpacaStandIn(() => 0)
  await silent.close()
  watch(silent.url)
  await expect.poll(() => attempts.length).toBeGreaterThan(1)
  stop()
  expect(rings).toBe(0)
})

it('has nothing to listen to at an account without a stream', async () => {
  const asked = Promise.withResolvers<void>()
  stop = watchTradeUpdates({
    address: async () => {
      asked.resolve()
      return undefined
    },
    onNews: () => rings++,
    log,
  })
  await asked.promise
  expect(standIn.stream.connections).toBe(0)
})
