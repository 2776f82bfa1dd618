import { serverMessageOr } from '../../../lib/call-error.ts'
import type { SettingsMessage } from '../messages.ts'

const FAILED = {
  add: 'Failed to add data store',
  update: 'Failed to update data store',
  delete: 'Failed to delete data store',
  clear: 'Failed to clear data store',
}

export const failed = (what: keyof typeof FAILED, error: unknown): SettingsMessage => ({
  kind: 'error',
  text: `${FAILED[what]}: ${serverMessageOr(error, 'Unknown error')}`,
})

/** A store that did not answer is kept; that it was not tried is said. */
export function saved(what: 'added' | 'updated', unverifiedReason: string | null): SettingsMessage {
  const text = `Data store ${what} successfully!`
  return { kind: 'success', text: unverifiedReason ? `${text} Not verified yet: ${unverifiedReason}` : text }
}
