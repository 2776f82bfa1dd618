import * as contract from '@tradewright/contract/deletions'
import { type DeletionStore, undoDeletion } from '../../deletions/undo-deletion.ts'
import type { Handle } from '../server/handle.ts'

export function serveDeletions(handle: Handle, deletions: DeletionStore): void {
  handle(contract.undoDeletion, async ({ user, params }) => {
    await undoDeletion(deletions, user.id, params.kind, params.key)
    return { success: true as const }
  })
}
