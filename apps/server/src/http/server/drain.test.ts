import { EVENTS_PATH } from '@tradewright/contract/events'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { createLog } from '../../log.ts'
import { createApp } from './app.ts'
import { drainBeforeClose, type DrainSettings, type DrainTiming } from './drain.ts'

/** Time that passes when the test says so: requests are as slow as the machine is. */
class SlowTime implements DrainTiming {
  #now = 0
  #sleepers: { until: number; wake: () => void }[] = []
  readonly #begun = Promise.withResolvers<void>()
  now = () => this.#now
  pause = (milliseconds: number) => {
    this.#begun.resolve()
    return new Promise<void>((wake) => this.#sleepers.push({ until: this.#now + milliseconds, wake }))
  }

  /** Begins when the process does to close, and lets those that are due go on before it returns. */
  async pass(milliseconds: number): Promise<void> {
    await this.#begun.promise
    this.#now += milliseconds
    const due = this.#sleepers.filter(({ until }) => until <= this.#now)
    this.#sleepers = this.#sleepers.filter(({ until }) => until > this.#now)
    for (const { wake } of due) wake()
    await setImmediate()
  }
}

async function listening(settings: DrainSettings) {
  const app = await createApp({ log: createLog({ logLevel: 'silent' }), appUrl: undefined })
  const answered = Promise.withResolvers<void>()
  const time = new SlowTime()
  drainBeforeClose(app, settings, time)
  app.get('/quick', () => ({ is: 'answered' }))
  app.get('/ready', () => ({ is: 'closing' }))
  app.get('/slow', async () => {
    await answered.promise
    return { is: 'answered' }
  })
  app.get(EVENTS_PATH, (_request, reply) => void reply.hijack().raw.writeHead(200).write('id: 0\n\n'))
  await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.close())
  const { port } = app.server.address() as AddressInfo
  const state = { isClosed: false }
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
  return {
    answer: answered.resolve,
    get,
    time,
    close: async () => {
      await app.close()
      state.isClosed = true
    },
    isClosed: () => state.isClosed,
    /** Gives the time at which it is closed, with calls of this path until then. */
    askUntilClosed: async (path?: string): Promise<number> => {
      while (!state.isClosed) {
        await time.pass(20)
        if (path !== undefined) await get(path).catch(() => undefined)
      }
      return time.now()
    },
  }
}

it('answers requests that come while balancers have not noticed that it closes', async () => {
  const { close, time, get } = await listening({ acceptMs: 300, finishMs: 0 })
  const closing = close()
  await time.pass(299)
  const late = await get('/quick')
  expect([late.status, late.headers.get('connection')]).toEqual([200, 'close'])
  await time.pass(1)
  await closing
  await expect(get('/quick')).rejects.toThrow()
})

it('answers requests of a balancer that notices late, however long its own time is over', async () => {
  const { close, time, get, isClosed, askUntilClosed } = await listening({ acceptMs: 50, finishMs: 30_000 })
  const closing = close()
  await time.pass(49)
  for (let late = 0; late < 15; late++) {
    expect((await get('/quick')).status).toBe(200)
    await time.pass(100)
  }
  expect(isClosed()).toBe(false)
  expect(await askUntilClosed()).toBeGreaterThanOrEqual(49 + 14 * 100 + 1_000)
  await closing
})

it('is not kept open by probes, nor where requests go on past its time', async () => {
  const asked = await listening({ acceptMs: 50, finishMs: 500 })
  const closing = asked.close()
  expect(await asked.askUntilClosed('/quick')).toBeGreaterThanOrEqual(550)
  await closing

  const probed = await listening({ acceptMs: 50, finishMs: 30_000 })
  const ending = probed.close()
  expect(await probed.askUntilClosed('/ready')).toBeLessThan(1_000)
  await ending
})

it('answers the requests it has before it closes, and waits for no stream of events', async () => {
  const { close, time, get, answer, isClosed, askUntilClosed } = await listening({ acceptMs: 0, finishMs: 30_000 })
  const stream = await get(EVENTS_PATH)
  const slow = get('/slow')
  await get('/quick')
  const closing = close()
  await time.pass(29_000)
  expect(isClosed()).toBe(false)
  answer()
  expect(await (await slow).json()).toEqual({ is: 'answered' })
  await askUntilClosed()
  await closing
  await expect(stream.text()).rejects.toThrow()
})

it('closes when its time is over, whatever is under way', async () => {
  const { close, get, askUntilClosed } = await listening({ acceptMs: 0, finishMs: 50 })
  const slow = get('/slow').catch(() => 'cut')
  await get('/quick')
  const closing = close()
  expect(await askUntilClosed()).toBeGreaterThanOrEqual(50)
  await closing
  expect(await slow).toBe('cut')
})
