import { EVENTS_PATH } from '@tradewright/contract/events'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { createLog } from '../../log.ts'
import { createApp } from './app.ts'
import { drainBeforeClose, type DrainSettings } from './drain.ts'

async function listening(settings: DrainSettings) {
  const app = await createApp({ log: createLog({ logLevel: 'silent' }), appUrl: undefined })
  const answered = Promise.withResolvers<void>()
  drainBeforeClose(app, settings)
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
  return { app, answer: answered.resolve, get: (path: string) => fetch(`http://127.0.0.1:${port}${path}`) }
}

it('answers requests that come while balancers have not noticed that it closes', async () => {
  const { app, get } = await listening({ acceptMs: 300, finishMs: 0 })
  const closing = app.close()
  const late = await get('/quick')
  expect([late.status, late.headers.get('connection')]).toEqual([200, 'close'])
  await closing
  await expect(get('/quick')).rejects.toThrow()
})

it('answers requests of a balancer that notices late, however long its own time is over', async () => {
  const { app, get } = await listening({ acceptMs: 50, finishMs: 30_000 })
  const closing = app.close()
  for (let late = 0; late < 15; late++) {
    expect((await get('/quick')).status).toBe(200)
    await pause(100)
  }
  await closing
})

it('is not kept open by probes, nor where requests go on past its time', async () => {
  const { app, get } = await listening({ acceptMs: 50, finishMs: 500 })
  const began = performance.now()
  const closing = app.close()
  const asking = (async () => {
    while (await get('/quick').catch(() => undefined)) await pause(20)
  })()
  await Promise.all([closing, asking])
  expect(performance.now() - began).toBeGreaterThan(500)

  const probed = await listening({ acceptMs: 50, finishMs: 30_000 })
  const probing = (async () => {
    while (await probed.get('/ready').catch(() => undefined)) await pause(20)
  })()
  await Promise.all([probed.app.close(), probing])
})

it('answers the requests it has before it closes, and waits for no stream of events', async () => {
  const { app, get, answer } = await listening({ acceptMs: 0, finishMs: 30_000 })
  const stream = await get(EVENTS_PATH)
  const slow = get('/slow')
  await get('/quick')
  const closing = app.close()
  await Promise.race([closing.then(() => expect.fail('closed before it had answered')), pause(100)])
  answer()
  expect(await (await slow).json()).toEqual({ is: 'answered' })
  await closing
  await expect(stream.text()).rejects.toThrow()
})

it('closes when its time is over, whatever is under way', async () => {
  const { app, get } = await listening({ acceptMs: 0, finishMs: 50 })
  const slow = get('/slow').catch(() => 'cut')
  await get('/quick')
  await app.close()
  expect(await slow).toBe('cut')
})
