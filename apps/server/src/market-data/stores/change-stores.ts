import { Problem } from '@tradewright/core/problem'
import type { SeriesStore } from '@tradewright/engine/market/series-store'
import type { Clock } from '@tradewright/core/clock'
import type { UtcMillis } from '@tradewright/core/time'
import { type SeriesQuality, inspectStore } from '@tradewright/engine/market/quality/series-quality'
import type { Layer } from '@tradewright/engine/market/series'
import type { Seal, SealedPlace } from '../../secrets/seal.ts'
import type { CoverageStore } from '../collect/collect.ts'
import {
  type ConnectionConfig,
  type DataStore,
  type StoreSettings,
  storeMissing,
  type DataStoreRows,
  type NewStore,
  type OpenStores,
  type StoreConnector,
  type OpenStore,
} from './data-store.ts'
import type { UserFiles } from '../../auth/ports.ts'
import type { Logger } from '../../log.ts'
import type { QualityInput } from './quality-task.ts'

export interface StoreDeps {
  readonly rows: DataStoreRows
  readonly stores: OpenStores
  readonly connector: StoreConnector
  readonly coverage: CoverageStore
  readonly seal: Seal
  /** Names of the jobs that write into a store. */
  readonly jobsUsing: (userId: number, storeId: number) => Promise<string[]>
}

export interface StoreForm extends Omit<StoreSettings, 'name'> {
  readonly name: string | undefined
  readonly isDefault: boolean
}

const placeOf = ({ id, userId }: Pick<DataStore, 'id' | 'userId'>): SealedPlace => ({
  table: 'data_stores',
  row: id,
  userId,
})

export interface ListedStore extends DataStore {
  readonly storedSecrets: readonly string[]
  /** Its secrets can no longer be opened and have to be entered again. */
  readonly isUnreadable: boolean
}

/** The system store first; it is the default as long as no other is. */
export async function listStores(deps: StoreDeps, userId: number): Promise<ListedStore[]> {
  await deps.rows.systemStore(userId)
  const stores = await deps.rows.list(userId)
  const hasDefault = stores.some(({ isDefault }) => isDefault)
  return stores.map((store) =>
    listed(deps, { ...store, isDefault: store.isDefault || (store.isSystem && !hasDefault) }),
  )
}

export async function createStore(deps: StoreDeps, userId: number, form: StoreForm): Promise<ListedStore> {
  const { store, secrets } = await checked(deps, form, {})
  return listed(deps, await deps.rows.insert(userId, store, (id) => sealed(deps, { id, userId }, secrets)))
}

export async function updateStore(deps: StoreDeps, userId: number, id: number, form: StoreForm): Promise<ListedStore> {
  const store = await findStore(deps, userId, id)
  if (store.isSystem) return updateSystemStore(deps, store, form)
  const stored = readableSecrets(deps, store)
  if (!stored && Object.keys(splitConfig(form.connectionConfig).secrets).length === 0) throw unreadable(store)
  const { store: next, secrets } = await checked(deps, form, secretsFor(store, form, stored ?? {}))
  const changed = await deps.rows.update(userId, id, { ...next, sealedSecrets: sealed(deps, store, secrets) })
  if (!changed) throw storeMissing()
  return listed(deps, changed)
}

/** The fields that name the server which a password or key is sent to. */
const SERVER_FIELDS = ['host', 'mongo_host', 'port', 'endpoint', 'account_name'] as const

/**
 * The stored secrets that a changed form may use. With a session alone, another server could otherwise be named to be
 * sent a password that never comes back.
 */
function secretsFor(store: DataStore, form: StoreForm, stored: StoreSecrets): StoreSecrets {
  const { open, secrets } = splitConfig(form.connectionConfig)
  if (form.storeType !== store.storeType) return {}
  const isSameServer = SERVER_FIELDS.every((name) => textOf(open[name]) === textOf(store.connectionConfig[name]))
  if (isSameServer || Object.keys(stored).every((name) => name in secrets)) return stored
  const sentence = 'The address of the data store has changed. Please enter its password or key again.'
  throw new Problem('invalid', 'store.enter-again', sentence)
}

/** Forms send numbers as text. */
const textOf = (value: unknown): string =>
  typeof value === 'number' ? `${value}` : typeof value === 'string' ? value.trim() : ''

