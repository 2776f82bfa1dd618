import { readlinkSync } from 'node:fs'
import { getPriority } from 'node:os'

/** The priority of the thread that runs it. */
export const run = (): number => getPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)))
