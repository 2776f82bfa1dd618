import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Actor } from '../../live-trading/actor.ts'
import type { EmergencyGate, Stop } from '../../live-trading/stops/emergency-gate.ts'

const FOLDER = 'emergency-stop'
const USER = 'user-'
const DEPLOYMENT = 'deployment-'

/**
 * One file per stop, which says who asked for it. An operator may add `all` by hand: no order leaves this machine while it is there. Names are
 * kept in memory too, so that the gate closes even when the disk is full.
 */
export function emergencyFiles(dataDir: string): EmergencyGate {
  const folder = join(dataDir, FOLDER)
  const closed = new Map(
    existsSync(folder) ? readdirSync(folder).map((name) => [name, readActor(join(folder, name))]) : [],
  )
  return {
    isClosed: ({ userId, orderKey }) =>
      closed.has(nameOf({ user: userId })) ||
      closed.has(nameOf({ deployment: orderKey })) ||
      existsSync(join(folder, 'all')),
    close(stop) {
      const name = nameOf(stop)
      closed.set(name, stop.by)
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      writeFileSync(join(folder, name), stop.by ? JSON.stringify(stop.by) : '')
    },
    open(stop) {
      const name = nameOf(stop)
      rmSync(join(folder, name), { force: true })
      closed.delete(name)
    },
    waiting: () => [...closed].flatMap(([name, by]) => stopOf(name).map((stop) => Object.assign(stop, { by }))),
  }
}

/** Files that an operator or an earlier version wrote are empty. */
function readActor(file: string): Actor | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Actor
  } catch {
    return undefined
  }
}

const nameOf = (stop: Stop): string => ('user' in stop ? `${USER}${stop.user}` : `${DEPLOYMENT}${stop.deployment}`)

function stopOf(name: string): Stop[] {
  if (name.startsWith(DEPLOYMENT)) return [{ deployment: name.slice(DEPLOYMENT.length) }]
  const user = name.startsWith(USER) ? Number(name.slice(USER.length)) : Number.NaN
  return Number.isInteger(user) ? [{ user }] : []
}
