import { REQUIRED_CONNECTION_FIELDS, type DataStore } from '@tradewright/contract/data-stores'

export type StoreType = DataStore['store_type']

export interface StoreField {
  /** The field's name on the wire. */
  name: string
  label: string
  /** A secret is only ever written; JSON may be pasted whole. */
  kind?: 'secret' | 'json' | 'region'
  /** The value of a new store. */
  initial?: string
  hint?: string
}

export const S3_REGIONS = ['us-east-1', 'us-west-2', 'eu-west-1', 'ap-southeast-1'] as const

const PREFIX: StoreField = { name: 'prefix', label: 'Prefix', hint: 'Optional prefix of every object name' }
const ENDPOINT: StoreField = { name: 'endpoint', label: 'Endpoint', hint: 'Only for compatible services' }

export const STORE_FIELDS: Record<StoreType, readonly StoreField[]> = {
  local: [{ name: 'path', label: 'Path', hint: 'Must be inside the folder that the operator allows' }],
  s3: [
    { name: 'bucket', label: 'Bucket' },
    { name: 'region', label: 'Region', kind: 'region', initial: 'us-east-1' },
    { name: 'access_key_id', label: 'Access key id' },
    { name: 'secret_access_key', label: 'Secret access key', kind: 'secret' },
    ENDPOINT,
    PREFIX,
  ],
  gcs: [
    { name: 'gcs_bucket', label: 'Bucket' },
    { name: 'project_id', label: 'Project id' },
    { name: 'service_account', label: 'Service account (JSON)', kind: 'json' },
    PREFIX,
  ],
  azure: [
    { name: 'account_name', label: 'Account name' },
    { name: 'account_key', label: 'Account key', kind: 'secret' },
    { name: 'container_name', label: 'Container' },
    ENDPOINT,
    PREFIX,
  ],
  postgresql: [
    { name: 'host', label: 'Host' },
    { name: 'port', label: 'Port', initial: '5432' },
    { name: 'database', label: 'Database' },
    { name: 'schema', label: 'Schema', hint: 'Optional; the default is tradewright' },
    { name: 'username', label: 'Username' },
    { name: 'password', label: 'Password', kind: 'secret' },
  ],
  mongodb: [
    { name: 'mongo_host', label: 'Host' },
    { name: 'port', label: 'Port', initial: '27017' },
    { name: 'mongo_database', label: 'Database' },
    { name: 'collection_prefix', label: 'Collection prefix', initial: 'data_' },
    { name: 'mongo_username', label: 'Username' },
    { name: 'mongo_password', label: 'Password', kind: 'secret' },
  ],
}

export const isRequired = (type: StoreType, name: string): boolean =>
  REQUIRED_CONNECTION_FIELDS[type].some((required) => required === name)
