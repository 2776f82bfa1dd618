import { isIP } from 'node:net'
import { Problem } from '@tradewright/core/problem'
import type { AzureSettings } from './objects/azure.ts'
import type { GcsSettings } from './objects/gcs.ts'
import type { MongodbSettings } from './objects/mongodb.ts'
import type { S3Settings } from './objects/s3.ts'
import {
  type StoreAccess,
  type ConnectionConfig,
  defaultCollectionPrefix,
  defaultPorts,
  portOf,
  requiredText,
  textOf,
} from './store-access.ts'

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
    host: hostOf(config, 'host'),
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

export function s3Settings(config: ConnectionConfig, access: AmbientRule): S3Settings {
  const accessKeyId = textOf(config, 'access_key_id')
  const secretAccessKey = textOf(config, 'secret_access_key')
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined)) {
    const missing = accessKeyId === undefined ? 'access_key_id' : 'secret_access_key'
    throw new Problem('invalid', 'store.fields', `Please fill in required fields: ${missing}`)
  }
  const endpoint = endpointOf(config)
  const credentials = accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined
  if (!credentials) assertAmbient(access, 'access_key_id and secret_access_key', endpoint)
  return {
    bucket: plainText(config, 'bucket', BUCKET),
    region: plainText(config, 'region', /^[a-z0-9-]{1,40}$/),
    credentials,
    endpoint,
  }
}

export const azureSettings = (config: ConnectionConfig): AzureSettings => ({
  // It becomes part of a host name.
  accountName: plainText(config, 'account_name', /^[a-z0-9]{3,24}$/),
  accountKey: requiredText(config, 'account_key'),
  containerName: plainText(config, 'container_name', /^[a-z0-9$][a-z0-9-]{2,62}$/),
  endpoint: endpointOf(config),
})

export const mongodbSettings = (config: ConnectionConfig): MongodbSettings => ({
  host: hostOf(config, 'mongo_host'),
  port: portOf(config, defaultPorts.mongodb),
  database: plainText(config, 'mongo_database', /^[^/\\. "$*<>:|?\0]{1,63}$/),
  username: textOf(config, 'mongo_username'),
  password: textOf(config, 'mongo_password'),
  collectionPrefix:
    textOf(config, 'collection_prefix') === undefined
      ? defaultCollectionPrefix
      : plainText(config, 'collection_prefix', /^[^$\0]{1,100}$/),
})

export function gcsSettings(config: ConnectionConfig, access: AmbientRule): GcsSettings {
  const serviceAccount = serviceAccountOf(config['service_account'])
  if (!serviceAccount) assertAmbient(access, 'service_account', undefined)
  return {
    bucket: plainText(config, 'gcs_bucket', BUCKET),
    projectId: plainText(config, 'project_id', /^[A-Za-z0-9][A-Za-z0-9:.-]{0,99}$/),
    serviceAccount,
  }
}

/** Begins every key in a bucket; a key ends at 1,024 bytes at S3, and our own part has up to 300. */
export function bucketPrefix(config: ConnectionConfig): string | undefined {
  if (textOf(config, 'prefix') === undefined) return undefined
  return plainText(config, 'prefix', /^\P{Cc}{1,512}$/u)
}

type AmbientRule = Pick<StoreAccess, 'allowAmbientCredentials'>

/** The machine's own cloud credentials are the operator's: no user may send them to a host of their choice. */
function assertAmbient({ allowAmbientCredentials }: AmbientRule, fields: string, endpoint: string | undefined): void {
  if (allowAmbientCredentials && endpoint === undefined) return
  const why =
    endpoint === undefined
      ? "this server does not lend its own cloud credentials (the operator's ALLOW_AMBIENT_CREDENTIALS)"
      : 'an endpoint needs a key of its own'
  throw new Problem('invalid', 'store.credentials', `Please fill in ${fields}: ${why}.`)
}

/** Names of buckets, the old and longer ones of S3 included. */
const BUCKET = /^[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]$/

function plainText(config: ConnectionConfig, field: string, pattern: RegExp): string {
  const text = requiredText(config, field)
  if (pattern.test(text)) return text
  throw new Problem('invalid', 'store.fields', `"${text.slice(0, 100)}" cannot be the ${field} of a data store.`)
}

/** One label of letters and digits after another. Decimal and hexadecimal forms of addresses pass: the guard resolves them. */
const HOST_NAME =
  /^(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?(\.[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?)*\.?$/

/** A host name or an address, and nothing that a driver could read as a path, an option or another host. */
function hostOf(config: ConnectionConfig, field: string): string {
  const host = requiredText(config, field).replace(/^\[(.*)\]$/, '$1')
  if (isIP(host) !== 0 || (HOST_NAME.test(host) && !/\.sock$/i.test(host))) return host
  const sentence = `"${host.slice(0, 100)}" is not a host: enter its name or address alone, such as db.example.com.`
  throw new Problem('invalid', 'store.host', sentence)
}

function endpointOf(config: ConnectionConfig): string | undefined {
  const text = textOf(config, 'endpoint')
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash
  if (isPlain) return text
  const sentence = 'The endpoint must be an http or https address without a user name and a query.'
  throw new Problem('invalid', 'store.endpoint', sentence)
}

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
