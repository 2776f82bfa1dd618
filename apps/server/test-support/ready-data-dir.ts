import { inject } from 'vitest'
import { copyDataDir } from './copy-data-dir.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A DATA_DIR that has its database already, migrated and empty. It goes with the test unless the test brings it. */
export function readyDataDir(folder = temporaryFolder()): string {
  copyDataDir(inject('readyDataDir'), folder)
  return folder
}
