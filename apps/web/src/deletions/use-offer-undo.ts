import { useQueryClient } from '@tanstack/react-query'
import { type DeletionKind, undoDeletion } from '@tradewright/contract/deletions'
import { call } from '../lib/http.ts'
import { showToast } from '../ui/feedback/toasts/toasts.tsx'

interface Deleted {
  kind: DeletionKind
  /** The id it was deleted by. */
  id: string | number
}

/**
 * Tells what was deleted and offers to bring it back for some seconds. The server has deleted it and keeps a copy, so
 * that closing the tab loses neither the deletion nor the rest.
 */
export function useOfferUndo() {
  const queries = useQueryClient()
  return (what: string, deleted: readonly Deleted[], onUndone?: () => void) => {
    const undo = async () => {
      try {
        await restoreAll(deleted)
        showToast({ kind: 'success', text: `Restored ${what}` })
        onUndone?.()
      } catch (error) {
        const detail = error instanceof Error ? error.message : null
        showToast({ kind: 'error', text: `Could not restore ${what}`, detail })
      }
      // Lists, figures and what refers to it, on whichever screen the user is by now.
      await queries.invalidateQueries()
    }
    showToast({ kind: 'info', text: `Deleted ${what}`, undo: () => void undo() })
  }
}

/** The others are restored, too, where one cannot be; the first refusal is told. */
export async function restoreAll(deleted: readonly Deleted[], restore = restoreOne): Promise<void> {
  const refusals: unknown[] = []
  for (const one of deleted) {
    try {
      await restore(one)
    } catch (error) {
      refusals.push(error)
    }
  }
  if (refusals.length > 0) throw refusals[0]
}

const restoreOne = ({ kind, id }: Deleted): Promise<unknown> =>
  call(undoDeletion, { params: { kind, key: String(id) } })
