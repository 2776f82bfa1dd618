import { type AddressInfo, createServer, type Socket } from 'node:net'
import { getCACertificates, setDefaultCACertificates, TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loopbackCertificate } from '../../../../test-support/stand-ins/loopback-certificate.ts'
import { loopbackAccess } from '../../../../test-support/store-access.ts'
import { reasonOf } from '../driver-errors.ts'
import { guardedPool } from './guarded-pool.ts'

const message = (type: string, body: Buffer | string = ''): Buffer => {
  const bytes = Buffer.from(body)
  const head = Buffer.alloc(5)
  head.write(type, 0, 'latin1')
  head.writeInt32BE(bytes.length + 4, 1)
  return Buffer.concat([head, bytes])
}
const int16 = (number: number) => Buffer.from([number >> 8, number & 255])
const column = (name: string) =>
  Buffer.concat([Buffer.from(`${name}\0`), Buffer.alloc(6), Buffer.from([0, 0, 0, 25]), Buffer.alloc(8)])
const value = (text: string) => Buffer.concat([Buffer.from([0, 0, 0, text.length]), Buffer.from(text)])

const ready = message('Z', 'I')
const signedIn = Buffer.concat([message('R', Buffer.alloc(4)), ready])
const answer = Buffer.concat([
  message('T', Buffer.concat([int16(1), column('word')])),
  message('D', Buffer.concat([int16(1), value('yes')])),
  message('C', 'SELECT 1\0'),
  ready,
])
const rowThatGoesBack = Buffer.concat([int16(60), Buffer.from([255, 255, 255, 252])])

/** What a server sends after the startup message, and after the query. */
type Script = readonly [afterStartup: Buffer, afterQuery?: Buffer]

const MALFORMED: Readonly<Record<string, Script>> = {
  'a sign-in without a kind': [message('R')],
  'a sign-in of an unknown kind': [message('R', Buffer.from([0, 0, 0, 99]))],
  'two challenges': [Buffer.concat([message('R', '\0\0\0\x0br='), message('R', '\0\0\0\x0br=')])],
  'an error without an end': [message('E', 'Mhello\0')],
  'an empty error': [signedIn, message('E')],
  'a row before the query': [message('D', int16(1_000))],
  'a row without its fields': [signedIn, message('D', int16(60))],
  'a row of a negative number of fields': [signedIn, message('D', int16(-1))],
  'a row whose field has a negative length': [signedIn, message('D', rowThatGoesBack)],
  'a row that ends in its length': [signedIn, Buffer.from('D\0\0\0\0D\0\0\0\0')],
  'columns without names': [signedIn, message('T', int16(60))],
  'more columns than any query has': [signedIn, message('T', Buffer.concat([int16(1_000), Buffer.alloc(19_000)]))],
  'a long status': [Buffer.concat([message('S', Buffer.alloc(2 ** 20 + 1, 'x')), signedIn])],
}

const sockets = new Set<Socket>()

async function startServer([afterStartup, afterQuery]: Script, isEncrypted: boolean) {
  const speak = (stream: Socket | TLSSocket) => {
    let messages = 0
    stream.on('error', () => {})
    stream.on('data', () => stream.write(++messages === 1 ? afterStartup : (afterQuery ?? answer)))
  }
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    if (!isEncrypted) return speak(socket)
    socket.once('data', () => {
      socket.write('S')
      speak(new TLSSocket(socket, { isServer: true, ...loopbackCertificate }))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return server
}

async function ask(script: Script, isEncrypted: boolean): Promise<unknown> {
  const server = await startServer(script, isEncrypted)
  const words = { database: 'x', username: 'x', password: 'x', schema: 'x', prefix: 'x' }
  const { port } = server.address() as AddressInfo
  const pool = guardedPool({ host: '127.0.0.1', port, ssl: isEncrypted, ...words }, loopbackAccess())
  try {
    return (await pool.query('SELECT')).rows
  } catch (error) {
    return reasonOf(error)
  } finally {
    await pool.end()
    server.close()
  }
}

const trusted = getCACertificates('default')
beforeAll(() => setDefaultCACertificates([...trusted, loopbackCertificate.cert]))
afterAll(() => {
  setDefaultCACertificates(trusted)
  for (const socket of sockets) socket.destroy()
})

describe.each([false, true])('a PostgreSQL that is not trusted (encrypted: %s)', (isEncrypted) => {
  it('is read when it keeps to the protocol', async () => {
    expect(await ask([signedIn, answer], isEncrypted)).toEqual([{ word: 'yes' }])
  })

  it.each(Object.keys(MALFORMED))('is given up, and the process continues, after %s', async (fault) => {
    expect(await ask(MALFORMED[fault]!, isEncrypted)).toBe('it does not answer as it should')
  })

  it('may send nonsense after its answer', async () => {
    const script = [signedIn, Buffer.concat([answer, message('R'), message('D', int16(1_000))])] as const
    expect(await ask(script, isEncrypted)).toEqual([{ word: 'yes' }])
  })
})
