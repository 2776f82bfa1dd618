import { existsSync, renameSync } from 'node:fs'
import { StartupFailure } from '../startup-failure.ts'
import type { Database } from '../stores/database.ts'
import {
  appSecret,
  createSecret,
  hasSecret,
  nextSecretFile,
  readSecret,
  secretFile,
  openedBefore,
  type SecretConfig,
  notSealedBy,
  replaceSealed,
  type SealedRow,
  sealedRows,
} from './open-seal.ts'
import { createSeal, keyIdOf, sealedBy, Unreadable } from './seal.ts'

interface RotationDeps {
  readonly database: Database
  /** Called after each row; a test stops here. */
  readonly onRow?: () => void
}

interface RotationOutcome {
  readonly resealed: number
  /** Rows that neither secret opens. They stay as they are. */
  readonly unreadable: number
  /** The operator's next step, as a sentence. */
  readonly next: string
}

/**
 * Seals every stored secret anew: with NEW_APP_SECRET, or with a new file in the place of the old one. Killed anywhere, it
 * goes on where it was when it is run again: each row says which secret sealed it, and the new secret is on disk (or with
 * the operator) before the first row changes.
 */
export async function rotateSecret(deps: RotationDeps, config: SecretConfig): Promise<RotationOutcome> {
  const { dataDir, newAppSecret } = config
  if (config.appSecret && !newAppSecret) {
    throw new StartupFailure('APP_SECRET is set in the environment: set NEW_APP_SECRET to the secret that follows it.')
  }
  if (!hasSecret(config.appSecret, dataDir)) throw new StartupFailure('There is no secret yet: start the program once.')
  const before = appSecret(config.appSecret, dataDir)
  const counts = await resealAll(deps, before, newAppSecret ?? nextFileSecret(dataDir))
  if (newAppSecret) {
    return { ...counts, next: 'Now set APP_SECRET to the value of NEW_APP_SECRET, remove NEW_APP_SECRET, and start.' }
  }
  renameSync(nextSecretFile(dataDir), secretFile(dataDir))
  return { ...counts, next: `${secretFile(dataDir)} has the new secret. Start the program, and back the file up.` }
}

function nextFileSecret(dataDir: string): string {
  const file = nextSecretFile(dataDir)
  if (!existsSync(file)) createSecret(dataDir, file)
  return readSecret(file)
}

async function resealAll({ database, onRow }: RotationDeps, before: string, after: string) {
  const [from, to] = [createSeal(before), createSeal(after)]
  const opened = (row: SealedRow): string | undefined => {
    if (sealedBy(row.sealed) === 'before rows') return openedBefore(row, [before, after])
    try {
      return from.open(row.place, row.sealed)
    } catch (error) {
      if (error instanceof Unreadable) return undefined
      throw error
    }
  }
  let [resealed, unreadable] = [0, 0]
  for await (const row of sealedRows(database, notSealedBy([keyIdOf(after)]))) {
    const plain = opened(row)
    if (plain === undefined) unreadable += 1
    else if (await replaceSealed(database, row, to.seal(row.place, plain))) resealed += 1
    onRow?.()
  }
  return { resealed, unreadable }
}
