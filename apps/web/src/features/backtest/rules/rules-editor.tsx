import { Button, FileButton } from '@mantine/core'
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconClipboard,
  IconDownload,
  IconGridDots,
  IconUpload,
} from '@tabler/icons-react'
import type { RuleProblem } from '@tradewright/contract/rules'
import { checkFrequencies, type CheckFrequency, MAX_DEPTH, type RulesTree, titleOf } from '@tradewright/core/rules/tree'
import { type ClipboardEvent, type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef } from 'react'
import { HelpLink } from '../../../help/help-link.tsx'
import { downloadText } from '../../../lib/download.ts'
import { TickerField } from '../../../strategy-form/tickers/ticker-field.tsx'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { SelectField } from '../../../ui/form/fields.tsx'
import { FieldError } from '../../../ui/form/field-error.tsx'
import { IconButton } from '../../../ui/form/buttons.tsx'
import { Card } from '../../../ui/layout/card.tsx'
import { cardProblems } from './card-problems.ts'
import { AnswersProvider, type AnswerWords, type CardAction, EditingProvider, FactsProvider } from './editing.ts'
import { rulesText } from './exchange.ts'
import { type CardProblems, NodeCard } from './node-card.tsx'
import { RulesReading } from './rules-reading.tsx'
import classes from './rules.module.css'
import { allCards, isBlock, pathKey, ROOT } from './tree-edits.ts'
import { type FocusRequest, pathOf, useRulesEditing } from './use-rules-editing.ts'

const CHECKS: Readonly<Record<CheckFrequency, string>> = {
  bar: 'At every bar',
  daily: 'Daily, at the close',
  weekly: 'Weekly, last session',
  monthly: 'Monthly, last session',
  quarterly: 'Quarterly, last session',
  yearly: 'Yearly, last session',
}

const ROOT_SLOT = { key: 'root', family: 'block', label: 'Strategy', holds: 'one' } as const

interface RulesEditorProps {
  name: string
  tree: RulesTree
  onChange: (tree: RulesTree) => void
  onStudy: () => void
  /** What the server found beside what the browser sees by itself. */
  problems: readonly RuleProblem[]
  /** A card to go to; a new object goes there again. */
  asked: { readonly path: string } | null
  /** Answers of the conditions, after a run of this tree. */
  answers: ReadonlyMap<string, AnswerWords>
  /** Stands below the reading. */
  aside: ReactNode
}

