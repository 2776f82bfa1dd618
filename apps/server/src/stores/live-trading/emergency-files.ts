import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EmergencyGate, Stop } from '../../live-trading/emergency-gate.ts'

const FOLDER = 'emergency-stop'
const USER = 'user-'
const DEPLOYMENT = 'deployment-'

/**
 * One empty file per stop. An operator may add `all` by hand: no order leaves this machine while it is there. Names are
 * kept in memory too, so that the gate closes even when the disk is full.
 */
export function emergencyFiles(dataDir: string): EmergencyGate {
  const folder = join(dataDir, FOLDER)
  const closed = new Set<string>(existsSync(folder) ? readdirSync(folder) : [])
  return {
    isClosed: ({ userId, orderKey }) =>
      closed.has(nameOf({ user: userId })) ||
      closed.has(nameOf({ deployment: orderKey })) ||
      existsSync(join(folder, 'all')),
    close(stop) {
      const name = nameOf(stop)
      closed.add(name)
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      writeFileSync(join(folder, name), '')
    },
    open(stop) {
      const name = nameOf(stop)
      rmSync(join(folder, name), { force: true })
      closed.delete(name)
    },
    waiting: () => [...closed].flatMap(stopOf),
  }
}

const nameOf = (stop: Stop): string => ('user' in stop ? `${USER}${stop.user}` : `${DEPLOYMENT}${stop.deployment}`)

function stopOf(name: string): Stop[] {
  if (name.startsWith(DEPLOYMENT)) return [{ deployment: name.slice(DEPLOYMENT.length) }]
  const user = name.startsWith(USER) ? Number(name.slice(USER.length)) : Number.NaN
  return Number.isInteger(user) ? [{ user }] : []
}
