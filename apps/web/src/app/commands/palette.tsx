import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import { Modal } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useUser } from '../session-context.ts'
import { findCommands, type FoundCommand } from './command.ts'
import { Keys } from './keys.tsx'
import type { Range } from './match.ts'
import { type OpenScreen, textTypedAhead } from './overlay-store.ts'
import classes from './palette.module.css'
import { noteCommand, recentCommands } from './recent.ts'
import { useCommands } from './use-commands.ts'

/* oxlint-disable jsx-a11y/prefer-tag-over-role -- the options of `select` and `datalist` hold text alone */
interface PaletteProps {
  open: OpenScreen
  onClose: () => void
}

/** Finds screens, strategies, results, tickers and actions by typing: a combobox whose list is always open. */
export function Palette({ open, onClose }: PaletteProps) {
  return (
    <Modal.Root
      opened
      onClose={onClose}
      size={680}
      yOffset="10dvh"
      transitionProps={{ duration: 0 }}
      classNames={{ content: classes.content ?? '' }}
    >
      <Modal.Overlay />
      <Modal.Content radius={12} aria-label="Search and commands">
        <Search open={open} onClose={onClose} />
      </Modal.Content>
    </Modal.Root>
  )
}

function Search({ open, onClose }: PaletteProps) {
  const user = useUser()
  const listId = useId()
  const [typed, setTyped] = useState(textTypedAhead)
  const [activeId, setActiveId] = useState<string | null>(null)
  const [recentIds] = useState(() => recentCommands(user.id))
  const { commands, isFailed, areTickersFailed, isLoading } = useCommands(typed, recentIds, open)
  const groups = findCommands(commands, recentIds, typed)
  const all = groups.flatMap(({ found }) => found.map(({ command }) => command))
  // Answers that arrive later do not move the choice; without one it is the first.
  const active = all.find(({ id }) => id === activeId) ?? all[0]
  const optionId = (id: string) => `${listId}-${id}`

  const activeOption = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Answers a promise in newer browsers, which would be taken for a clean-up.
    activeOption.current?.scrollIntoView({ block: 'nearest' })
  })

  const choose = (command = active) => {
    if (!command) return
    noteCommand(user.id, command.id)
    onClose()
    command.perform()
  }
  const move = (to: number) => setActiveId(all.at(to % Math.max(1, all.length))?.id ?? null)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const at = active ? all.indexOf(active) : 0
    const deeds: Partial<Record<string, () => void>> = {
      ArrowDown: () => move(at + 1),
      ArrowUp: () => move(at - 1),
      PageDown: () => move(Math.min(at + 8, all.length - 1)),
      PageUp: () => move(Math.max(at - 8, 0)),
      Enter: () => choose(),
    }
    const deed = deeds[event.key]
    if (!deed) return
    event.preventDefault()
    deed()
  }

  return (
    <>
      <div className={classes.field}>
        <IconSearch size={18} stroke={1.7} aria-hidden />
        <input
          data-autofocus
          className={classes.input}
          role="combobox"
          aria-label="Search screens, strategies, results, tickers and actions"
          aria-expanded
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={active ? optionId(active.id) : undefined}
          placeholder="Search or type a command"
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          enterKeyHint="go"
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            setActiveId(null)
          }}
          onKeyDown={onKeyDown}
        />
        <button type="button" className={classes.escape} onClick={onClose} aria-label="Esc: close">
          Esc
        </button>
      </div>
      <div id={listId} role="listbox" aria-label="Found" className={classes.list}>
        {groups.map(({ name, found }) => (
          <div key={name} role="group" aria-labelledby={`${listId}-${name}`} className={classes.group}>
            <div id={`${listId}-${name}`} className={classes.name}>
              {name}
            </div>
            {found.map((one) => (
              <Option
                key={one.command.id}
                ref={one.command === active ? activeOption : null}
                id={optionId(one.command.id)}
                one={one}
                isActive={one.command === active}
                onPoint={() => setActiveId(one.command.id)}
                onChoose={() => choose(one.command)}
              />
            ))}
          </div>
        ))}
      </div>
      <div className={classes.notes} aria-live="polite">
        {all.length === 0 && <p>Nothing found. Try fewer letters, or a ticker after $.</p>}
        {isFailed && <p>Strategies and results could not be loaded. Close and open the search to try again.</p>}
        {areTickersFailed && <p>Tickers could not be searched. Change the text to try again.</p>}
        {isLoading && <p>Loading strategies and results…</p>}
      </div>
      <div className={classes.foot} aria-hidden>
        <span>
          <Keys names={['↑', '↓']} /> Move
        </span>
        <span>
          <Keys names={['Enter']} /> Choose
        </span>
        <span className={classes.last}>
          <Keys names={['>']} /> only actions
        </span>
        <span>
          <Keys names={['$']} /> only tickers
        </span>
      </div>
    </>
  )
}

interface OptionProps {
  ref: React.Ref<HTMLDivElement>
  id: string
  one: FoundCommand
  isActive: boolean
  onPoint: () => void
  onChoose: () => void
}

function Option({ ref, id, one: { command, ranges, detailRanges }, isActive, onPoint, onChoose }: OptionProps) {
  const { icon: Glyph, label, detail, end, keys = [] } = command
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field has the keys, and this as its active option
    <div
      tabIndex={-1}
      ref={ref}
      id={id}
      role="option"
      aria-selected={isActive}
      className={classes.option}
      // Not on entering: a list that scrolls under a resting pointer would move the choice.
      onPointerMove={isActive ? undefined : onPoint}
      onClick={onChoose}
    >
      <Glyph className={classes.glyph} size={16} stroke={1.7} aria-hidden />
      <span className={classes.label}>
        <Marked text={label} ranges={ranges} />
      </span>
      {detail && (
        <span className={classes.detail}>
          <Marked text={detail} ranges={detailRanges} />
        </span>
      )}
      <span className={classes.end}>{keys.length > 0 ? <Keys names={keys} /> : end}</span>
    </div>
  )
}

function Marked({ text, ranges }: { text: string; ranges: readonly Range[] }) {
  const starts = [...ranges.map(([from]) => from), text.length]
  return starts.map((start, index) => {
    const [, before] = ranges[index - 1] ?? [0, 0]
    const [from, to] = ranges[index] ?? [start, start]
    return (
      <span key={start}>
        {text.slice(before, from)}
        {from < to && <mark className={classes.mark}>{text.slice(from, to)}</mark>}
      </span>
    )
  })
}
