import { type RulesTree, titleOf } from '@tradewright/core/rules/tree'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { CardAction, RulesEditing } from './editing.ts'
import { readNodeText, readRulesText } from './exchange.ts'
import { changeHistory, type HistoryAction, newHistory } from './history.ts'
import { ruleKinds, type RuleNode, type SlotKind } from './kinds.ts'
import {
  addCard,
  cardAt,
  changeKind,
  duplicateCard,
  type Edited,
  familyOf,
  freshId,
  moveCard,
  type Path,
  pasteCard,
  pathKey,
  refusalToAdd,
  removeCard,
  replaceNode,
  withFreshIds,
  wrapCard,
} from './tree-edits.ts'

interface Notice {
  readonly kind: 'info' | 'error'
  readonly text: string
}

/** `ifLost`: only where the element that had the focus is gone. */
export interface FocusRequest {
  readonly path: string
  readonly ifLost?: boolean
}

export const pathOf = (key: string): Path => key.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part))

/** The tree of the form with the way back, a clipboard, and where the focus goes next. */
export function useRulesEditing(tree: RulesTree, onChange: (tree: RulesTree) => void) {
  const [kept, setKept] = useState(() => newHistory(tree))
  const [copied, setCopied] = useState<RuleNode | null>(null)
  const [notice, setNotice] = useState<Notice | null>(null)
  const [focus, setFocus] = useState<FocusRequest | null>(null)
  // A tree that came from elsewhere has no steps to take back.
  const history = kept.present === tree ? kept : newHistory(tree)

  const dispatch = (action: HistoryAction) => {
    const next = changeHistory(history, action)
    setKept(next)
    if (next.present !== tree) onChange(next.present)
  }
  const latest = useRef({ tree, copied, dispatch })
  useEffect(() => {
    latest.current = { tree, copied, dispatch }
  })

  const actions = useMemo(() => {
    const edit = ({ tree: next, focus: path }: Edited) => {
      setNotice(null)
      setFocus({ path: pathKey(path) })
      latest.current.dispatch({ do: 'edit', tree: next })
    }
    const refuse = (text: string) => setNotice({ kind: 'error', text })
    /** Unless the tree would become too large. */
    const adding = (node: RuleNode, make: (whole: RulesTree) => Edited) => {
      const refusal = refusalToAdd(latest.current.tree, node)
      if (refusal === undefined) edit(make(latest.current.tree))
      else refuse(refusal)
    }
    const copy = (path: string) => {
      const card = cardAt(latest.current.tree, pathOf(path))
      if (!card) return undefined
      setCopied(card.node)
      setFocus({ path })
      setNotice({ kind: 'info', text: `“${titleOf(card.node)}” was copied.` })
      return JSON.stringify(card.node, null, 2)
    }
    const paste = (path: string, node: RuleNode | null) => {
      const card = cardAt(latest.current.tree, pathOf(path))
      if (!card) return
      const { family } = card.slot
      setFocus({ path })
      if (!node || familyOf(node) !== family) refuse(`The clipboard holds no ${family}. Copy a ${family} card first.`)
      else adding(node, (whole) => pasteCard(whole, card.path, node))
    }
    const act = (action: CardAction, path: string) => {
      const { tree: now } = latest.current
      const way = pathOf(path)
      if (action === 'paste') return paste(path, latest.current.copied)
      if (action === 'copy' || action === 'cut') {
        const text = copy(path)
        // Without a secure connection browsers have no clipboard; the editor's own works all the same.
        if (text !== undefined) void navigator.clipboard?.writeText(text).catch(() => {})
        if (action === 'cut') edit(removeCard(now, way))
        return
      }
      if (action === 'delete') return edit(removeCard(now, way))
      if (action === 'duplicate') {
        const card = cardAt(now, way)
        if (card) adding(card.node, (whole) => duplicateCard(whole, way))
        return
      }
      edit(moveCard(now, way, action === 'move up' ? -1 : 1))
    }
    const editing: RulesEditing = {
      change: (path, node, field) => {
        const next = replaceNode(latest.current.tree, pathOf(path), node)
        latest.current.dispatch({ do: 'edit', tree: next, field: field === undefined ? undefined : `${path} ${field}` })
      },
      changeTree: (change, field) =>
        latest.current.dispatch({ do: 'edit', tree: { ...latest.current.tree, ...change }, field }),
      changeKind: (path, kind) =>
        edit({ tree: changeKind(latest.current.tree, pathOf(path), kind), focus: pathOf(path) }),
      add: (parent, slot, kind) => {
        const node = ruleKinds[kind].create(freshId(latest.current.tree, kind))
        adding(node, (whole) => addCard(whole, pathOf(parent), slot, node))
      },
      pasteInto: (parent: string, slot: SlotKind) => {
        const node = latest.current.copied
        if (!node || familyOf(node) !== slot.family) {
          return refuse(`The clipboard holds no ${slot.family}. Copy a ${slot.family} card first.`)
        }
        return adding(node, (whole) => addCard(whole, pathOf(parent), slot, withFreshIds(whole, node)))
      },
      wrap: (path, kind) => edit(wrapCard(latest.current.tree, pathOf(path), kind)),
      act,
    }
    return {
      editing,
      copy,
      /** What the system's clipboard holds, of this editor or of another. */
      pasteText: (path: string, text: string) => {
        const card = cardAt(latest.current.tree, pathOf(path))
        if (!card) return
        const read = readNodeText(text, card.slot.family)
        if ('sentence' in read) refuse(read.sentence)
        else paste(path, read.value)
      },
      importText: (text: string) => {
        const read = readRulesText(text)
        if ('sentence' in read) return refuse(`Nothing was imported. ${read.sentence}`)
        latest.current.dispatch({ do: 'edit', tree: read.value })
        return setNotice({ kind: 'info', text: 'The rules were imported. Undo brings the ones before back.' })
      },
      /** `path`: of the card that has the focus. */
      step: (way: 'undo' | 'redo', path?: string) => {
        latest.current.dispatch({ do: way })
        if (path !== undefined) setFocus({ path, ifLost: true })
      },
      tell: setNotice,
    }
  }, [])

  return {
    ...actions,
    notice,
    focus,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
  }
}
