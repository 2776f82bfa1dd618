import { join } from 'node:path'
import { projectFolder } from '../src/config.ts'

/** What tests start as a process of its own, by its source. */
export const PROGRAM_SOURCES = {
  main: 'apps/server/src/main.ts',
  worker: 'apps/server/src/worker.ts',
  'live-process': 'apps/server/test-support/live/live-process.ts',
  'record-process': 'apps/server/test-support/live/record-process.ts',
  account: 'apps/server/src/commands/account.ts',
  backup: 'apps/server/src/commands/backup.ts',
  restore: 'apps/server/src/commands/restore.ts',
  invite: 'apps/server/src/commands/invite.ts',
  'rotate-secret': 'apps/server/src/commands/rotate-secret.ts',
  'step-worker': 'apps/server/test-support/step-worker.ts',
  'store-writer': 'apps/server/test-support/store-writer-process.ts',
}

/** Set by the unit tests, whose set-up bundles the programs. In browser stories and under the launcher sources run. */
export const BUNDLE_FOLDER = 'BUNDLED_PROGRAMS'

export function programFile(name: keyof typeof PROGRAM_SOURCES): string {
  const folder = process.env[BUNDLE_FOLDER]
  return folder ? join(folder, `${name}.mjs`) : join(projectFolder, PROGRAM_SOURCES[name])
}
