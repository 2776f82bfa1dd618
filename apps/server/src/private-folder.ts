import { chmodSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Mode bits of the group and of others. */
const OTHERS = 0o077

/** What the program keeps in DATA_DIR; other files there are not its own. */
const OWN = [
  'app-secret',
  'disk-reserve',
  'emergency-stop',
  'exports',
  'postgres',
  'postgres.log',
  'postgres.password',
  'stores',
  'uploads',
]

/**
 * Takes the rights of other users of the machine to a data folder and to what it holds: one that was made by hand, or by a
 * volume, may be open to all. A file system that has no such rights is left as it is.
 */
export function makePrivate(folder: string): void {
  tighten(folder)
  for (const name of OWN) tighten(join(folder, name))
}

function tighten(path: string): void {
  try {
    const { mode } = statSync(path)
    if ((mode & OTHERS) !== 0) chmodSync(path, mode & 0o700)
  } catch {
    // Not there, or another user's: PostgreSQL keeps its folder private itself.
  }
}
