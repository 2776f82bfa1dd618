import { CallError } from './call-error.ts'

/** Twice, and only where trying again can help: the network, or a server that is busy or restarting. */
export function isWorthRetrying(failureCount: number, error: unknown): boolean {
  if (failureCount >= 2 || !(error instanceof CallError)) return false
  return error.isUnreachable || error.status >= 500
}
