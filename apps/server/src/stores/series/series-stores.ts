import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import type { SeriesStore } from '@tradewright/engine/market/series-store'
import { fileLock } from './file-lock.ts'
import { allowedFolder } from './local-path.ts'
import { localSeriesStore } from './local-store.ts'
import { objectFolder } from './objects/object-folder.ts'
import type { ObjectStorage } from './objects/object-storage.ts'
import type { Duck } from './parquet/duck.ts'
import type { WriteSettings } from './parquet/lake-writer.ts'
import { ParquetSeriesStore } from './parquet/parquet-series-store.ts'
import { guardedPool } from './postgresql/guarded-pool.ts'
import { PostgresqlSeriesStore } from './postgresql/postgresql-store.ts'
import type { StoreAccess } from './store-access.ts'
import {
  assertRequiredFields,
  type ConnectionConfig,
  requiredText,
  type StoreType,
  textOf,
} from './store-connection.ts'
import {
  azureSettings,
  gcsSettings,
  mongodbSettings,
  postgresqlSettings,
  type PostgresqlSettings,
  s3Settings,
} from './store-settings.ts'
import { reasonOf } from './why.ts'
import type { WriterLock } from './writer-lock.ts'

/** A store as it is kept in our database, its secrets opened. */
export interface StoreDefinition {
  readonly id: number
  readonly userId: number
  readonly storeType: StoreType
  readonly settings: WriteSettings
  readonly connectionConfig: ConnectionConfig
}

export interface SeriesStoresParts {
  readonly duck: Duck
  readonly clock: Clock
  /** For stores in buckets: machines that share one. */
  readonly lock: WriterLock
  /** Where local stores may be; the first is the default. */
  readonly localRoots: readonly string[]
  /** Copies of files in buckets. */
  readonly cacheFolder: string
  readonly access: StoreAccess
}

/** Opens stores of every type, and tells before one is saved whether it can be used. */
export class SeriesStores {
  readonly #parts: SeriesStoresParts

  constructor(parts: SeriesStoresParts) {
    this.#parts = parts
  }

  async open(definition: StoreDefinition): Promise<SeriesStore> {
    const { storeType, connectionConfig: config } = definition
    assertRequiredFields(storeType, config)
    if (storeType === 'local') return this.#openLocal(definition)
    if (storeType === 'postgresql') {
      const settings = postgresqlSettings(config)
      return new PostgresqlSeriesStore(guardedPool(settings, this.#parts.access), {
        schema: settings.schema,
        prefix: `${settings.prefix}${definition.userId}_${definition.id}_`,
      })
    }
    const storage = STORAGES[storeType](config, this.#parts.access)
    return this.#openBucket(definition, await storage.catch((error: unknown) => Promise.reject(asAway(error))))
  }

  /** Connects, and writes something small where it can be taken back. A Problem says what is wrong. */
  async checkConnection(storeType: StoreType, config: ConnectionConfig): Promise<void> {
    assertRequiredFields(storeType, config)
    const { access } = this.#parts
    try {
      if (storeType === 'local')
        await checkFolder(await allowedFolder(requiredText(config, 'path'), this.#parts.localRoots))
      else if (storeType === 'postgresql') await checkPostgresql(postgresqlSettings(config), access)
      else await checkStorage(await STORAGES[storeType](config, access))
    } catch (error) {
      throw asConnectionProblem(error)
    }
  }

  /** A folder per user and store: nobody finds the records of another by giving the same path. */
  async localFolderOf({ id, userId, connectionConfig }: Omit<StoreDefinition, 'settings'>): Promise<string> {
    const path = await allowedFolder(requiredText(connectionConfig, 'path'), this.#parts.localRoots)
    return join(path, `user-${userId}`, `store-${id}`)
  }

  async #openLocal(definition: StoreDefinition): Promise<SeriesStore> {
    const { duck, clock, lock } = this.#parts
    const { settings } = definition
    return localSeriesStore(await this.localFolderOf(definition), { duck, clock, settings, lock: fileLock(lock) })
  }

  #openBucket({ id, userId, settings, connectionConfig }: StoreDefinition, storage: ObjectStorage): SeriesStore {
    const { duck, clock, lock, cacheFolder } = this.#parts
    const own = join(`user-${userId}`, `store-${id}`)
    const prefix = [textOf(connectionConfig, 'prefix'), `user-${userId}`, `store-${id}`].filter(Boolean).join('/')
    const folder = objectFolder({ storage, prefix, cacheFolder: join(cacheFolder, own) })
    return new ParquetSeriesStore({ duck, clock, lock, settings, folder, onClose: () => storage.close() })
  }
}

type BucketType = Exclude<StoreType, 'local' | 'postgresql'>

type OpenStorage = (config: ConnectionConfig, access: StoreAccess) => Promise<ObjectStorage>

/** The vendors' drivers are large: one is loaded when a store of its kind is. */
const STORAGES: Readonly<Record<BucketType, OpenStorage>> = {
  s3: async (config, access) => (await import('./objects/s3.ts')).s3Storage(s3Settings(config, access), access),
  gcs: async (config, access) => (await import('./objects/gcs.ts')).gcsStorage(gcsSettings(config, access), access),
  azure: async (config, access) => (await import('./objects/azure.ts')).azureStorage(azureSettings(config), access),
  mongodb: async (config, access) => {
    const settings = mongodbSettings(config)
    await access.guard.assertHost(settings.host)
    return (await import('./objects/mongodb.ts')).mongodbStorage(settings, access)
  },
}

async function checkFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const probe = join(folder, `.check-${process.pid}-${Date.now()}`)
  await writeFile(probe, 'check')
  await rm(probe)
}

async function checkPostgresql(settings: PostgresqlSettings, access: StoreAccess): Promise<void> {
  const pool = guardedPool(settings, access, 1)
  try {
    const { rows } = await pool.query<{ may: boolean }>(
      `SELECT CASE WHEN to_regnamespace($1) IS NULL THEN has_database_privilege(current_database(), 'CREATE')
        ELSE has_schema_privilege($1, 'CREATE') END AS may`,
      [settings.schema],
    )
    if (!rows[0]!.may) throw Object.assign(new Error('not allowed'), { code: '42501' })
  } finally {
    await pool.end()
  }
}

async function checkStorage(storage: ObjectStorage): Promise<void> {
  try {
    await storage.check()
  } finally {
    await storage.close()
  }
}

function asAway(error: unknown): unknown {
  if (error instanceof Problem || !(error instanceof Error)) return error
  const sentence = `The data store cannot be used: ${reasonOf(error)}.`
  return new Problem('unavailable', 'store.away', sentence, { cause: error })
}

function asConnectionProblem(error: unknown): unknown {
  if (error instanceof Problem || !(error instanceof Error)) return error
  const sentence = `The data store cannot be used: ${reasonOf(error)}.`
  return new Problem('invalid', 'store.connection', sentence, { cause: error })
}
