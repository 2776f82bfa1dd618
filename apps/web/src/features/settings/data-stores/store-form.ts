import {
  type DataStore,
  type DataStoreBody,
  PARTITION_STRATEGIES,
  REQUIRED_CONNECTION_FIELDS,
} from '@tradewright/contract/data-stores'
import { parsed } from '../../../lib/http.ts'
import { STORE_FIELDS, type StoreType } from './store-fields.ts'

export const COMPRESSIONS = ['snappy', 'zstd', 'gzip', 'none'] as const

export interface StoreForm {
  name: string
  storeType: StoreType
  isDefault: boolean
  partitionStrategy: (typeof PARTITION_STRATEGIES)[number]
  compression: (typeof COMPRESSIONS)[number]
  /** By the names of the wire; secrets that are kept are empty here. */
  connection: Record<string, string>
  storedSecrets: readonly string[]
}

/** New stores are PostgreSQL; the other types are added through the API. */
export const newStoreForm = (): StoreForm => ({
  name: '',
  storeType: 'postgresql',
  isDefault: false,
  partitionStrategy: 'none',
  compression: 'snappy',
  connection: initialConnection('postgresql'),
  storedSecrets: [],
})

export function initialConnection(type: StoreType): Record<string, string> {
  return Object.fromEntries(STORE_FIELDS[type].map(({ name, initial }) => [name, initial ?? '']))
}

export const fromStore = (store: DataStore): StoreForm => ({
  name: store.name,
  storeType: store.store_type,
  isDefault: store.is_default,
  partitionStrategy: store.partition_strategy,
  compression: COMPRESSIONS.find((one) => one === store.compression) ?? 'snappy',
  connection: {
    ...Object.fromEntries(STORE_FIELDS[store.store_type].map(({ name }) => [name, ''])),
    ...Object.fromEntries(Object.entries(store.connection_config).map(([name, value]) => [name, String(value)])),
  },
  storedSecrets: store.stored_secrets,
})

interface StoreProblems {
  /** The sentence for the page. */
  text: string
  fields: readonly string[]
}

/** Errors that keep the form from being sent; a secret that is stored counts as given. */
export function problemsOf(form: StoreForm): StoreProblems | null {
  if (form.name.trim() === '') return { text: 'Please enter a store name', fields: ['name'] }
  const missing = REQUIRED_CONNECTION_FIELDS[form.storeType].filter(
    (name) => !form.connection[name]?.trim() && !form.storedSecrets.includes(name),
  )
  if (missing.length === 0) return null
  return { text: `Please fill in required fields: ${missing.join(', ')}`, fields: missing }
}

export const toBody = (form: StoreForm): DataStoreBody => ({
  name: form.name.trim(),
  store_type: form.storeType,
  is_default: form.isDefault,
  default_format: 'parquet',
  partition_strategy: form.partitionStrategy,
  compression: form.compression,
  connection_config: connectionOf(form),
})

/** A service account that is valid JSON is sent as what it says, anything else as text. */
function connectionOf({ storeType, connection }: StoreForm): Record<string, unknown> {
  const json = new Set(STORE_FIELDS[storeType].filter(({ kind }) => kind === 'json').map(({ name }) => name))
  return Object.fromEntries(
    Object.entries(connection)
      .filter(([, value]) => value.trim() !== '')
      .map(([name, value]) => [name, json.has(name) ? (parsed(value) ?? value) : value.trim()]),
  )
}

/** The same store, made the default. */
export const asDefault = (store: DataStore): DataStoreBody => toBody({ ...fromStore(store), isDefault: true })