/** Deletes the row and its files on this machine, which no row would refer to. */
export async function deleteStore(deps: StoreDeps, userId: number, id: number): Promise<void> {
  const store = await findStore(deps, userId, id)
  if (store.isSystem) throw new Problem('conflict', 'store.system', 'The system store cannot be deleted.')
  const jobs = await deps.jobsUsing(userId, id)
  if (jobs.length > 0) {
    const names = jobs.map((name) => `"${name}"`).join(', ')
    throw new Problem('conflict', 'store.in-use', `The data store is used by these collection jobs: ${names}.`)
  }
  const discard = await deps.connector.discarding(store)
  if (!(await deps.rows.remove(userId, id))) throw storeMissing()
  await discard()
}

/** Gives the number of records that were removed. */
export async function clearStore(
  deps: StoreDeps,
  userId: number,
  id: number,
): Promise<{ name: string; removed: number }> {
  const store = await deps.stores.find(userId, id)
  // Forgotten first: a range that is recorded without its rows would never be fetched again.
  await deps.coverage.forget(id)
  const removed = await store.series.clear()
  await deps.coverage.forget(id)
  return { name: store.name, removed }
}

/** The connection of a store with its secrets opened, for its driver alone. */
export const connectionOf = (deps: Pick<StoreDeps, 'seal'>, store: DataStore): ConnectionConfig => ({
  ...store.connectionConfig,
  ...secretsOf(deps, store),
})

function secretsOf(deps: Pick<StoreDeps, 'seal'>, store: DataStore): StoreSecrets {
  const secrets = readableSecrets(deps, store)
  if (!secrets) throw unreadable(store)
  return secrets
}

/** Undefined when the secret of the application is another one than they were sealed with. */
function readableSecrets({ seal }: Pick<StoreDeps, 'seal'>, store: DataStore): StoreSecrets | undefined {
  if (!store.sealedSecrets) return {}
  try {
    return JSON.parse(seal.open(placeOf(store), store.sealedSecrets)) as StoreSecrets
  } catch {
    return undefined
  }
}

const unreadable = ({ name }: DataStore): Problem =>
  new Problem(
    'conflict',
    'store.unreadable-secrets',
    `The stored password or key of the data store "${name}" can no longer be read. Edit the store in Settings and enter it again.`,
  )

async function findStore({ rows }: StoreDeps, userId: number, id: number): Promise<DataStore> {
  const store = await rows.find(userId, id)
  if (!store) throw storeMissing()
  return store
}

async function updateSystemStore(deps: StoreDeps, store: DataStore, form: StoreForm): Promise<ListedStore> {
  if (form.storeType !== store.storeType || nameOf(form) !== store.name) {
    const sentence = 'The system store cannot be changed; it can only be made the default.'
    throw new Problem('conflict', 'store.system', sentence)
  }
  const changed = await deps.rows.update(store.userId, store.id, { ...store, isDefault: form.isDefault })
  if (!changed) throw storeMissing()
  return listed(deps, changed)
}

function nameOf({ name }: StoreForm): string {
  if (!name) throw new Problem('invalid', 'store.name', 'Please enter a store name')
  return name
}

/** The store as it will be saved, its connection tried. An empty secret keeps the one that is stored. */
async function checked(
  deps: StoreDeps,
  form: StoreForm,
  stored: StoreSecrets,
): Promise<{ store: NewStore; secrets: StoreSecrets }> {
  const name = nameOf(form)
  const { open, secrets } = splitConfig(form.connectionConfig)
  const all = { ...stored, ...secrets }
  const unverifiedReason = (await deps.connector.check(form.storeType, { ...open, ...all })) ?? null
  return {
    store: { ...form, name, connectionConfig: open, sealedSecrets: null, unverifiedReason },
    secrets: all,
  }
}

const sealed = ({ seal }: StoreDeps, store: Pick<DataStore, 'id' | 'userId'>, secrets: StoreSecrets): Buffer | null =>
  Object.keys(secrets).length === 0 ? null : seal.seal(placeOf(store), JSON.stringify(secrets))

function listed(deps: StoreDeps, store: DataStore): ListedStore {
  const secrets = readableSecrets(deps, store)
  return { ...store, storedSecrets: Object.keys(secrets ?? {}), isUnreadable: secrets === undefined }
}

/** Fields of a connection that are kept sealed and never come back. */
const SECRET = /password|secret|token|credential|account_key|api_key|private_key|service_account|connection_string/i

type StoreSecrets = Readonly<Record<string, unknown>>

interface SplitConfig {
  readonly open: ConnectionConfig
  readonly secrets: StoreSecrets
}

