import { type AddressInfo, createServer, type Socket } from 'node:net'
import { BSON, type Document } from 'mongodb'

export interface MongodbStandIn {
  readonly port: number
  /** The names of the commands it was sent. */
  readonly commands: readonly string[]
  close(): void
}

const OP_REPLY = 1
const OP_QUERY = 2004
const OP_MSG = 2013

const HELLO = { ok: 1, isWritablePrimary: true, helloOk: true, minWireVersion: 0, maxWireVersion: 21 }

/** Speaks the protocol on loopback. `answerTo` may replace its answer to a command, and knows nothing of its data. */
export async function startMongodb(answerTo: (name: string, command: Document) => Document | undefined) {
  const commands: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    let received = Buffer.alloc(0)
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      while (received.length >= 4 && received.length >= received.readInt32LE(0)) {
        const size = received.readInt32LE(0)
        socket.write(answer(received.subarray(0, size)))
        received = received.subarray(size)
      }
    })
  })

  function answer(message: Buffer): Buffer {
    const isQuery = message.readInt32LE(12) === OP_QUERY
    // Behind the name of the collection and two numbers, or behind flags and the kind of the section.
    const at = isQuery ? message.indexOf(0, 20) + 9 : 21
    const command = BSON.deserialize(message.subarray(at, at + message.readInt32LE(at)))
    const name = Object.keys(command)[0]!
    commands.push(name)
    const isHello = /^(hello|ismaster)$/i.test(name)
    const usual = isHello ? HELLO : { ok: 1, cursor: { id: 0n, ns: 'd.c', firstBatch: [] } }
    return packed(message.readInt32LE(4), answerTo(name, command) ?? usual, isQuery)
  }

  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  return { port, commands, close } satisfies MongodbStandIn
}

function packed(requestId: number, document: Document, isQuery: boolean): Buffer {
  const head = Buffer.alloc(isQuery ? 36 : 21)
  const body = BSON.serialize(document)
  head.writeInt32LE(head.length + body.length, 0)
  head.writeInt32LE(requestId, 8)
  head.writeInt32LE(isQuery ? OP_REPLY : OP_MSG, 12)
  if (isQuery) head.writeInt32LE(1, 32)
  return Buffer.concat([head, body])
}

export const hello = (fields: Document): Document => ({ ...HELLO, ...fields })
