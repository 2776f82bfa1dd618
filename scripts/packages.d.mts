interface LockEntry {
  version?: string
  integrity?: string
  dependencies?: Record<string, string>
}

interface Lock {
  packages: Record<string, LockEntry>
}

export function partOfLock(lock: Lock, workspace: string, names: readonly string[]): Lock