/** Parts a form's connection fields; empty ones are no values. */
function splitConfig(config: ConnectionConfig): SplitConfig {
  const filled = Object.entries(config).filter(([, value]) => !isEmpty(value))
  return {
    open: Object.fromEntries(filled.filter(([name]) => !SECRET.test(name))),
    secrets: Object.fromEntries(filled.filter(([name]) => SECRET.test(name))),
  }
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'string' && value.trim() === '')

/** Keeps one opened store per row: it caches what it has read of its catalogue. */
export function createOpenStores(
  rows: DataStoreRows,
  open: (store: DataStore) => Promise<SeriesStore>,
): OpenStores & { close(): Promise<void> } {
  const opened = new Map<number, { settings: string; series: Promise<SeriesStore> }>()

  async function seriesOf(store: DataStore): Promise<OpenStore> {
    const settings = settingsKey(store)
    const known = opened.get(store.id)
    const kept = known?.settings === settings ? known : { settings, series: open(store) }
    opened.set(store.id, kept)
    if (known && known !== kept) void known.series.then((series) => series.close()).catch(() => {})
    try {
      return { id: store.id, name: store.name, series: await kept.series }
    } catch (error) {
      opened.delete(store.id)
      throw error
    }
  }

  const defaultOf = async (userId: number) =>
    seriesOf((await rows.defaultOf(userId)) ?? (await rows.systemStore(userId)))

  return {
    defaultOf,
    async find(userId, id) {
      if (id === undefined) return defaultOf(userId)
      const store = await rows.find(userId, id)
      if (!store) throw storeMissing()
      return seriesOf(store)
    },
    async close() {
      for (const { series } of opened.values()) await (await series).close()
      opened.clear()
    },
  }
}

const settingsKey = ({ name, storeType, partitionStrategy, compression, connectionConfig, sealedSecrets }: DataStore) =>
  JSON.stringify([
    name,
    storeType,
    partitionStrategy,
    compression,
    connectionConfig,
    sealedSecrets?.toString('base64') ?? null,
  ])

interface Deps {
  readonly rows: DataStoreRows
  readonly connector: StoreConnector
  readonly log: Logger
}

/** The files of a user's stores on this machine. One that cannot be removed does not keep the user from leaving; it is logged. */
export const userFiles = ({ rows, connector, log }: Deps): UserFiles => ({
  async of(userId) {
    const stores = await rows.list(userId)
    const discards = await Promise.all(stores.map((store) => connector.discarding(store)))
    return async () => {
      for (const [index, discard] of discards.entries()) {
        await discard().catch((error: unknown) => {
          log.warn({ err: error, store: stores[index]!.id }, 'the files of a deleted user could not be removed')
        })
      }
    }
  },
})

interface PurgeDeps {
  readonly stores: OpenStores
  readonly clock: Clock
  /** How long history is kept. */
  readonly keepMs: number
  readonly storesWithHistoryBefore: (at: Date) => Promise<readonly { storeId: number; userId: number }[]>
  readonly failed: (error: unknown, storeId: number) => void
}

/** Removes history that is older than it is kept, of every store. One that cannot be reached waits for the next time. */
export async function purgeHistory({
  stores,
  clock,
  keepMs,
  storesWithHistoryBefore,
  failed,
}: PurgeDeps): Promise<void> {
  const due = await storesWithHistoryBefore(new Date(clock.now().getTime() - keepMs))
  for (const { storeId, userId } of due) {
    try {
      await (await stores.find(userId, storeId)).series.purgeHistory?.()
    } catch (error) {
      failed(error, storeId)
    }
  }
}

export interface StoreQualityDeps {
  readonly stores: OpenStores
  readonly now: () => UtcMillis
  /** Inspects on a compute thread, as work of the owner. */
  readonly inspect: (input: QualityInput, owner: string) => Promise<SeriesQuality>
}

/** The report on every series of a store, worst first. */
export async function storeQuality(
  { stores, now, inspect }: StoreQualityDeps,
  userId: number,
  storeId: number,
  layer: Layer,
): Promise<SeriesQuality[]> {
  const { series } = await stores.find(userId, storeId)
  const found = await Array.fromAsync(
    inspectStore(series, layer, (table) => inspect({ table, now: now() }, String(userId))),
  )
  return found.sort((a, b) => faultsOf(b) - faultsOf(a) || (a.ticker < b.ticker ? -1 : 1))
}

const faultsOf = (quality: SeriesQuality): number =>
  quality.missingRows +
  quality.unexpectedRows +
  quality.duplicates +
  quality.contradictions +
  quality.jumps.length +
  (quality.isStale ? 1 : 0)
