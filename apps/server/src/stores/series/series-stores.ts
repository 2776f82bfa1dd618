import { randomUUID } from 'node:crypto'
import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import type { SeriesStore } from '@tradewright/engine/market/series-store'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { ensureInstalled } from '../../adapters/packages/on-demand.ts'
import type { Database } from '../database.ts'
import {
  lockNameOf,
  openCatalogue,
  type StorePlace,
  historyBytesOf,
  localBytesOf,
  localPathsOf,
} from './catalogue/open-catalogue.ts'
import { ContainedFolder, realName } from './contained-folder.ts'
import { DiskAllowance, FileCopies } from './disk/disk-allowance.ts'
import { localSeriesStore } from './local-store.ts'
import { type ObjectStorage, asProblem, objectFolder, objectKeys } from './objects/object-storage.ts'
import type { Duck } from './parquet/duck.ts'
import type { WriteSettings } from './parquet/lake-writer.ts'
import { guardedPool } from './postgresql/guarded-pool.ts'
import { PostgresqlSeriesStore } from './postgresql/postgresql-store.ts'
import {
  type StoreAccess,
  assertRequiredFields,
  type ConnectionConfig,
  requiredText,
  type StoreType,
  bucketLocation,
  type BucketType,
  localLocation,
  systemLocation,
} from './store-access.ts'
import {
  azureSettings,
  bucketPrefix,
  gcsSettings,
  mongodbSettings,
  postgresqlSettings,
  type PostgresqlSettings,
  s3Settings,
} from './store-settings.ts'
import { reasonOf } from './driver-errors.ts'
import type { WriterLock } from './writer-lock.ts'
import type { ExpectedFile } from './parquet/lake-file.ts'
import { ParquetSeriesStore, type ParquetStoreParts } from './parquet/parquet-series-store.ts'

export interface BucketStoreParts extends Omit<ParquetStoreParts, 'folder' | 'catalogue' | 'lockName' | 'onClose'> {
  readonly database: Database
  readonly place: Pick<StorePlace, 'storeId' | 'location'>
  readonly storage: ObjectStorage
  /** The path within the bucket; `/` at its end is not needed. */
  readonly prefix: string
  readonly copies: FileCopies
}

/** The store in a bucket, whose files are copied to this machine to be read. */
export async function bucketSeriesStore(parts: BucketStoreParts): Promise<SeriesStore> {
  const { database, lock, storage } = parts
  const place = { ...parts.place, isLocal: false }
  const catalogue = await openCatalogue({ database, lock }, place, { holds: (file) => holds(parts, file) })
  return new ParquetSeriesStore({
    ...parts,
    folder: objectFolder(parts),
    catalogue,
    lockName: lockNameOf(place),
    onClose: () => storage.close(),
  })
}

/** Whether the bucket has this file, byte for byte and whatever copies of it there are. */
async function holds({ storage, prefix, copies }: BucketStoreParts, file: ExpectedFile): Promise<boolean> {
  const { folder } = copies.files
  const scratch = await copies.files.scratch()
  try {
    const download = storage.download(objectKeys(prefix)(file.path), scratch.localName, file.bytes)
    const isThere = await download.catch((error: unknown) => Promise.reject(asProblem(error, storage.name)))
    if (!isThere || (await folder.state(scratch.path))?.bytes !== file.bytes) return false
    return `sha256:${await folder.checksum(scratch.path, 'sha256')}` === file.checksum
  } finally {
    await folder.remove(scratch.path)
  }
}

/** A folder that a user's path means: `path` is relative to the first root, or absolute in another one. */
interface AllowedFolder {
  readonly folder: ContainedFolder
  readonly path: string
}

