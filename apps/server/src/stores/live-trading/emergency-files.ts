import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EmergencyGate } from '../../live-trading/emergency-gate.ts'

const FOLDER = 'emergency-stop'

/**
 * One empty file per stop. An operator may add `all` by hand: no order leaves this machine while it is there.
 * Names are kept in memory too, so that the door shuts even when the disk is full.
 */
export function emergencyFiles(dataDir: string): EmergencyGate {
  const folder = join(dataDir, FOLDER)
  const closed = new Set<string>(existsSync(folder) ? readdirSync(folder) : [])

  const close = (name: string) => {
    closed.add(name)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(join(folder, name), '')
  }
  const open = (name: string) => {
    rmSync(join(folder, name), { force: true })
    closed.delete(name)
  }
  const ofUser = (id: number) => `user-${id}`
  const ofDeployment = (orderKey: string) => `deployment-${orderKey}`
  return {
    isClosed: ({ userId, orderKey }) =>
      closed.has(ofUser(userId)) || closed.has(ofDeployment(orderKey)) || existsSync(join(folder, 'all')),
    closeDeployment: (orderKey) => close(ofDeployment(orderKey)),
    openDeployment: (orderKey) => open(ofDeployment(orderKey)),
    closeUser: (userId) => close(ofUser(userId)),
    isUserClosed: (userId) => closed.has(ofUser(userId)),
    openUser: (userId) => open(ofUser(userId)),
  }
}
