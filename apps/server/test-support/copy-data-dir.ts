import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'

/** With owners and rights, on which PostgreSQL insists. */
export function copyDataDir(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 })
  execFileSync('cp', ['-a', `${from}/.`, to])
}