/** The first root is where relative paths begin; the operator may allow others. No path leaves its root, not by a link. */
export async function allowedFolder(path: string, roots: readonly string[]): Promise<AllowedFolder> {
  // DuckDB takes these for patterns.
  if (/[*?[\]{}\0]/.test(path)) {
    throw new Problem('invalid', 'store.path', `"${path}" has characters that a data store's path may not have.`)
  }
  const [first] = roots as [string, ...string[]]
  const name = resolve(first, path)
  for (const root of roots) {
    for (const base of new Set([resolve(root), await realName(root)])) {
      const below = relative(base, name)
      if (below.split(sep)[0] === '..' || isAbsolute(below)) continue
      const allowed = await unlinked(new ContainedFolder(root), below.split(sep).join('/'))
      if (allowed) return { folder: allowed, path: root === first ? below.split(sep).join('/') : name }
    }
  }
  throw new Problem('invalid', 'store.path', `"${path}" is outside the folders that this server keeps data stores in.`)
}

async function unlinked(root: ContainedFolder, below: string): Promise<ContainedFolder | undefined> {
  try {
    const folder = below === '' ? root : root.folder(below)
    await folder.at('')
    return folder
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

const FILE = 'folder-id'
const ID = /^[0-9a-f-]{36}$/

/**
 * Tells the folders of several machines apart that share a database. Kept in the folder itself, so that one that is
 * moved keeps its catalogue, and one that was lost starts with an empty one.
 */
async function folderId(folder: ContainedFolder, lock: WriterLock): Promise<string> {
  return (
    (await readId(folder)) ??
    lock.exclusive(FILE, async () => {
      const known = await readId(folder)
      if (known) return known
      const id = randomUUID()
      // A process that was killed here may have left an empty one.
      await folder.remove(FILE)
      await folder.write(FILE, id)
      await folder.syncFile(FILE)
      return id
    })
  )
}

async function readId(folder: ContainedFolder): Promise<string | undefined> {
  const text = await folder.readText(FILE, 100)
  return text && ID.test(text) ? text : undefined
}

/** A store as it is kept in our database, its secrets opened. */
export interface StoreDefinition {
  readonly id: number
  readonly userId: number
  readonly name: string
  readonly storeType: StoreType
  /** The one that every user has from the start, in a folder that no path leads to. */
  readonly isSystem: boolean
  readonly settings: WriteSettings
  readonly connectionConfig: ConnectionConfig
}

export interface SeriesStoresParts {
  readonly duck: Duck
  readonly clock: Clock
  readonly database: Database
  readonly lock: WriterLock
  /** Where system stores are. */
  readonly systemRoot: string
  /** Where local stores may be; the first is the default. */
  readonly localRoots: readonly string[]
  /** Copies of files in buckets. */
  readonly cacheFolder: string
  readonly diskLimitBytesPerUser: number
  readonly disk?: { assertRoomFor(bytes: number): Promise<void> }
  readonly history: HistoryPolicy
  readonly access: StoreAccess
  /** Takes the place of the folder of system stores. */
  readonly systemBucket?: SystemBucket | undefined
}

/** How long, and up to which size per user, stores know what they held earlier. */
export interface HistoryPolicy {
  /** How long history is kept; zero: not at all. */
  readonly keepMs: number
  readonly limitBytesPerUser: number
}

/** A bucket of the operator's, reached by the operator's rules. */
export interface SystemBucket {
  readonly config: ConnectionConfig
  readonly access: StoreAccess
}

/** Opens stores of every type, and tells before one is saved whether it can be used. */
export class SeriesStores {
  readonly #parts: SeriesStoresParts
  readonly #allowances = new Map<number, DiskAllowance>()
  #ownFolderId: Promise<string> | undefined

  constructor(parts: SeriesStoresParts) {
    this.#parts = parts
  }

  async open(definition: StoreDefinition): Promise<SeriesStore> {
    const { storeType, connectionConfig: config } = definition
    const { systemBucket } = this.#parts
    if (definition.isSystem && systemBucket) {
      const opening = STORAGES.s3(systemBucket.config, systemBucket.access)
      const storage = await opening.catch((error: unknown) => Promise.reject(asAway(error)))
      return this.#openBucket({ ...definition, connectionConfig: systemBucket.config }, 's3', storage)
    }
    if (definition.isSystem) {
      const location = systemLocation(await this.#folderId())
      return this.#openLocal(definition, this.#systemFolder(definition), location)
    }
    assertRequiredFields(storeType, config)
    if (storeType === 'local') {
      const { folder, path } = await this.#allowed(requiredText(config, 'path'))
      return this.#openLocal(definition, ownFolder(folder, definition), localLocation(await this.#folderId(), path))
    }
    if (storeType === 'postgresql') {
      const settings = postgresqlSettings(config)
      return new PostgresqlSeriesStore(guardedPool(settings, this.#parts.access), {
        schema: settings.schema,
        prefix: `${settings.prefix}${definition.userId}_${definition.id}_`,
      })
    }
    const opening = STORAGES[storeType](config, this.#parts.access)
    const storage = await opening.catch((error: unknown) => Promise.reject(asAway(error)))
    return this.#openBucket(definition, storeType, storage)
  }

  /** Connects, and writes something small where it can be taken back. A Problem says what is wrong. */
  async checkConnection(storeType: StoreType, config: ConnectionConfig): Promise<void> {
    assertRequiredFields(storeType, config)
    const { access } = this.#parts
    try {
      if (storeType === 'local') await checkFolder((await this.#allowed(requiredText(config, 'path'))).folder)
      else if (storeType === 'postgresql') await checkPostgresql(postgresqlSettings(config), access)
      else {
        bucketPrefix(config)
        await checkStorage(await STORAGES[storeType](config, access))
      }
    } catch (error) {
      throw asConnectionProblem(error)
    }
  }

  /**
   * Removes what a store has on this machine: its files, at every place it was ever given, and copies of a bucket's.
   * Asked before the store's row is deleted, to be called after; it waits for the write that is under way.
   */
  async discarding(definition: Pick<StoreDefinition, 'id' | 'userId' | 'isSystem'>): Promise<() => Promise<void>> {
    const paths = definition.isSystem
      ? []
      : await localPathsOf(this.#parts.database, await this.#folderId(), definition.id)
    const remove = async () => {
      if (definition.isSystem) await this.#systemFolder(definition).removeAll()
      if (definition.isSystem) await this.#emptyBucket(definition)
      for (const path of paths) {
        const { folder } = await this.#allowed(path)
        await ownFolder(folder, definition).removeAll()
      }
      await this.#copiesOf(definition.userId).folder(`store-${definition.id}`).removeAll()
    }
    return () => this.#parts.lock.exclusive(lockNameOf({ storeId: definition.id }), remove)
  }

  /** A user's own bucket keeps what they put there; the operator's does not outlive its user. */
  async #emptyBucket({ id, userId }: Pick<StoreDefinition, 'id' | 'userId'>): Promise<void> {
    const { systemBucket } = this.#parts
    if (!systemBucket) return
    const storage = await STORAGES.s3(systemBucket.config, systemBucket.access)
    try {
      const objects = await storage.list(`${keyPrefix(systemBucket.config, { id, userId })}/`)
      await storage.remove(objects.map(({ key }) => key))
    } finally {
      await storage.close()
    }
  }

  #allowed(path: string) {
    return allowedFolder(path, this.#parts.localRoots)
  }

  #folderId(): Promise<string> {
    const { systemRoot, lock } = this.#parts
    return (this.#ownFolderId ??= folderId(new ContainedFolder(systemRoot), lock).catch((error: unknown) => {
      this.#ownFolderId = undefined
      throw error
    }))
  }

  #systemFolder({ userId }: Pick<StoreDefinition, 'userId'>): ContainedFolder {
    return new ContainedFolder(this.#parts.systemRoot, `user-${userId}`)
  }

  #copiesOf(userId: number): ContainedFolder {
    return new ContainedFolder(this.#parts.cacheFolder, `user-${userId}`)
  }

  #openLocal(definition: StoreDefinition, folder: ContainedFolder, location: string): Promise<SeriesStore> {
    const allowance = this.#allowanceOf(definition.userId)
    return localSeriesStore(folder, { ...this.#storeParts(definition, location), allowance })
  }

  #openBucket(definition: StoreDefinition, storeType: BucketType, storage: ObjectStorage): Promise<SeriesStore> {
    const { id, userId, connectionConfig } = definition
    const name = `store-${id}`
    const folder = this.#copiesOf(userId).folder(name)
    const allowance = this.#allowanceOf(userId)
    return bucketSeriesStore({
      ...this.#storeParts(definition, bucketLocation(storeType, connectionConfig)),
      storage,
      prefix: keyPrefix(connectionConfig, definition),
      copies: new FileCopies({ folder, name, allowance }),
    })
  }

  #storeParts({ id, name, settings }: StoreDefinition, location: string) {
    const { duck, clock, lock, database, history } = this.#parts
    const place = { storeId: id, location }
    return { name, duck, clock, lock, database, settings, place, historyMs: history.keepMs }
  }

  /** One for all stores of a user: they share a limit. */
  #allowanceOf(userId: number): DiskAllowance {
    const { database, diskLimitBytesPerUser, disk, history } = this.#parts
    const known = this.#allowances.get(userId)
    const allowance =
      known ??
      new DiskAllowance({
        limitBytes: diskLimitBytesPerUser,
        ...(disk && { disk }),
        localBytes: async () => localBytesOf(database, await this.#folderId(), userId),
        history: {
          limitBytes: history.limitBytesPerUser,
          bytes: async () => historyBytesOf(database, await this.#folderId(), userId),
        },
        copies: this.#copiesOf(userId),
      })
    this.#allowances.set(userId, allowance)
    return allowance
  }
}

/** A folder per user and store: giving the same path does not lead to the records of another user. */
const ownFolder = (folder: ContainedFolder, { id, userId }: Pick<StoreDefinition, 'id' | 'userId'>): ContainedFolder =>
  folder.folder(`user-${userId}/store-${id}`)

const keyPrefix = (config: ConnectionConfig, { id, userId }: Pick<StoreDefinition, 'id' | 'userId'>): string =>
  [bucketPrefix(config), `user-${userId}`, `store-${id}`].filter(Boolean).join('/')

type OpenStorage = (config: ConnectionConfig, access: StoreAccess) => Promise<ObjectStorage>

/** The vendors' drivers are large: one is installed and loaded when a store of its kind is. */
const STORAGES: Readonly<Record<BucketType, OpenStorage>> = {
  s3: async (config, access) => {
    const settings = s3Settings(config, access)
    await ensureInstalled('s3')
    return (await import('./objects/s3.ts')).s3Storage(settings, access)
  },
  gcs: async (config, access) => {
    const settings = gcsSettings(config, access)
    await ensureInstalled('gcs')
    return (await import('./objects/gcs.ts')).gcsStorage(settings, access)
  },
  azure: async (config, access) => {
    const settings = azureSettings(config)
    await ensureInstalled('azure')
    return (await import('./objects/azure.ts')).azureStorage(settings, access)
  },
  mongodb: async (config, access) => {
    const settings = mongodbSettings(config)
    await access.guard.assertHost(settings.host)
    await ensureInstalled('mongodb')
    return (await import('./objects/mongodb.ts')).mongodbStorage(settings, access)
  },
}

async function checkFolder(folder: ContainedFolder): Promise<void> {
  const probe = `.check-${randomUUID()}`
  await folder.write(probe, 'check')
  await folder.remove(probe)
}

async function checkPostgresql(settings: PostgresqlSettings, access: StoreAccess): Promise<void> {
  const { limits } = access
  // The answer is one row, and many may be checked at a time.
  const pool = guardedPool(settings, { ...access, limits: { ...limits, maxQueryBytes: limits.maxAnswerBytes } }, 1)
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