/** The tree as nested cards, and its reading beside it. */
export function RulesEditor({
  name,
  tree,
  onChange,
  onStudy,
  problems: found,
  asked,
  answers,
  aside,
}: RulesEditorProps) {
  const editor = useRulesEditing(tree, onChange)
  const { editing, notice, focus } = editor
  const cards = useRef<HTMLDivElement>(null)
  // The same object while the sentences are the same, so that an edit draws its own card only.
  const said = useMemo(() => JSON.stringify([...cardProblems(tree, found)]), [tree, found])
  const problems = useMemo((): CardProblems => new Map(JSON.parse(said) as [string, string[]][]), [said])
  const facts = useMemo(
    () => ({
      cash: tree.cash,
      blocks: allCards(tree)
        .filter(({ node }) => isBlock(node))
        .map(({ node }) => ({ id: node.id, title: titleOf(node) })),
    }),
    [tree],
  )
  useEffect(() => focusCard(cards.current, focus), [focus])
  useEffect(() => focusCard(cards.current, asked), [asked])

  const save = () => downloadText(`${fileName(name)}.rules.json`, rulesText(tree), 'application/json')
  const resetFile = useRef<() => void>(null)
  const onFile = async (file: File | null) => {
    // The same file may be chosen again after it was corrected.
    resetFile.current?.()
    if (file) editor.importText(await file.text())
  }
  const copyAll = async () => {
    try {
      await navigator.clipboard.writeText(rulesText(tree))
      editor.tell({ kind: 'info', text: 'The rules were copied as JSON.' })
    } catch {
      editor.tell({
        kind: 'error',
        text: 'The browser does not let this page use the clipboard. Export a file instead.',
      })
    }
  }
  return (
    <div className={classes.frame}>
      <div className={classes.editor}>
        <Card
          title="Rules"
          hint="Arrow keys move between cards"
          actions={
            <>
              <IconButton
                icon={IconArrowBackUp}
                label="Undo (Ctrl Z)"
                disabled={!editor.canUndo}
                onClick={() => editor.step('undo')}
              />
              <IconButton
                icon={IconArrowForwardUp}
                label="Redo (Ctrl Shift Z)"
                disabled={!editor.canRedo}
                onClick={() => editor.step('redo')}
              />
              <IconButton icon={IconClipboard} label="Copy the rules as JSON" onClick={() => void copyAll()} />
              <FileButton accept="application/json,.json" resetRef={resetFile} onChange={(file) => void onFile(file)}>
                {(props) => (
                  <Button
                    {...props}
                    variant="default"
                    size="compact-sm"
                    leftSection={<IconUpload size={14} aria-hidden />}
                  >
                    Import
                  </Button>
                )}
              </FileButton>
              <Button
                variant="default"
                size="compact-sm"
                leftSection={<IconDownload size={14} aria-hidden />}
                onClick={save}
              >
                Export
              </Button>
              <Button
                variant="default"
                size="compact-sm"
                leftSection={<IconGridDots size={14} aria-hidden />}
                onClick={onStudy}
              >
                Parameter study
              </Button>
              <HelpLink page="rules">How rules work</HelpLink>
            </>
          }
        >
          <div className={classes.settings}>
            <SelectField
              label="Check"
              value={tree.check}
              options={checkFrequencies.map((value) => ({ value, label: CHECKS[value] }))}
              onChange={(check) => editing.changeTree({ check: check as CheckFrequency })}
            />
            <TickerField
              label="Cash ticker"
              placeholder="CASHX"
              value={tree.cash}
              onChange={(cash) => editing.changeTree({ cash: cash.toUpperCase() }, 'cash')}
            />
          </div>
          {problems.get('')?.map((sentence) => (
            <p key={sentence} className={classes.whole}>
              <FieldError text={sentence} />
            </p>
          ))}
          <div className={classes.notice}>
            {notice && <Banner kind={notice.kind} text={notice.text} onClose={() => editor.tell(null)} />}
          </div>
          <EditingProvider value={editing}>
            <FactsProvider value={facts}>
              {/* Keys that bubble up from the cards, which have the focus. */}
              {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
              <div
                ref={cards}
                className={classes.cards}
                onKeyDown={(event) => onKey(event, cards.current, editor)}
                onCopy={(event) => onCopy(event, editor.copy)}
                onCut={(event) => {
                  const path = onCopy(event, editor.copy)
                  if (path !== undefined) editing.act('delete', path)
                }}
                onPaste={(event) => {
                  const path = cardPathOf(event.target)
                  if (path === undefined) return
                  event.preventDefault()
                  const text = event.clipboardData.getData('text/plain')
                  if (text) editor.pasteText(path, text)
                  else editing.act('paste', path)
                }}
              >
                <AnswersProvider value={answers}>
                  <NodeCard
                    node={tree.root}
                    path={pathKey(ROOT)}
                    slot={ROOT_SLOT}
                    label={ROOT_SLOT.label}
                    isByMember={false}
                    problems={problems}
                  />
                </AnswersProvider>
                <p className={classes.foot}>
                  Enter moves into a card, Escape back to it; its menu moves, wraps and deletes it. Blocks nest up to{' '}
                  {MAX_DEPTH} levels.
                </p>
              </div>
            </FactsProvider>
          </EditingProvider>
        </Card>
        <div className={classes.side}>
          <RulesReading tree={tree} onTell={editor.tell} />
          {aside}
        </div>
      </div>
    </div>
  )
}

const fileName = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60) || 'strategy'

