import { allCredentials } from '@tradewright/core/broker-catalogue'
import { pino, type DestinationStream, type Logger } from 'pino'
import type { Config } from './config.ts'
import { loggedError } from './logged-error.ts'

export type { Logger } from 'pino'

/** Names under which a secret might be logged by mistake, at the top and one level down. */
const SECRET_NAMES = [
  'password',
  'token',
  'secret',
  ...allCredentials.flatMap(({ key, wireKey }) => [key, wireKey]),
  'apiKey',
  'apiSecret',
  'authorization',
  'cookie',
  'set-cookie',
  'connectionString',
]
const SECRET_PATHS = SECRET_NAMES.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`])

/** JSON lines on standard output; a secret that slips into a record is masked by its name. */
export function createLog(config: Pick<Config, 'logLevel'>, destination?: DestinationStream): Logger {
  const options = {
    level: config.logLevel,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    serializers: { err: (error: unknown) => loggedError(error) },
    redact: { paths: SECRET_PATHS, censor: '[secret]' },
  }
  return destination ? pino(options, destination) : pino(options)
}
