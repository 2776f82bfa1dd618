import { MINUTE } from '@tradewright/core/time'
import { createServer } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startStandIn, type StandIn } from '../../../test-support/stand-ins/stand-in.ts'
import { testSurroundings } from '../../../test-support/test-surroundings.ts'
import { httpClient } from './http-client.ts'
import { type Connect, rememberReachability } from './reachability.ts'

const never = new AbortController().signal

let standIn: StandIn
let status: number
beforeEach(async () => {
  status = 200
  standIn = await startStandIn('test', () => ({ status, body: { fine: true } }))
})
afterEach(() => standIn.close())

function open(baseUrl = standIn.url) {
  const surroundings = testSurroundings()
  const connections: string[] = []
  let isOnline = true
  const connect: Connect = async (url) => {
    connections.push(url.host)
    if (!isOnline) throw new Error('ENOTFOUND')
  }
  const reachability = rememberReachability(() => surroundings.timing.now(), connect)
  const client = (address: string) =>
    httpClient({ service: 'test', baseUrl: address }, { ...surroundings, reachability })
  const ask = (path = '/SPY') => client(baseUrl).json({ path, signal: never })
  const goOffline = () => (isOnline = false)
  const goOnline = () => (isOnline = true)
  return { ...surroundings, reachability, connections, client, ask, goOffline, goOnline }
}

it('finds an unreachable host once, and asks it again after a minute', async () => {
  const { ask, connections, timing, goOffline, goOnline } = open()
  goOffline()
  for (const path of ['/SPY', '/AGG', '/TLT']) await expect(ask(path)).rejects.toThrow('it cannot be reached')
  expect(connections).toHaveLength(1)
  expect(timing.slept).toEqual([])
  goOnline()
  timing.advance(MINUTE)
  await expect(ask()).resolves.toEqual({ fine: true })
})

it('connects once for calls at the same time, and finds out in advance when it is asked to', async () => {
  const { ask, reachability, connections, goOffline } = open()
  goOffline()
  await reachability.probe([new URL(standIn.url)])
  expect(connections).toHaveLength(1)
  await expect(ask()).rejects.toThrow('it cannot be reached')
  expect(connections).toHaveLength(1)
  reachability.forget()
  await Promise.allSettled([ask('/SPY'), ask('/AGG')])
  expect(connections).toHaveLength(2)
})

it('lets a caller who gave up go, and the others wait on', async () => {
  let refuse = () => {}
  const reachability = rememberReachability(
    Date.now,
    async () => new Promise((_, reject) => (refuse = () => reject(new Error('ETIMEDOUT')))),
  )
  const impatient = new AbortController()
  const [first, second] = [impatient.signal, never].map((signal) =>
    reachability.assertReachable(new URL(standIn.url), signal),
  )
  impatient.abort(new Error('gave up'))
  await expect(first).rejects.toThrow('gave up')
  refuse()
  await expect(second).rejects.toThrow('it cannot be reached')
})

it('asks again at once when the user wants it', async () => {
  const { ask, reachability, goOffline, goOnline } = open()
  goOffline()
  await expect(ask()).rejects.toThrow('it cannot be reached')
  goOnline()
  reachability.forget()
  await expect(ask()).resolves.toEqual({ fine: true })
})

it('goes by host: another one is asked', async () => {
  const { ask, client, goOffline, goOnline } = open('http://elsewhere.test')
  goOffline()
  await expect(ask()).rejects.toThrow('it cannot be reached')
  goOnline()
  await expect(client(standIn.url).json({ path: '/SPY', signal: never })).resolves.toEqual({ fine: true })
})

it.each([404, 429, 500])('takes an answer of status %i as a sign that the host is there', async (refusal) => {
  const { ask, connections } = open()
  status = refusal
  await expect(ask('/NOSUCH')).rejects.toMatchObject({ status: refusal })
  status = 200
  await expect(ask('/SPY')).resolves.toEqual({ fine: true })
  expect(connections).toHaveLength(1)
})

it('still repeats a call to a host that answered before', async () => {
  const { ask } = open()
  await ask()
  standIn.misbehave('down')
  await expect(ask()).rejects.toMatchObject({ kind: 'network' })
  expect(standIn.requests).toHaveLength(4)
})

it('does not take a header that cannot be sent as a sign that the host is away', async () => {
  const { ask, client } = open()
  const headers = { 'user-agent': 'Tradewright łucja@example.org' }
  const asked = client(standIn.url).json({ path: '/SPY', headers, signal: never })
  await expect(asked).rejects.toMatchObject({ kind: 'bad-request' })
  await expect(ask()).resolves.toEqual({ fine: true })
})

it('takes an answer that breaks off as a sign that the host is there', async () => {
  const { ask } = open()
  standIn.misbehave('half-body')
  await expect(ask('/LONG')).rejects.toMatchObject({ kind: 'network' })
  standIn.behave()
  await expect(ask()).resolves.toEqual({ fine: true })
})

it('gives up a connection that is not accepted', async () => {
  const closed = createServer()
  await new Promise<void>((done) => closed.listen(0, '127.0.0.1', done))
  const address = closed.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  await new Promise((done) => closed.close(done))
  const reachability = rememberReachability(Date.now)
  await expect(reachability.assertReachable(new URL(`http://127.0.0.1:${address.port}`), never)).rejects.toMatchObject({
    kind: 'network',
    message: 'it cannot be reached',
  })
  await expect(rememberReachability(Date.now).assertReachable(new URL(standIn.url), never)).resolves.toBeUndefined()
})
