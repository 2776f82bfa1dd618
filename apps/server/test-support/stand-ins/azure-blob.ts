import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

export interface AzureBlobStandIn {
  /** The account's address. */
  readonly endpoint: string
  readonly requests: string[]
  /** Answers the next request so instead. */
  answerNext: ((outgoing: ServerResponse) => void) | undefined
  close(): Promise<void>
}

/** The calls of Azure's blob service that we make, for one account and one container. Signatures are not checked. */
export async function startAzureBlobStandIn(account: string, container: string): Promise<AzureBlobStandIn> {
  const blobs = new Map<string, Buffer>()
  const base = `/${account}/${container}`
  const server = createServer((incoming, outgoing) => {
    void serve(incoming, outgoing)
  })
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const body = Buffer.concat(await incoming.toArray())
    const url = new URL(incoming.url ?? '/', 'http://stand-in')
    standIn.requests.push(`${incoming.method} ${url.pathname}${url.search}`)
    const { answerNext } = standIn
    standIn.answerNext = undefined
    if (answerNext) return answerNext(outgoing)
    if (!url.pathname.startsWith(base)) return fail(outgoing, 404, 'ContainerNotFound')
    const key = decodeURIComponent(url.pathname.slice(base.length + 1))
    if (key === '' && url.searchParams.get('comp') === 'list') {
      return sendXml(outgoing, 200, listing(blobs, url.searchParams.get('prefix') ?? ''))
    }
    if (key === '') return sendXml(outgoing, 200, '')
    return serveBlob({ method: incoming.method, key, body, isNew: incoming.headers['if-none-match'] === '*' }, outgoing)
  }
  const serveBlob = (
    { method, key, body, isNew }: { method: string | undefined; key: string; body: Buffer; isNew: boolean },
    outgoing: ServerResponse,
  ) => {
    const known = blobs.get(key)
    if (method === 'PUT') {
      if (isNew && known) return fail(outgoing, 409, 'BlobAlreadyExists')
      blobs.set(key, body)
      return outgoing.writeHead(201, stamps).end()
    }
    if (!known) return fail(outgoing, 404, 'BlobNotFound')
    if (method === 'DELETE') {
      blobs.delete(key)
      return outgoing.writeHead(202).end()
    }
    return outgoing.writeHead(200, { ...stamps, 'content-length': String(known.length) }).end(known)
  }
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const standIn: AzureBlobStandIn = {
    endpoint: `http://127.0.0.1:${address.port}/${account}`,
    requests: [],
    answerNext: undefined,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
  return standIn
}

const MODIFIED = 'Mon, 02 Mar 2026 15:00:00 GMT'
const stamps = { etag: '"1"', 'last-modified': MODIFIED }

const sendXml = (outgoing: ServerResponse, status: number, xml: string) =>
  outgoing.writeHead(status, { ...stamps, 'content-type': 'application/xml' }).end(xml)

const fail = (outgoing: ServerResponse, status: number, code: string) =>
  outgoing
    .writeHead(status, { 'content-type': 'application/xml', 'x-ms-error-code': code })
    .end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>secret page</Message></Error>`)

const listing = (blobs: ReadonlyMap<string, Buffer>, prefix: string) => {
  const items = [...blobs.keys()]
    .filter((key) => key.startsWith(prefix))
    .map((key) => `<Blob><Name>${key}</Name><Properties><Last-Modified>${MODIFIED}</Last-Modified></Properties></Blob>`)
  return `<?xml version="1.0"?><EnumerationResults><Blobs>${items.join('')}</Blobs><NextMarker/></EnumerationResults>`
}
