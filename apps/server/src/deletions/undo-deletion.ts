import { Problem } from '@tradewright/core/problem'
import type { DeletionKind, DeletionStore } from './ports.ts'

const REFUSALS = {
  missing: { problem: 'missing', code: 'deletion.missing', sentence: 'This can no longer be restored.' },
  taken: {
    problem: 'conflict',
    code: 'deletion.taken',
    sentence: 'The same name has been saved again since, so this was not restored.',
  },
  orphaned: {
    problem: 'conflict',
    code: 'deletion.orphaned',
    sentence: 'What this belongs to was deleted as well. Restore that first.',
  },
} as const

export async function undoDeletion(
  deletions: DeletionStore,
  userId: number,
  kind: DeletionKind,
  key: string,
): Promise<void> {
  const outcome = await deletions.restore(userId, kind, key)
  if (outcome === 'restored') return
  const { problem, code, sentence } = REFUSALS[outcome]
  throw new Problem(problem, code, sentence)
}
