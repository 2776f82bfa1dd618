import { Problem } from '@tradewright/core/problem'
import type { Seal } from '../../secrets/seal.ts'
import type { CoverageStore } from '../collect/coverage.ts'
import { type DataStore, type StoreSettings, storeMissing, type StoreType } from './data-store.ts'
import type { DataStoreRows, OpenStores, StoreConnector } from './ports.ts'
import { splitConfig, type StoreSecrets } from './store-secrets.ts'

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

const REQUIRED: Readonly<Record<StoreType, readonly string[]>> = {
  local: ['path'],
  s3: ['bucket', 'region'],
  gcs: ['gcs_bucket', 'project_id'],
  azure: ['account_name', 'account_key', 'container_name'],
  postgresql: ['host', 'database', 'username', 'password'],
  mongodb: ['mongo_host', 'mongo_database'],
}

const SEAL_PURPOSE = 'data store'

export interface ListedStore extends DataStore {
  readonly storedSecrets: readonly string[]
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
  const { open, secrets } = checked(form, {})
  const settings = { ...form, name: nameOf(form), connectionConfig: open }
  await deps.connector.check({ ...settings, userId }, secrets)
  const store = await deps.rows.insert(userId, { ...settings, sealedSecrets: sealed(deps, secrets) })
  return listed(deps, store)
}

export async function updateStore(deps: StoreDeps, userId: number, id: number, form: StoreForm): Promise<ListedStore> {
  const store = await findStore(deps, userId, id)
  if (store.isSystem) return updateSystemStore(deps, store, form)
  const { open, secrets } = checked(form, secretsOf(deps, store))
  const settings = { ...form, name: nameOf(form), connectionConfig: open }
  await deps.connector.check({ ...settings, userId }, secrets)
  const changed = await deps.rows.update(userId, id, { ...settings, sealedSecrets: sealed(deps, secrets) })
  if (!changed) throw storeMissing()
  return listed(deps, changed)
}

/** Deletes the row and, where nobody else could reach them any more, the files. */
export async function deleteStore(deps: StoreDeps, userId: number, id: number): Promise<void> {
  const store = await findStore(deps, userId, id)
  if (store.isSystem) throw new Problem('conflict', 'store.system', 'The system store cannot be deleted.')
  const jobs = await deps.jobsUsing(userId, id)
  if (jobs.length > 0) {
    const names = jobs.map((name) => `"${name}"`).join(', ')
    throw new Problem('conflict', 'store.in-use', `The data store is used by these collection jobs: ${names}.`)
  }
  if (store.storeType === 'local') await (await deps.stores.find(userId, id)).series.clear()
  if (!(await deps.rows.remove(userId, id))) throw storeMissing()
}

/** Gives the number of records that were removed. */
export async function clearStore(
  deps: StoreDeps,
  userId: number,
  id: number,
): Promise<{ name: string; removed: number }> {
  const store = await deps.stores.find(userId, id)
  // Forgotten first: a range that is remembered without its rows would never be fetched again.
  await deps.coverage.forget(id)
  const removed = await store.series.clear()
  await deps.coverage.forget(id)
  return { name: store.name, removed }
}

/** What a store's driver needs besides its row. */
export function secretsOf({ seal }: Pick<StoreDeps, 'seal'>, { sealedSecrets }: DataStore): StoreSecrets {
  return sealedSecrets ? (JSON.parse(seal.open(SEAL_PURPOSE, sealedSecrets)) as StoreSecrets) : {}
}

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

/** An empty secret keeps the one that is stored. */
function checked(form: StoreForm, stored: StoreSecrets) {
  nameOf(form)
  const { open, secrets } = splitConfig(form.connectionConfig)
  const all = { ...stored, ...secrets }
  const missing = REQUIRED[form.storeType].filter((field) => open[field] === undefined && all[field] === undefined)
  if (missing.length > 0) {
    throw new Problem('invalid', 'store.fields', `Please fill in required fields: ${missing.join(', ')}`)
  }
  if (form.storeType === 'local' && String(open['path']).split(/[\\/]/).includes('..')) {
    throw new Problem('invalid', 'store.path', 'The path must not lead out of your own folder.')
  }
  return { open, secrets: all }
}

const sealed = ({ seal }: StoreDeps, secrets: StoreSecrets): Buffer | null =>
  Object.keys(secrets).length === 0 ? null : seal.seal(SEAL_PURPOSE, JSON.stringify(secrets))

const listed = (deps: StoreDeps, store: DataStore): ListedStore => ({
  ...store,
  storedSecrets: Object.keys(secretsOf(deps, store)),
})
