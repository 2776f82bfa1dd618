import { Problem } from '@tradewright/core/problem'

export type StoreType = 'local' | 's3' | 'gcs' | 'azure' | 'postgresql' | 'mongodb'

/** As the user typed it, in the spec's names. */
export type ConnectionConfig = Readonly<Record<string, unknown>>

export const requiredFields: Readonly<Record<StoreType, readonly string[]>> = {
  local: ['path'],
  s3: ['bucket', 'region'],
  gcs: ['gcs_bucket', 'project_id'],
  azure: ['account_name', 'account_key', 'container_name'],
  postgresql: ['host', 'database', 'username', 'password'],
  mongodb: ['mongo_host', 'mongo_database'],
}

export const defaultPorts = { postgresql: 5432, mongodb: 27_017 } as const

export const defaultCollectionPrefix = 'data_'

export function missingFields(type: StoreType, config: ConnectionConfig): string[] {
  return requiredFields[type].filter((field) => textOf(config, field) === undefined)
}

export function assertRequiredFields(type: StoreType, config: ConnectionConfig): void {
  const missing = missingFields(type, config)
  if (missing.length === 0) return
  throw new Problem('invalid', 'store.fields', `Please fill in required fields: ${missing.join(', ')}`)
}

/** Undefined for what is empty, so that a form may send every field it has. */
export function textOf(config: ConnectionConfig, field: string): string | undefined {
  const value = config[field]
  if (typeof value === 'number') return String(value)
  const text = typeof value === 'string' ? value.trim() : ''
  return text === '' ? undefined : text
}

export function requiredText(config: ConnectionConfig, field: string): string {
  const text = textOf(config, field)
  if (text === undefined) throw new Problem('invalid', 'store.fields', `Please fill in required fields: ${field}`)
  return text
}

export function portOf(config: ConnectionConfig, otherwise: number): number {
  const text = textOf(config, 'port')
  const port = text === undefined ? otherwise : Number(text)
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port
  throw new Problem('invalid', 'store.port', `"${text}" is not a port: it is a whole number from 1 to 65535.`)
}
