import { Problem } from '@tradewright/core/problem'
import type { AzureSettings } from './objects/azure.ts'
import type { GcsSettings } from './objects/gcs.ts'
import type { MongodbSettings } from './objects/mongodb.ts'
import type { S3Settings } from './objects/s3.ts'
import {
  type ConnectionConfig,
  defaultCollectionPrefix,
  defaultPorts,
  portOf,
  requiredText,
  textOf,
} from './store-connection.ts'

export interface PostgresqlSettings {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly username: string
  readonly password: string
  readonly schema: string
  readonly prefix: string
  readonly ssl: boolean
}

export function postgresqlSettings(config: ConnectionConfig): PostgresqlSettings {
  return {
    host: requiredText(config, 'host'),
    port: portOf(config, defaultPorts.postgresql),
    database: requiredText(config, 'database'),
    username: requiredText(config, 'username'),
    password: requiredText(config, 'password'),
    schema: nameOf(config, 'schema', 'tradewright'),
    prefix: nameOf(config, 'prefix', defaultCollectionPrefix),
    ssl: config['ssl'] === true || textOf(config, 'ssl') === 'true',
  }
}

/** Becomes part of a table's name, which PostgreSQL cuts at 63 letters. */
function nameOf(config: ConnectionConfig, field: string, otherwise: string): string {
  const name = textOf(config, field) ?? otherwise
  if (/^[A-Za-z_][A-Za-z0-9_]{0,29}$/.test(name)) return name
  const sentence = `"${name}" cannot be the ${field}: up to 30 letters, digits and _, beginning with a letter.`
  throw new Problem('invalid', `store.${field}`, sentence)
}

export function s3Settings(config: ConnectionConfig): S3Settings {
  const accessKeyId = textOf(config, 'access_key_id')
  const secretAccessKey = textOf(config, 'secret_access_key')
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined)) {
    const missing = accessKeyId === undefined ? 'access_key_id' : 'secret_access_key'
    throw new Problem('invalid', 'store.fields', `Please fill in required fields: ${missing}`)
  }
  return {
    bucket: requiredText(config, 'bucket'),
    region: requiredText(config, 'region'),
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
    endpoint: textOf(config, 'endpoint'),
  }
}

export const azureSettings = (config: ConnectionConfig): AzureSettings => ({
  accountName: requiredText(config, 'account_name'),
  accountKey: requiredText(config, 'account_key'),
  containerName: requiredText(config, 'container_name'),
  endpoint: textOf(config, 'endpoint'),
})

export const mongodbSettings = (config: ConnectionConfig): MongodbSettings => ({
  host: requiredText(config, 'mongo_host'),
  port: portOf(config, defaultPorts.mongodb),
  database: requiredText(config, 'mongo_database'),
  username: textOf(config, 'mongo_username'),
  password: textOf(config, 'mongo_password'),
  collectionPrefix: textOf(config, 'collection_prefix') ?? defaultCollectionPrefix,
})

export const gcsSettings = (config: ConnectionConfig): GcsSettings => ({
  bucket: requiredText(config, 'gcs_bucket'),
  projectId: requiredText(config, 'project_id'),
  serviceAccount: serviceAccountOf(config['service_account']),
})

/** The form sends valid JSON as an object and anything else as the text that was typed. */
function serviceAccountOf(value: unknown): GcsSettings['serviceAccount'] {
  if (value === undefined || value === null || value === '') return undefined
  const account = (typeof value === 'string' ? parseJson(value) : value) as Record<string, unknown> | undefined
  const [email, key] = [account?.['client_email'], account?.['private_key']]
  if (typeof email === 'string' && typeof key === 'string') return { client_email: email, private_key: key }
  const sentence = 'The service account must be its JSON key, with client_email and private_key.'
  throw new Problem('invalid', 'store.service-account', sentence)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
