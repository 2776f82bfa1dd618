import { type DataStore, DataStoreBody } from '@tradewright/contract/data-stores'
import { expect, it } from 'vitest'
import { fromStore, initialConnection, newStoreForm, problemsOf, type StoreForm, toBody } from './store-form.ts'
import { S3_REGIONS, STORE_FIELDS, type StoreType } from './store-fields.ts'

const form = (storeType: StoreType, more: Partial<StoreForm> = {}): StoreForm => ({
  ...newStoreForm(),
  name: 'Mine',
  storeType,
  connection: {},
  ...more,
})

it('begins with PostgreSQL, parquet and snappy [SET-041] [SET-092] [SET-094]', () => {
  expect(newStoreForm()).toMatchObject({ storeType: 'postgresql', compression: 'snappy', connection: { port: '5432' } })
  expect(toBody(newStoreForm())).toMatchObject({ default_format: 'parquet', compression: 'snappy' })
})

it('knows the ports, prefix and regions of the other types [SET-093] [SET-095] [SET-096] [SET-097]', () => {
  expect(initialConnection('mongodb')).toMatchObject({ port: '27017', collection_prefix: 'data_' })
  expect(S3_REGIONS).toEqual(['us-east-1', 'us-west-2', 'eu-west-1', 'ap-southeast-1'])
  expect(DataStoreBody.shape.partition_strategy.unwrap().options).toEqual(['date', 'ticker', 'date_ticker', 'none'])
})

it('wants a name first [SET-033]', () => {
  expect(problemsOf(form('local', { name: ' ' }))?.text).toBe('Please enter a store name')
})

it.each([
  ['local', 'path'],
  ['s3', 'bucket, region'],
  ['gcs', 'gcs_bucket, project_id'],
  ['azure', 'account_name, account_key, container_name'],
  ['postgresql', 'host, database, username, password'],
  ['mongodb', 'mongo_host, mongo_database'],
] as const)(
  'names what %s cannot do without [SET-034] [SET-035] [SET-036] [SET-037] [SET-038] [SET-039] [SET-040]',
  (type, names) => {
    expect(problemsOf(form(type))?.text).toBe(`Please fill in required fields: ${names}`)
    const filled = Object.fromEntries(STORE_FIELDS[type].map(({ name }) => [name, 'x']))
    expect(problemsOf(form(type, { connection: filled }))).toBeNull()
  },
)

it('parses a service account that is JSON and sends any other text as it is [SET-042]', () => {
  const sent = (service_account: string) =>
    toBody(form('gcs', { connection: { service_account, prefix: ' ' } })).connection_config
  expect(sent('{"client_email":"a@b"}')).toEqual({ service_account: { client_email: 'a@b' } })
  expect(sent('not json')).toEqual({ service_account: 'not json' })
})

it('needs no secret again that is stored, and sends none', () => {
  const store: DataStore = {
    id: 4,
    name: 'Warehouse',
    store_type: 'postgresql',
    is_system: false,
    is_default: true,
    default_format: 'parquet',
    partition_strategy: 'ticker',
    compression: 'zstd',
    created_at: '2026-11-15T00:00:00.000Z',
    connection_config: { host: 'db', port: 5432, database: 'd', username: 'u' },
    stored_secrets: ['password'],
    unverified_reason: null,
  }
  expect(problemsOf(fromStore(store))).toBeNull()
  expect(toBody(fromStore(store))).toMatchObject({
    name: 'Warehouse',
    is_default: true,
    partition_strategy: 'ticker',
    compression: 'zstd',
    connection_config: { host: 'db', port: '5432', database: 'd', username: 'u' },
  })
})
