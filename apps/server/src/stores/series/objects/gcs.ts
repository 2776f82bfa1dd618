import { stat } from 'node:fs/promises'
import { type Bucket, type File, Storage } from '@google-cloud/storage'
import { AnswerTooLarge } from '../../../adapters/http/address-guard.ts'
import { untilAborted } from '../../../until-aborted.ts'
import { operationSignal, type StoreAccess, type StoreLimits, transferSignal } from '../store-access.ts'
import { checkByWriting, listAll, type ObjectStorage } from './object-storage.ts'

export interface GcsSettings {
  readonly bucket: string
  readonly projectId: string
  /**
   * These two of the JSON key and nothing else: its `token_uri` and `universe_domain` would choose hosts. Undefined only
   * where the operator allows what the machine itself may use.
   */
  readonly serviceAccount: { readonly client_email: string; readonly private_key: string } | undefined
}

const MAX_RETRIES = 1

/** No part of the settings chooses a host: it is Google's own, or for a test `apiEndpoint`. */
export function gcsStorage(settings: GcsSettings, { limits }: StoreAccess, apiEndpoint?: string): ObjectStorage {
  const { bucket, projectId, serviceAccount } = settings
  const credentials = serviceAccount ? { credentials: serviceAccount } : {}
  const storage = new Storage({
    projectId,
    timeout: limits.operationMs,
    retryOptions: { maxRetries: MAX_RETRIES, totalTimeout: limits.operationMs / 1_000 },
    ...(apiEndpoint === undefined ? {} : { apiEndpoint }),
    ...credentials,
  })
  return gcsStorageOn(storage.bucket(bucket), limits)
}

const hasCode = (error: unknown, code: number): boolean => (error as { code?: unknown }).code === code

const PAGE_SIZE = 1_000

/** The mapping alone: there is no server to try it on, so a test gives it a bucket of its own. */
export function gcsStorageOn(bucket: Bucket, limits: StoreLimits): ObjectStorage {
  const bounded = <T>(work: Promise<T>, signal = operationSignal(limits)): Promise<T> => untilAborted(work, signal)
  const undefinedIfMissing = (error: unknown): undefined => {
    if (!hasCode(error, 404)) throw error
  }
  const storage: ObjectStorage = {
    name: `gs://${bucket.name}`,
    list(prefix) {
      const signal = operationSignal(limits)
      return listAll<string>(limits, async (pageToken) => {
        const query = { prefix, autoPaginate: false, maxResults: PAGE_SIZE, ...(pageToken && { pageToken }) }
        const [files, next] = await bounded(bucket.getFiles(query), signal)
        return { objects: files.map(toObject), next: next?.pageToken }
      })
    },
    async get(key) {
      const range = upTo(limits.maxTextBytes)
      const found = await bounded(bucket.file(key).download(range)).catch(undefinedIfMissing)
      if (found && found[0].length > limits.maxTextBytes) throw new AnswerTooLarge(limits.maxTextBytes)
      return found?.[0]
    },
    async create(key, body) {
      try {
        // Generation 0 is "there is none yet".
        const options = { resumable: false, preconditionOpts: { ifGenerationMatch: 0 } }
        await bounded(bucket.file(key).save(body, options), transferSignal(limits, body.length))
        return true
      } catch (error) {
        if (hasCode(error, 412)) return false
        throw error
      }
    },
    async download(key, localPath, maxBytes) {
      const bytes = Math.min(maxBytes, limits.maxFileBytes)
      const options = { destination: localPath, ...upTo(bytes) }
      const saved = bounded(bucket.file(key).download(options), transferSignal(limits, bytes)).then(() => true)
      return (await saved.catch(undefinedIfMissing)) ?? false
    },
    async upload(localPath, key) {
      const { size } = await stat(localPath)
      await bounded(bucket.upload(localPath, { destination: key }), transferSignal(limits, size))
    },
    async remove(keys) {
      for (const key of keys) await bounded(bucket.file(key).delete({ ignoreNotFound: true }))
    },
    async check() {
      const [isThere] = await bounded(bucket.exists())
      if (!isThere) throw Object.assign(new Error('there is no bucket'), { code: 'NoSuchBucket' })
      await checkByWriting(storage)
    },
    close: async () => {},
  }
  return storage
}

/**
 * Google's server sends one byte more than allowed and no further one. A stream of the SDK that is destroyed before its
 * answer arrives ends the process with an exception, so no stream is used.
 */
const upTo = (bytes: number) => ({ start: 0, end: bytes })

const toObject = ({ name, metadata }: Pick<File, 'name' | 'metadata'>) => ({
  key: name,
  modifiedAt: Date.parse(String(metadata.updated ?? 0)),
})
