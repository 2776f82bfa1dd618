import { getVersion } from '@tradewright/contract/version'
import type { Handle } from '../server/handle.ts'

interface ProgramVersion {
  readonly version: string
  readonly commit: string | null
  readonly schema: string
}

export function serveVersion(handle: Handle, program: ProgramVersion): void {
  handle(getVersion, async ({ session: { key } }) => ({
    ...program,
    api: 'v1' as const,
    key: key ? { name: key.name, scopes: [...key.scopes], expires_at: key.expiresAt.toISOString() } : null,
  }))
}
