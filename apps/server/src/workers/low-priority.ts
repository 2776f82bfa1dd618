import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

let isLowered = false

/**
 * Lets the other threads of the program and its database run first on processors that long runs keep busy. Linux has a
 * priority per thread, which an ordinary user may lower but not raise again, so that it is for the life of the thread.
 */
export function lowerPriority(): void {
  if (isLowered || process.platform !== 'linux') return
  isLowered = true
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Without /proc, or forbidden by a sandbox: the thread goes on with the priority of all.
  }
}