/** Only where the card itself has the focus: in its fields these keys are the field's own. */
function cardPathOf(target: EventTarget): string | undefined {
  return target instanceof HTMLElement ? target.dataset['path'] : undefined
}

function onCopy(event: ClipboardEvent, copy: (path: string) => string | undefined): string | undefined {
  const path = cardPathOf(event.target)
  const text = path === undefined ? undefined : copy(path)
  if (text === undefined) return undefined
  event.preventDefault()
  event.clipboardData.setData('text/plain', text)
  return path
}

/** A menu that closes gives the focus back to its button a moment later; the card comes after it. */
const AFTER_MENU_MS = 40

function focusCard(cards: HTMLElement | null, request: FocusRequest | null): (() => void) | undefined {
  if (!request) return undefined
  const focus = () => {
    if (request.ifLost && document.activeElement !== document.body) return
    cardElement(cards, request.path)?.focus()
  }
  focus()
  const timer = setTimeout(focus, AFTER_MENU_MS)
  return () => clearTimeout(timer)
}

/** The card, or the nearest one around it that is there. */
function cardElement(cards: HTMLElement | null, path: string): HTMLElement | undefined {
  const parts = path.split('.')
  for (let length = parts.length; length > 0; length--) {
    const key = CSS.escape(parts.slice(0, length).join('.'))
    const card = cards?.querySelector<HTMLElement>(`[data-path="${key}"]`)
    if (card) return card
  }
  return undefined
}

const CARD_KEYS: Readonly<Record<string, CardAction>> = {
  Delete: 'delete',
  Backspace: 'delete',
  'alt ArrowUp': 'move up',
  'alt ArrowDown': 'move down',
  'ctrl d': 'duplicate',
}

function onKey(event: KeyboardEvent, cards: HTMLElement | null, editor: ReturnType<typeof useRulesEditing>): void {
  const isControl = event.ctrlKey || event.metaKey
  if (isControl && (event.key.toLowerCase() === 'z' || event.key.toLowerCase() === 'y')) {
    event.preventDefault()
    const card = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('[data-path]') : null
    const isRedo = event.shiftKey || event.key.toLowerCase() === 'y'
    editor.step(isRedo ? 'redo' : 'undo', card?.dataset['path'])
    return
  }
  const path = cardPathOf(event.target)
  if (path === undefined) {
    // A list that is open takes its own Escape.
    const isList = event.target instanceof HTMLElement && event.target.ariaExpanded === 'true'
    if (event.key === 'Escape' && !isList && event.target instanceof HTMLElement) {
      event.target.closest<HTMLElement>('[data-path]')?.focus()
    }
    return
  }
  const action = CARD_KEYS[`${isControl ? 'ctrl ' : ''}${event.altKey ? 'alt ' : ''}${event.key}`]
  if (action) {
    event.preventDefault()
    editor.editing.act(action, path)
    return
  }
  if (isControl || event.altKey) return
  const next = destination(event.key, path, cards)
  if (!next) return
  event.preventDefault()
  next.focus()
}

/** Up and down in the order of the page, left to the card around, right into the first one inside, Enter to a field. */
function destination(key: string, path: string, cards: HTMLElement | null): HTMLElement | undefined {
  const all = [...(cards?.querySelectorAll<HTMLElement>('[data-path]') ?? [])]
  const at = all.findIndex((card) => card.dataset['path'] === path)
  if (key === 'ArrowUp') return all[at - 1]
  if (key === 'ArrowDown') return all[at + 1]
  if (key === 'Home') return all[0]
  if (key === 'End') return all.at(-1)
  if (key === 'ArrowRight') return all[at + 1]?.dataset['path']?.startsWith(`${path}.`) ? all[at + 1] : undefined
  if (key === 'ArrowLeft') {
    const around = pathOf(path)
    return all.findLast((card) => {
      const other = card.dataset['path']!
      return other !== path && pathKey(around).startsWith(`${other}.`)
    })
  }
  if (key === 'Enter') return all[at]?.querySelector<HTMLElement>('select, input, button') ?? undefined
  return undefined
}
