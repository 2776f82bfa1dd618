import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { checkByWriting } from './check-by-writing.ts'
import type { ObjectStorage, StoredObject } from './object-storage.ts'

export interface S3Settings {
  readonly bucket: string
  readonly region: string
  /** Without a key the SDK looks where it always does: environment, profile, the machine's role. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined
  /** For other services that speak S3. */
  readonly endpoint: string | undefined
}

/** S3 takes so many keys in one deletion. */
const KEYS_PER_DELETION = 1000

export function s3Storage({ bucket, region, credentials, endpoint }: S3Settings): ObjectStorage {
  const client = new S3Client({
    region,
    // Checksums of the SDK's own change the body on the way, which not every S3 understands; ours are in the log.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(credentials ? { credentials } : {}),
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
  })
  const put = async (key: string, body: Buffer | Readable, bytes: number, isNew: boolean) => {
    await client.send(
      new PutObjectCommand({
        Bucket: bucket,
        Key: key,
        Body: body,
        ContentLength: bytes,
        ...(isNew ? { IfNoneMatch: '*' } : {}),
      }),
    )
  }
  const exists = async (key: string) => (await list(key)).some((object) => object.key === key)

  async function list(prefix: string): Promise<StoredObject[]> {
    const found: StoredObject[] = []
    let token: string | undefined
    do {
      const answer = await client.send(
        new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ...(token ? { ContinuationToken: token } : {}) }),
      )
      for (const { Key, LastModified } of answer.Contents ?? []) {
        found.push({ key: Key!, modifiedAt: LastModified?.getTime() ?? 0 })
      }
      token = answer.NextContinuationToken
    } while (token)
    return found
  }

  const open = async (key: string): Promise<Readable | undefined> => {
    try {
      return (await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }))).Body as Readable
    } catch (error) {
      if ((error as Error).name === 'NoSuchKey') return undefined
      throw error
    }
  }

  const storage: ObjectStorage = {
    name: `s3://${bucket}`,
    list,
    async get(key) {
      const body = await open(key)
      return body && Buffer.concat(await body.toArray())
    },
    async create(key, body) {
      // Some servers ignore the condition; the look before is for them.
      if (await exists(key)) return false
      try {
        await put(key, body, body.length, true)
        return true
      } catch (error) {
        const { name } = error as Error
        if (name === 'PreconditionFailed' || name === 'ConditionalRequestConflict') return false
        throw error
      }
    },
    async download(key, localPath) {
      const body = await open(key)
      if (body) await pipeline(body, createWriteStream(localPath))
      return body !== undefined
    },
    upload: async (localPath, key) => put(key, createReadStream(localPath), (await stat(localPath)).size, false),
    async remove(keys) {
      for (let from = 0; from < keys.length; from += KEYS_PER_DELETION) {
        const Objects = keys.slice(from, from + KEYS_PER_DELETION).map((Key) => ({ Key }))
        await client.send(new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }))
      }
    },
    async check() {
      await client.send(new HeadBucketCommand({ Bucket: bucket }))
      await checkByWriting(storage)
    },
    close: async () => client.destroy(),
  }
  return storage
}
