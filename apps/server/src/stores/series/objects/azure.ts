import { Readable } from 'node:stream'
import {
  BlobServiceClient,
  type HttpOperationResponse,
  type IHttpClient,
  RestError,
  StorageSharedKeyCredential,
  type WebResource,
} from '@azure/storage-blob'
import { stat } from 'node:fs/promises'
import { operationSignal, type StoreAccess, transferSignal } from '../store-access.ts'
import { type BucketAnswer, type BucketHttp, bucketHttp } from './bucket-http.ts'
import { checkByWriting, listAll, type ObjectStorage, readWhole, saveLimited } from './object-storage.ts'

export interface AzureSettings {
  readonly accountName: string
  readonly accountKey: string
  readonly containerName: string
  /** The account's address where it is not the usual one. */
  readonly endpoint: string | undefined
}

const hasStatus = (error: unknown, ...codes: number[]): boolean =>
  error instanceof RestError && codes.includes(error.statusCode ?? 0)

const MAX_TRIES = 2
const RETRY_DELAY_MS = 500
/** An entry has about a kilobyte besides its key, and a page has to stay below `maxAnswerBytes`. */
const PAGE_SIZE = 500

export function azureStorage(settings: AzureSettings, access: StoreAccess): ObjectStorage {
  const { accountName, accountKey, containerName, endpoint } = settings
  const { limits } = access
  const http = bucketHttp(access)
  const service = new BlobServiceClient(
    endpoint ?? `https://${accountName}.blob.core.windows.net`,
    new StorageSharedKeyCredential(accountName, accountKey),
    {
      httpClient: azureHttp(http),
      retryOptions: { maxTries: MAX_TRIES, retryDelayInMs: RETRY_DELAY_MS, maxRetryDelayInMs: RETRY_DELAY_MS },
    },
  )
  const container = service.getContainerClient(containerName)
  const blob = (key: string) => container.getBlockBlobClient(key)

  const open = async (key: string, abortSignal: AbortSignal): Promise<Readable | undefined> => {
    try {
      const answer = await blob(key).download(0, undefined, { abortSignal, maxRetryRequests: 0 })
      return answer.readableStreamBody as Readable
    } catch (error) {
      if (hasStatus(error, 404)) return undefined
      throw error
    }
  }

  const storage: ObjectStorage = {
    name: `azure://${accountName}/${containerName}`,
    list(prefix) {
      const pages = container
        .listBlobsFlat({ prefix, abortSignal: operationSignal(limits) })
        .byPage({ maxPageSize: PAGE_SIZE })
      return listAll<true>(limits, async () => {
        const { value, done } = await pages.next()
        if (done) return { objects: [], next: undefined }
        const { blobItems } = value.segment
        const objects = blobItems.map(({ name, properties }) => ({
          key: name,
          modifiedAt: properties.lastModified.getTime(),
        }))
        return { objects, next: true }
      })
    },
    async get(key) {
      const signal = operationSignal(limits)
      const body = await open(key, signal)
      return body && readWhole(body, limits.maxTextBytes, signal)
    },
    async create(key, body) {
      try {
        const abortSignal = transferSignal(limits, body.length)
        await blob(key).upload(body, body.length, { abortSignal, conditions: { ifNoneMatch: '*' } })
        return true
      } catch (error) {
        if (hasStatus(error, 409, 412)) return false
        throw error
      }
    },
    async download(key, localPath, maxBytes) {
      const bytes = Math.min(maxBytes, limits.maxFileBytes)
      const signal = transferSignal(limits, bytes)
      const body = await open(key, signal)
      if (body) await saveLimited(body, localPath, bytes, signal)
      return body !== undefined
    },
    async upload(localPath, key) {
      const { size } = await stat(localPath)
      await blob(key).uploadFile(localPath, { abortSignal: transferSignal(limits, size) })
    },
    async remove(keys) {
      for (const key of keys) await blob(key).deleteIfExists({ abortSignal: operationSignal(limits) })
    },
    async check() {
      await container.getProperties({ abortSignal: operationSignal(limits) })
      await checkByWriting(storage)
    },
    close: async () => http.close(),
  }
  return storage
}

/** Replaces the SDK's own HTTP, which follows redirects and the proxies of the environment. */
const azureHttp = (http: BucketHttp): IHttpClient => ({
  async sendRequest(request) {
    const isFile = isStreamed(request, 200) || isStreamed(request, 206)
    const answer = await http.send(
      {
        method: request.method,
        url: new URL(request.url),
        headers: request.headers.rawHeaders(),
        body: bodyOf(request),
        signal: (request.abortSignal as AbortSignal | undefined) ?? new AbortController().signal,
      },
      isFile,
    )
    if (answer.status >= 300 && answer.status < 400 && answer.status !== 304) {
      answer.body.destroy()
      throw Object.assign(new Error('the service redirected'), { statusCode: answer.status })
    }
    return toOperationResponse(request, answer)
  },
})

const isStreamed = ({ streamResponseStatusCodes: codes }: WebResource, status: number) =>
  codes?.has(status) === true || codes?.has(Number.POSITIVE_INFINITY) === true

/** A stream comes as a function, so that it can be sent again. */
function bodyOf({ body }: WebResource): string | Uint8Array | Readable | undefined {
  const sent: unknown = typeof body === 'function' ? (body as () => unknown)() : body
  if (sent === undefined || sent === null) return undefined
  if (typeof sent === 'string' || sent instanceof Uint8Array || sent instanceof Readable) return sent
  throw new TypeError('a body of an unexpected kind')
}

async function toOperationResponse(
  request: WebResource,
  { status, headers, body }: BucketAnswer,
): Promise<HttpOperationResponse> {
  const sent = request.headers.clone()
  for (const name of sent.headerNames()) sent.remove(name)
  for (const [name, value] of Object.entries(headers)) sent.set(name, value)
  const response = { request, status, headers: sent }
  if (isStreamed(request, status)) return { ...response, readableStreamBody: body }
  const text = Buffer.concat(await body.toArray()).toString('utf8')
  return { ...response, bodyAsText: text }
}
