import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { type Caller, caller } from '../../../test-support/caller.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { callLimits, FairCalls } from './fair-calls.ts'

let time = 0
let calls: FairCalls
const open = (callsPerMinute = 120, threadPct = 40) => {
  time = 0
  calls = new FairCalls(callLimits(callsPerMinute, threadPct), () => time)
  return calls
}
afterEach(() => calls?.close())

const spin = (ms: number) => {
  const until = performance.now() + ms
  while (performance.now() < until);
}

describe('calls that begin at the same moment', () => {
  it('are four of an account, and the next one begins when one of them has ended', async () => {
    const fair = open()
    const turns = await Promise.all([1, 2, 3, 4].map(() => fair.enterAccount(1)))
    const began: string[] = []
    const fifth = fair.enterAccount(1).then(() => began.push('fifth'))
    await wait(20)
    expect(began).toEqual([])
    turns[0]!.end()
    await fifth
    expect(began).toEqual(['fifth'])
  })

  it('do not wait for those of another account', async () => {
    const fair = open()
    for (let i = 0; i < 10; i++) void fair.enterAccount(1)
    await fair.enterAccount(2)
  })

  it('do not wait for one that itself waits for something else', async () => {
    const fair = open()
    await Promise.all([1, 2, 3, 4].map(() => fair.enterAccount(1)))
    await fair.enterAccount(1)
  })

  it('of a stop do not wait for other calls of its owner', async () => {
    const fair = open()
    for (let i = 0; i < 10; i++) void fair.enterAccount(1)
    await fair.enterUrgent(1)
  })

  it('wait while a stop is under way, also those of others, but not for long and not for one stop after the other', async () => {
    const fair = open()
    const stop = await fair.enterUrgent(1)
    const began: string[] = []
    const waiting = fair.enterAccount(2).then(() => began.push('after the first stop'))
    await wait(20)
    expect(began).toEqual([])
    time += 100
    stop.end()
    await waiting
    // As long as the first stop took, the next one holds up nobody.
    await fair.enterUrgent(1)
    ;(await fair.enterAccount(3)).end()
    time += 100
    await fair.enterUrgent(1)
    const held = fair.enterAccount(2).then(() => began.push('while a stop takes long'))
    time += 500
    await held
    expect(began).toEqual(['after the first stop', 'while a stop takes long'])
  })

  it('are one of an account that has used the thread much lately', async () => {
    const fair = open(100_000)
    const heavy = await fair.enterAccount(1)
    for (let i = 0; i < 12; i++) {
      heavy.answering()
      spin(110)
      await wait(1)
    }
    heavy.end()
    const began: string[] = []
    const first = await fair.enterAccount(1)
    const second = fair.enterAccount(1).then(() => began.push('second'))
    for (let i = 0; i < 4; i++) await fair.enterAccount(2)
    expect(began).toEqual([])
    first.end()
    await second
  })

  it('are refused with a sentence where too many of them wait', async () => {
    const fair = open(100_000)
    const waiting = Array.from({ length: 204 }, () => fair.enterAccount(1))
    await expect(fair.enterAccount(1)).rejects.toMatchObject({ kind: 'limited', code: 'calls.at-once' })
    for (const turn of waiting) void turn.then((one) => one.end())
    await Promise.all(waiting)
  })
})

describe('an account', () => {
  it('has so many calls a minute, and is told when there are more', async () => {
    const fair = open(120)
    for (let i = 0; i < 60; i++) (await fair.enterAccount(1)).end()
    await expect(fair.enterAccount(1)).rejects.toMatchObject({
      kind: 'limited',
      message: 'Too many requests. Please try again in a second.',
      retryAfterSeconds: 1,
    })
    ;(await fair.enterAccount(2)).end()
    time += 1_000
    ;(await fair.enterAccount(1)).end()
  })

  it('pays for the time of the thread that its calls take, and others do not', async () => {
    const fair = open(100_000, 1)
    const [mine, theirs] = [await fair.enterAccount(1), await fair.enterAccount(2)]
    theirs.end()
    for (let i = 0; i < 60; i++) {
      mine.answering()
      spin(110)
      await wait(1)
      if (i < 20) continue
      const refused = await fair.enterAccount(1).then(
        (turn) => {
          turn.end()
          return undefined
        },
        (error: { code: string }) => error.code,
      )
      if (refused !== undefined) {
        expect(refused).toBe('calls.time')
        break
      }
    }
    await expect(fair.enterAccount(1)).rejects.toMatchObject({ code: 'calls.time' })
    ;(await fair.enterAccount(2)).end()
    mine.end()
    time += 3_600_000
    ;(await fair.enterAccount(1)).end()
  })
})

describe('on a server', () => {
  const opened: TestApp[] = []
  afterEach(async () => {
    for (const server of opened.splice(0)) await server.close()
  })
  const serve = async (environment: Record<string, string>) => {
    const server = await createTestApp({ environment })
    opened.push(server)
    return server
  }
  const statuses = async (count: number, call: () => ReturnType<Caller['get']>) => {
    const answers = await Promise.all(Array.from({ length: count }, call))
    return { answers, refused: answers.filter(({ statusCode }) => statusCode === 429) }
  }

  it('a session has as many calls as MAX_CALLS_PER_MINUTE says, and may always stop', async () => {
    const server = await serve({ MAX_CALLS_PER_MINUTE: '60' })
    const [user, other] = [await caller(server), await caller(server)]
    const { refused } = await statuses(60, () => user.get('/api/strategies'))
    expect(refused.length).toBeGreaterThan(20)
    const [first] = refused
    expect(first!.json<{ error: string }>().error).toMatch(/^Too many requests\. Please try again in /)
    expect(Number(first!.headers['retry-after'])).toBeGreaterThan(0)
    expect((await other.get('/api/strategies')).statusCode).toBe(200)
    expect((await user.post('/api/deployment/emergency-stop')).statusCode).toBe(200)
  })

  it('a visitor who floods it is refused, and others are not', async () => {
    const server = await serve({ MAX_CALLS_PER_MINUTE: '60', APP_URL: 'https://tradewright.example' })
    const visit = (address: string) =>
      server.app.inject({
        url: '/api/auth/registration',
        headers: { host: 'tradewright.example' },
        remoteAddress: address,
      })
    const { refused } = await statuses(200, () => visit('203.0.113.7'))
    expect(refused.length).toBeGreaterThan(20)
    expect((await visit('203.0.113.8')).statusCode).toBe(200)
    expect((await server.app.inject({ url: '/health', remoteAddress: '203.0.113.7' })).statusCode).toBe(200)
  })
})
