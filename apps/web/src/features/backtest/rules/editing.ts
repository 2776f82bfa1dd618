import type { RulesTree } from '@tradewright/core/rules/tree'
import { createContext, useContext } from 'react'
import type { RuleKind, RuleNode, SlotKind } from './kinds.ts'

/** What cards may do. The same object as long as the editor is there, so that a change draws only the cards it is about. */
export interface RulesEditing {
  /** `field`: typing on in the same field is one step to undo. */
  readonly change: (path: string, node: RuleNode, field?: string) => void
  readonly changeTree: (change: Partial<Pick<RulesTree, 'check' | 'cash'>>, field?: string) => void
  readonly changeKind: (path: string, kind: RuleKind) => void
  readonly add: (parent: string, slot: SlotKind, kind: RuleKind) => void
  readonly pasteInto: (parent: string, slot: SlotKind) => void
  readonly wrap: (path: string, kind: RuleKind) => void
  readonly act: (action: CardAction, path: string) => void
}

export type CardAction = 'copy' | 'cut' | 'paste' | 'duplicate' | 'move up' | 'move down' | 'delete'

const Editing = createContext<RulesEditing | null>(null)
export const EditingProvider = Editing.Provider

export function useEditing(): RulesEditing {
  const editing = useContext(Editing)
  if (!editing) throw new Error('a card of rules needs its editor around it')
  return editing
}

/** Blocks that a card may use once more, and the cash ticker: what cards know of the rest of the tree. */
interface TreeFacts {
  readonly blocks: readonly { readonly id: string; readonly title: string }[]
  readonly cash: string
}

/** The answer of a condition after the last run, in words. */
export interface AnswerWords {
  readonly isTrue: boolean
  readonly words: string
}

const Answers = createContext<ReadonlyMap<string, AnswerWords>>(new Map())
export const AnswersProvider = Answers.Provider
export const useAnswer = (id: string): AnswerWords | undefined => useContext(Answers).get(id)

const Facts = createContext<TreeFacts>({ blocks: [], cash: 'CASHX' })
export const FactsProvider = Facts.Provider
export const useTreeFacts = (): TreeFacts => useContext(Facts)
