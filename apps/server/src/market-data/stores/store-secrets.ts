import type { ConnectionConfig } from './data-store.ts'

/** Fields of a connection that are kept sealed and never come back. */
const SECRET = /password|secret|token|credential|account_key|api_key|private_key|service_account|connection_string/i

export type StoreSecrets = Readonly<Record<string, unknown>>

interface SplitConfig {
  readonly open: ConnectionConfig
  readonly secrets: StoreSecrets
}

/** Parts a form's connection fields; empty ones are no values. */
export function splitConfig(config: ConnectionConfig): SplitConfig {
  const filled = Object.entries(config).filter(([, value]) => !isEmpty(value))
  return {
    open: Object.fromEntries(filled.filter(([name]) => !SECRET.test(name))),
    secrets: Object.fromEntries(filled.filter(([name]) => SECRET.test(name))),
  }
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'string' && value.trim() === '')
