interface LockEntry {
  version?: string
  integrity?: string
  dependencies?: Record<string, string>
}

interface Lock {
  packages: Record<string, LockEntry>
}

export function partOfLock(lock: Lock, workspace: string, names: readonly string[]): Lock
export function installAll(root: string, finish: (folder: string) => string | undefined): string | undefined
export function installForRunning(
  root: string,
  workspace: string,
  finish: (folder: string) => string | undefined,
): string | undefined
export function isAllInstalled(root: string): boolean
