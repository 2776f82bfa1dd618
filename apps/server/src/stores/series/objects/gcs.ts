import { type Bucket, Storage } from '@google-cloud/storage'
import { checkByWriting } from './check-by-writing.ts'
import type { ObjectStorage } from './object-storage.ts'

export interface GcsSettings {
  readonly bucket: string
  readonly projectId: string
  /** Undefined: what the machine itself is allowed. */
  readonly serviceAccount: { readonly client_email: string; readonly private_key: string } | undefined
}

export function gcsStorage({ bucket, projectId, serviceAccount }: GcsSettings): ObjectStorage {
  const credentials = serviceAccount ? { credentials: serviceAccount } : {}
  return gcsStorageOn(new Storage({ projectId, ...credentials }).bucket(bucket))
}

const hasCode = (error: unknown, code: number): boolean => (error as { code?: unknown }).code === code

/** The mapping alone: there is no server to try it on, so a test gives it a bucket of its own. */
export function gcsStorageOn(bucket: Bucket): ObjectStorage {
  const storage: ObjectStorage = {
    name: `gs://${bucket.name}`,
    async list(prefix) {
      const [files] = await bucket.getFiles({ prefix })
      return files.map(({ name, metadata }) => ({ key: name, modifiedAt: Date.parse(String(metadata.updated ?? 0)) }))
    },
    async get(key) {
      try {
        return (await bucket.file(key).download())[0]
      } catch (error) {
        if (hasCode(error, 404)) return undefined
        throw error
      }
    },
    async create(key, body) {
      try {
        // Generation 0 is "there is none yet".
        await bucket.file(key).save(body, { resumable: false, preconditionOpts: { ifGenerationMatch: 0 } })
        return true
      } catch (error) {
        if (hasCode(error, 412)) return false
        throw error
      }
    },
    async download(key, localPath) {
      try {
        await bucket.file(key).download({ destination: localPath })
        return true
      } catch (error) {
        if (hasCode(error, 404)) return false
        throw error
      }
    },
    upload: async (localPath, key) => void (await bucket.upload(localPath, { destination: key })),
    async remove(keys) {
      for (const key of keys) await bucket.file(key).delete({ ignoreNotFound: true })
    },
    async check() {
      const [isThere] = await bucket.exists()
      if (!isThere) throw new Error('there is no bucket of that name')
      await checkByWriting(storage)
    },
    close: async () => {},
  }
  return storage
}
