import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BlobServiceClient, StorageSharedKeyCredential } from '@azure/storage-blob'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loopbackAccess } from '../../../../test-support/store-access.ts'
import { everySeriesStore } from '../../../../test-support/series-store-suite.ts'
import { Duck } from '../parquet/duck.ts'
import { ParquetSeriesStore } from '../parquet/parquet-series-store.ts'
import { processLock } from '../writer-lock.ts'
import { azureStorage } from './azure.ts'
import { objectFolder } from './object-folder.ts'

/** The vendor's emulator is too large to come with the project: `AZURITE_URL` says where one runs. */
const AZURITE_URL = process.env['AZURITE_URL']
const ACCOUNT = 'devstoreaccount1'
/** The emulator's key is published with it. */
const KEY = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=='

if (AZURITE_URL) {
  describe('azure store', () => {
    let root: string
    let duck: Duck
    let stores = 0
    const containerName = `market-${Date.now()}`
    beforeAll(async () => {
      root = await mkdtemp(join(tmpdir(), 'tradewright-azure-'))
      duck = await Duck.open({ memoryLimitMb: 128, threads: 1, spillFolder: join(root, 'spill') })
      const service = new BlobServiceClient(AZURITE_URL, new StorageSharedKeyCredential(ACCOUNT, KEY))
      await service.createContainer(containerName)
    })
    afterAll(async () => {
      duck.close()
      await rm(root, { recursive: true, force: true })
    })

    const storage = (name = containerName, accountKey = KEY) =>
      azureStorage({ accountName: ACCOUNT, accountKey, containerName: name, endpoint: AZURITE_URL }, loopbackAccess())

    everySeriesStore(
      'azure',
      async () => {
        const prefix = `store-${++stores}`
        return new ParquetSeriesStore({
          duck,
          lock: processLock(),
          clock: { now: () => new Date() },
          settings: { partitionStrategy: 'date', compression: 'snappy' },
          folder: objectFolder({ storage: storage(), prefix, cacheFolder: join(root, prefix) }),
        })
      },
      { histories: 2 },
    )

    it('makes an object once', async () => {
      expect(await storage().create('once', Buffer.from('first'))).toBe(true)
      expect(await storage().create('once', Buffer.from('second'))).toBe(false)
      expect((await storage().get('once'))?.toString()).toBe('first')
      expect(await storage().get('never')).toBeUndefined()
    })

    it('finds out whether a container can be used', async () => {
      await expect(storage().check()).resolves.toBeUndefined()
      await expect(storage('nowhere').check()).rejects.toThrow()
      await expect(storage(containerName, Buffer.from('wrong').toString('base64')).check()).rejects.toThrow()
    })
  })
} else {
  it('azure store', (context) => {
    context.skip('needs an Azurite at AZURITE_URL, such as http://127.0.0.1:10000/devstoreaccount1')
  })
}
