import { allCredentials } from '@tradewright/core/broker-catalogue'
import { type DestinationStream, type LogFn, type Logger, pino } from 'pino'
import type { Config } from './config.ts'
import { loggedError } from './logged-error.ts'
import { recentErrors } from './observe/process-counts.ts'

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

const ERROR = 50

/** Errors are kept for the operator, too. */
function keepError(this: Logger, line: Parameters<LogFn>, log: LogFn, level: number): void {
  if (level >= ERROR) {
    const [fields, message] = line as [unknown, unknown]
    recentErrors.record(fields, typeof message === 'string' ? message : typeof fields === 'string' ? fields : '')
  }
  log.apply(this, line)
}

/** JSON lines on standard output, or where told; a secret that slips into a record is masked by its name. */
export function createLog(config: Pick<Config, 'logLevel'>, destination?: DestinationStream): Logger {
  const options = {
    level: config.logLevel,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    serializers: { err: (error: unknown) => loggedError(error) },
    hooks: { logMethod: keepError },
    redact: { paths: SECRET_PATHS, censor: '[secret]' },
  }
  return destination ? pino(options, destination) : pino(options)
}
