import type { RulesTree } from '@tradewright/core/rules/tree'

/** A tree with the way back and forth. */
interface RulesHistory {
  readonly past: readonly RulesTree[]
  readonly present: RulesTree
  readonly future: readonly RulesTree[]
  /** Which field the last change was made in: typing on in it is one step. */
  readonly field: string | undefined
}

export type HistoryAction =
  | { readonly do: 'edit'; readonly tree: RulesTree; readonly field?: string | undefined }
  | { readonly do: 'undo' }
  | { readonly do: 'redo' }
  /** Another strategy: there is no way back to the one before it. */
  | { readonly do: 'load'; readonly tree: RulesTree }

const MAX_STEPS = 200

export const newHistory = (tree: RulesTree): RulesHistory => ({
  past: [],
  present: tree,
  future: [],
  field: undefined,
})

export function changeHistory(history: RulesHistory, action: HistoryAction): RulesHistory {
  const { past, present, future } = history
  if (action.do === 'load') return newHistory(action.tree)
  if (action.do === 'undo') {
    const before = past.at(-1)
    if (!before) return history
    return { past: past.slice(0, -1), present: before, future: [present, ...future], field: undefined }
  }
  if (action.do === 'redo') {
    const [after, ...rest] = future
    return after ? { past: [...past, present], present: after, future: rest, field: undefined } : history
  }
  if (action.tree === present) return history
  const isTypingOn = action.field !== undefined && action.field === history.field
  return {
    past: isTypingOn ? past : [...past, present].slice(-MAX_STEPS),
    present: action.tree,
    future: [],
    field: action.field,
  }
}
