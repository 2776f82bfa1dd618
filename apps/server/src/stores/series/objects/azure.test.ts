import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BlobServiceClient, StorageSharedKeyCredential } from '@azure/storage-blob'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bucketStores, type BucketStores } from '../../../../test-support/bucket-stores.ts'
import { type AzureBlobStandIn, startAzureBlobStandIn } from '../../../../test-support/stand-ins/azure-blob.ts'
import { loopbackAccess } from '../../../../test-support/store-access.ts'
import { everySeriesStore } from '../../../../test-support/series-store-suite.ts'
import { Duck } from '../parquet/duck.ts'
import { reasonOf } from '../driver-errors.ts'
import { azureStorage } from './azure.ts'

/** The vendor's emulator is too large to come with the project: `AZURITE_URL` says where one runs. */
const AZURITE_URL = process.env['AZURITE_URL']
const ACCOUNT = 'devstoreaccount1'
/** The emulator's key is published with it. */
const KEY = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=='

/** Our HTTP below Azure's SDK; what the service itself does is proven with Azurite. */
describe('azure storage', () => {
  let standIn: AzureBlobStandIn
  beforeEach(async () => {
    standIn = await startAzureBlobStandIn(ACCOUNT, 'market')
  })
  afterEach(() => standIn.close())

  const storage = (containerName = 'market') =>
    azureStorage({ accountName: ACCOUNT, accountKey: KEY, containerName, endpoint: standIn.endpoint }, loopbackAccess())

  it('writes, lists, reads and removes', async () => {
    await storage().check()
    expect(await storage().create('log/1.json', Buffer.from('first'))).toBe(true)
    expect(await storage().create('log/1.json', Buffer.from('second'))).toBe(false)
    expect((await storage().get('log/1.json'))?.toString()).toBe('first')
    expect(await storage().get('log/2.json')).toBeUndefined()
    expect((await storage().list('log/')).map(({ key }) => key)).toEqual(['log/1.json'])
    await storage().remove(['log/1.json', 'log/2.json'])
    expect(await storage().list('')).toEqual([])
  })

  it('moves files, and none that is larger than expected', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tradewright-azure-'))
    const [source, copy] = [join(folder, 'source'), join(folder, 'copy')]
    await writeFile(source, 'x'.repeat(5_000))
    await storage().upload(source, 'gold/a.parquet')
    expect(await storage().download('gold/a.parquet', copy, 5_000)).toBe(true)
    expect((await readFile(copy)).length).toBe(5_000)
    expect(await storage().download('gold/b.parquet', copy, 5_000)).toBe(false)
    await expect(storage().download('gold/a.parquet', copy, 4_999)).rejects.toThrow('more than 4999 bytes')
    await rm(folder, { recursive: true })
  })

  it('follows no redirect', async () => {
    standIn.answerNext = (outgoing) => outgoing.writeHead(302, { location: standIn.endpoint }).end()
    await expect(storage().check()).rejects.toMatchObject({ statusCode: 302 })
    expect(standIn.requests).toHaveLength(1)
  })

  it('tells nothing of what the service says', async () => {
    const error: unknown = await storage('nowhere')
      .check()
      .catch((reason: unknown) => reason)
    expect(reasonOf(error)).toBe('there is no bucket or container of that name')
    standIn.answerNext = (outgoing) => outgoing.writeHead(418).end('TOP-SECRET-INTERNAL-PAGE')
    const other: unknown = await storage()
      .check()
      .catch((reason: unknown) => reason)
    expect(reasonOf(other)).toBe('the service answered with an error (HTTP 418)')
  })
})

if (AZURITE_URL) {
  describe('azure store', () => {
    let root: string
    let duck: Duck
    let stores: BucketStores
    const containerName = `market-${Date.now()}`
    beforeAll(async () => {
      root = await mkdtemp(join(tmpdir(), 'tradewright-azure-'))
      duck = await Duck.open({ memoryLimitMb: 128, threads: 1, spillFolder: join(root, 'spill') })
      const service = new BlobServiceClient(AZURITE_URL, new StorageSharedKeyCredential(ACCOUNT, KEY))
      await service.createContainer(containerName)
      stores = await bucketStores(duck, root)
    })
    afterAll(async () => {
      await stores.close()
      duck.close()
      await rm(root, { recursive: true, force: true })
    })

    const storage = (name = containerName, accountKey = KEY) =>
      azureStorage({ accountName: ACCOUNT, accountKey, containerName: name, endpoint: AZURITE_URL }, loopbackAccess())

    everySeriesStore('azure', () => stores.open(storage()), { histories: 2 })

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
