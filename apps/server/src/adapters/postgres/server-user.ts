import { readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { StartupFailure } from '../../startup-failure.ts'

/**
 * The operating system's user of the database server. PostgreSQL refuses to run as root, so root hands it to an
 * unprivileged one.
 */
export interface ServerUser {
  /** Undefined: the user we are. */
  identity: { uid: number; gid: number } | undefined
}

/** An existing cluster keeps its owner; a new one goes to `postgres` where the machine has that user, else `nobody`. */
export function serverUser(clusterFolder: string): ServerUser {
  if (process.getuid?.() !== 0) return { identity: undefined }
  const known = readPasswd()
  const owner = ownerOf(clusterFolder)
  const chosen =
    known.find((user) => user.uid === owner && user.uid !== 0) ??
    known.find((user) => user.name === 'postgres') ??
    known.find((user) => user.name === 'nobody')
  if (!chosen) {
    throw new StartupFailure(
      'PostgreSQL refuses to run as root and this machine has no user "nobody". Start as an ordinary user, or set DATABASE_URL.',
    )
  }
  return { identity: { uid: chosen.uid, gid: chosen.gid } }
}

/** Whether every folder on the way may be entered by that user. */
export function canReach({ identity }: ServerUser, folder: string): boolean {
  if (!identity) return true
  for (let at = folder; ; at = dirname(at)) {
    const { mode, uid, gid } = statSync(at)
    const bits = uid === identity.uid ? mode >> 6 : gid === identity.gid ? mode >> 3 : mode
    if ((bits & 0o1) === 0) return false
    if (at === dirname(at)) return true
  }
}

function ownerOf(folder: string): number | undefined {
  return statSync(folder, { throwIfNoEntry: false })?.uid
}

function readPasswd(): { name: string; uid: number; gid: number }[] {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .filter((line) => line.includes(':'))
    .map((line) => {
      const [name = '', , uid, gid] = line.split(':')
      return { name, uid: Number(uid), gid: Number(gid) }
    })
}
