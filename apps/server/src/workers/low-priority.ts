import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'

/** Of two threads on one processor, one at this and one at the usual 0, this one gets a quarter of the time. */
const NICE = 5

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
    setPriority(thread, NICE)
  } catch {
    // Without /proc, or forbidden by a sandbox: the thread goes on with the priority of all.
  }
}
