import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { operationSignal, type StoreAccess, transferSignal } from '../store-access.ts'
import { type BucketHttp, bucketHttp } from './bucket-http.ts'
import { checkByWriting, listAll, type ObjectStorage, readWhole, saveLimited } from './object-storage.ts'

export interface S3Settings {
  readonly bucket: string
  readonly region: string
  /** Undefined only where the operator allows the machine's own: environment, profile, role. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined
  /** The address of another service that speaks S3; undefined: Amazon's. */
  readonly endpoint: string | undefined
}

/** Most keys of one deletion at S3. */
const KEYS_PER_DELETION = 1000
/** An entry has about 400 bytes besides its key, and a page has to stay below `maxAnswerBytes`. */
const PAGE_SIZE = 500
/** The SDK's own default is 3. */
const MAX_ATTEMPTS = 2

export function s3Storage({ bucket, region, credentials, endpoint }: S3Settings, access: StoreAccess): ObjectStorage {
  const { limits } = access
  const http = bucketHttp(access)
  const client = new S3Client({
    region,
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: s3Handler(http),
    // Checksums of the SDK's own change the body on the way, which not every S3 understands; ours are in the log.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(credentials ? { credentials } : {}),
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
  })

  interface Upload {
    readonly key: string
    readonly body: Buffer | Readable
    readonly bytes: number
    readonly isNew: boolean
  }
  const put = async ({ key, body, bytes, isNew }: Upload) => {
    const command = new PutObjectCommand({
      Bucket: bucket,
      Key: key,
      Body: body,
      ContentLength: bytes,
      ...(isNew ? { IfNoneMatch: '*' } : {}),
    })
    await client.send(command, { abortSignal: transferSignal(limits, bytes) })
  }
  const exists = async (key: string) => (await list(key)).some((object) => object.key === key)

  function list(prefix: string) {
    const abortSignal = operationSignal(limits)
    return listAll(limits, async (token: string | undefined) => {
      const command = new ListObjectsV2Command({
        Bucket: bucket,
        Prefix: prefix,
        MaxKeys: PAGE_SIZE,
        ...(token ? { ContinuationToken: token } : {}),
      })
      const { Contents = [], NextContinuationToken } = await client.send(command, { abortSignal })
      const objects = Contents.map(({ Key, LastModified }) => ({
        key: Key!,
        modifiedAt: LastModified?.getTime() ?? 0,
      }))
      return { objects, next: NextContinuationToken }
    })
  }

  const open = async (key: string, abortSignal: AbortSignal): Promise<Readable | undefined> => {
    try {
      const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }), { abortSignal })
      return Body as Readable
    } catch (error) {
      if ((error as Error).name === 'NoSuchKey') return undefined
      throw error
    }
  }

  const storage: ObjectStorage = {
    name: `s3://${bucket}`,
    list,
    async get(key) {
      const signal = operationSignal(limits)
      const body = await open(key, signal)
      return body && readWhole(body, limits.maxTextBytes, signal)
    },
    async create(key, body) {
      // Some servers ignore the condition; the check before is for them.
      if (await exists(key)) return false
      try {
        await put({ key, body, bytes: body.length, isNew: true })
        return true
      } catch (error) {
        const { name } = error as Error
        if (name === 'PreconditionFailed' || name === 'ConditionalRequestConflict') return false
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
      await put({ key, body: createReadStream(localPath), bytes: size, isNew: false })
    },
    async remove(keys) {
      for (let from = 0; from < keys.length; from += KEYS_PER_DELETION) {
        const Objects = keys.slice(from, from + KEYS_PER_DELETION).map((Key) => ({ Key }))
        const command = new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } })
        await client.send(command, { abortSignal: operationSignal(limits) })
      }
    },
    async check() {
      await client.send(new HeadBucketCommand({ Bucket: bucket }), { abortSignal: operationSignal(limits) })
      await checkByWriting(storage)
    },
    async close() {
      client.destroy()
      http.close()
    },
  }
  return storage
}

/** The part of the SDK's request that is used here. */
interface SdkRequest {
  readonly protocol: string
  readonly hostname: string
  readonly port?: number
  readonly method: string
  readonly path: string
  readonly query?: Readonly<Record<string, string | readonly string[] | null>>
  readonly headers: Record<string, string>
  readonly body?: Buffer | Readable | string
}

/** Replaces the SDK's own HTTP. */
const s3Handler = (http: BucketHttp) => ({
  metadata: { handlerProtocol: 'http/1.1' },
  async handle(request: SdkRequest, { abortSignal }: { abortSignal?: AbortSignal } = {}) {
    const { protocol, hostname, port, method, headers, body } = request
    const query = queryText(request.query)
    const { status, ...answer } = await http.send(
      {
        method,
        url: new URL(`${protocol}//${hostname}${port === undefined ? '' : `:${port}`}/`),
        path: query === '' ? request.path : `${request.path}?${query}`,
        headers,
        body,
        signal: abortSignal ?? new AbortController().signal,
      },
      method === 'GET' && request.query?.['list-type'] === undefined,
    )
    return { response: { statusCode: status, reason: undefined, ...answer } }
  },
  destroy: () => http.close(),
  updateHttpClientConfig: () => undefined,
  httpHandlerConfigs: () => ({}),
})

const escaped = (text: string) =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)

const queryText = (query: SdkRequest['query'] = {}): string =>
  Object.entries(query)
    .flatMap(([name, value]) => [value ?? ''].flat().map((one) => `${escaped(name)}=${escaped(one)}`))
    .join('&')
