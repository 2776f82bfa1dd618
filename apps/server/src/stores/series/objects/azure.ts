import { BlobServiceClient, RestError, StorageSharedKeyCredential } from '@azure/storage-blob'
import { checkByWriting } from './check-by-writing.ts'
import type { ObjectStorage, StoredObject } from './object-storage.ts'

export interface AzureSettings {
  readonly accountName: string
  readonly accountKey: string
  readonly containerName: string
  /** The account's address where it is not the usual one. */
  readonly endpoint: string | undefined
}

const hasStatus = (error: unknown, ...codes: number[]): boolean =>
  error instanceof RestError && codes.includes(error.statusCode ?? 0)

export function azureStorage({ accountName, accountKey, containerName, endpoint }: AzureSettings): ObjectStorage {
  const service = new BlobServiceClient(
    endpoint ?? `https://${accountName}.blob.core.windows.net`,
    new StorageSharedKeyCredential(accountName, accountKey),
  )
  const container = service.getContainerClient(containerName)
  const blob = (key: string) => container.getBlockBlobClient(key)
  const storage: ObjectStorage = {
    name: `azure://${accountName}/${containerName}`,
    async list(prefix) {
      const found: StoredObject[] = []
      for await (const { name, properties } of container.listBlobsFlat({ prefix })) {
        found.push({ key: name, modifiedAt: properties.lastModified.getTime() })
      }
      return found
    },
    get: (key) =>
      blob(key)
        .downloadToBuffer()
        .catch((error: unknown) => (hasStatus(error, 404) ? undefined : Promise.reject(error))),
    async create(key, body) {
      try {
        await blob(key).upload(body, body.length, { conditions: { ifNoneMatch: '*' } })
        return true
      } catch (error) {
        if (hasStatus(error, 409, 412)) return false
        throw error
      }
    },
    async download(key, localPath) {
      try {
        await blob(key).downloadToFile(localPath)
        return true
      } catch (error) {
        if (hasStatus(error, 404)) return false
        throw error
      }
    },
    upload: async (localPath, key) => void (await blob(key).uploadFile(localPath)),
    async remove(keys) {
      for (const key of keys) await blob(key).deleteIfExists()
    },
    async check() {
      await container.getProperties()
      await checkByWriting(storage)
    },
    close: async () => {},
  }
  return storage
}
