import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartupFailure } from '../startup-failure.ts'
import { errorCode } from '../system-error.ts'

export const secretFile = (dataDir: string): string => join(dataDir, 'app-secret')
/** The secret that a rotation under way changes to. */
export const nextSecretFile = (dataDir: string): string => join(dataDir, 'app-secret.next')

/**
 * The secret that seals users' keys: APP_SECRET, else a file made at the first start. Several machines that share a
 * database must share APP_SECRET, too.
 */
export function appSecret(configured: string | undefined, dataDir: string): string {
  if (configured) return configured
  const file = secretFile(dataDir)
  if (!existsSync(file)) createSecret(dataDir, file)
  return readSecret(file)
}

export const hasSecret = (configured: string | undefined, dataDir: string): boolean =>
  configured !== undefined || existsSync(secretFile(dataDir))

export function readSecret(file: string): string {
  chmodSync(file, 0o600)
  const secret = readFileSync(file, 'utf8').trim()
  if (secret.length < 16) throw new StartupFailure(`${file} is damaged. Restore it from a backup, or set APP_SECRET.`)
  return secret
}

/** Written whole under another name and then linked: two first starts at once agree on one secret. */
export function createSecret(dataDir: string, file: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const unfinished = `${file}.${process.pid}`
  writeFileSync(unfinished, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flush: true })
  try {
    linkSync(unfinished, file)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  } finally {
    rmSync(unfinished, { force: true })
  }
}
