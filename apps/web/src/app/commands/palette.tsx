import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import { Modal, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconSearch, IconArrowRight, IconChartLine, IconStack2, IconTag, type Icon } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { listBacktests } from '@tradewright/contract/backtests'
import { listStrategies } from '@tradewright/contract/strategies'
import { useUser, useLogOut } from '../session.ts'
import { Keys } from './shortcut-sheet.tsx'
import { type Range, matchOf, ACTIONS } from './actions.ts'
import { type OpenScreen, textTypedAhead, isMac, keysOf } from './shortcuts.ts'
import classes from './palette.module.css'
import { browserStorage } from '../../lib/browser-storage.ts'
import { formatDate } from '../../lib/format-time.ts'
import { call } from '../../lib/http.ts'
import { useTickerSearch } from '../../strategy-form/tickers/ticker-queries.ts'
import { toOption } from '../../strategy-form/tickers/ticker-text.ts'
import { NAVIGATION, PLACES } from '../screens.ts'

export interface Command {
  /** Stays the same from visit to visit: recent choices are kept by it. */
  id: string
  group: 'Screens' | 'Strategies' | 'Results' | 'Tickers' | 'Actions'
  label: string
  icon: Icon
  /** Shown beside the label, quieter; searched as well. */
  detail?: string
  /** Shown at the end of the line. */
  end?: string
  /** Finds it, without being shown. */
  words?: string
  keys?: readonly string[]
  perform: () => void
}

interface FoundCommand {
  command: Command
  /** Where the label matches. */
  ranges: readonly Range[]
  detailRanges: readonly Range[]
}

interface FoundGroup {
  name: Command['group'] | 'Recent'
  found: readonly FoundCommand[]
}

/** A first character that narrows the search. */
const ONLY: Record<string, Command['group']> = { '>': 'Actions', $: 'Tickers' }
const MAX_OF_GROUP = 6
/** Without a text there is room for every screen of the navigation. */
const MAX_UNASKED = { Screens: 9, Strategies: 4, Results: 4, Tickers: 8, Actions: 12 }

function readQuery(typed: string): { text: string; only: Command['group'] | null } {
  const only = ONLY[typed.charAt(0)] ?? null
  return { text: (only ? typed.slice(1) : typed).trim(), only }
}

/** Without a text: recent choices first, then some of each group. With one: what has it, the best group first. */
export function findCommands(commands: readonly Command[], recentIds: readonly string[], typed: string): FoundGroup[] {
  const { text, only } = readQuery(typed)
  const asked = commands.filter(({ group }) => only === null || group === only)
  return text === '' ? unasked(asked, only ? [] : recentIds) : matching(asked, text)
}

function unasked(commands: readonly Command[], recentIds: readonly string[]): FoundGroup[] {
  const recent = recentIds.flatMap((id) => commands.find((one) => one.id === id) ?? [])
  const plain = (command: Command): FoundCommand => ({ command, ranges: [], detailRanges: [] })
  const groups = Map.groupBy(
    commands.filter((one) => !recent.includes(one)),
    ({ group }) => group,
  )
  return [
    ...(recent.length > 0 ? [{ name: 'Recent' as const, found: recent.map(plain) }] : []),
    ...[...groups].map(([name, some]) => ({ name, found: some.slice(0, MAX_UNASKED[name]).map(plain) })),
  ]
}

function matching(commands: readonly Command[], text: string): FoundGroup[] {
  const scored = commands.flatMap((command) => {
    const match = matchOf(text, command.label, `${command.detail ?? ''} ${command.words ?? ''}`)
    // The server has found a ticker by a rule of its own.
    if (!match && command.group !== 'Tickers') return []
    const detailRanges = matchOf(text, command.detail ?? '')?.ranges ?? []
    return [{ command, score: match?.score ?? 1, ranges: match?.ranges ?? [], detailRanges }]
  })
  const best = scored.toSorted((a, b) => b.score - a.score)
  const groups = Map.groupBy(best, ({ command }) => command.group)
  return [...groups].map(([name, found]) => ({ name, found: found.slice(0, MAX_OF_GROUP) }))
}

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

const MAX_RECENT = 6

/**
 * The key has the user, since several may share a browser. Ids alone are stored, so that no name of a strategy stays
 * behind.
 */
const keyOf = (userId: number) => `tradewright-recent-commands-${userId}`

/** Ids of what was chosen in the palette, latest first. */
export function recentCommands(userId: number, storage: Storage | null = browserStorage()): readonly string[] {
  try {
    const stored: unknown = JSON.parse(storage?.getItem(keyOf(userId)) ?? '[]')
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string').slice(0, MAX_RECENT) : []
  } catch {
    return []
  }
}

export function noteCommand(userId: number, id: string, storage: Storage | null = browserStorage()): void {
  const ids = [id, ...recentCommands(userId, storage).filter((one) => one !== id)].slice(0, MAX_RECENT)
  try {
    storage?.setItem(keyOf(userId), JSON.stringify(ids))
  } catch {
    // A full storage: the palette works without its memory.
  }
}

/** Everything the palette finds: screens, what is saved, tickers that fit the text, actions. */
function useCommands(typed: string, recentIds: readonly string[], open: OpenScreen) {
  const { text, only } = readQuery(typed)
  const logOut = useLogOut()
  const { setColorScheme } = useMantineColorScheme()
  const theme = useComputedColorScheme('light')
  // The same keys and answers as those of the screens: what one has loaded, the other shows.
  const strategies = useQuery({
    queryKey: ['strategies'],
    queryFn: async ({ signal }) => (await call(listStrategies, { signal })).strategies,
  })
  const backtests = useQuery({
    queryKey: ['backtests'],
    queryFn: async ({ signal }) => (await call(listBacktests, { signal })).backtests,
  })
  const areTickersAsked = only === 'Tickers' || (only === null && text !== '')
  const { found: tickers, failure: tickerFailure } = useTickerSearch(text, areTickersAsked)
  const onMac = isMac()
  const openAnew = (address: string) => open(address, { isAnew: true })

  const screens = [
    ...NAVIGATION.map(({ path, label, words }): Command => {
      const keys = keysOf(`open ${path}`, onMac)
      return {
        group: 'Screens',
        icon: IconArrowRight,
        id: `screen:${path}`,
        label,
        words,
        keys,
        perform: () => open(path),
      }
    }),
    ...PLACES.map(({ path, label, parent, words }): Command => {
      return {
        group: 'Screens',
        icon: IconArrowRight,
        id: `screen:${path}`,
        label,
        detail: parent,
        words,
        perform: () => open(path),
      }
    }),
  ]
  const saved = [
    ...(strategies.data ?? []).map(({ id, name, strategy_type: detail }): Command => {
      const perform = () => openAnew(`/backtest?strategy_id=${id}`)
      return { group: 'Strategies', icon: IconStack2, end: 'Open', id: `strategy:${id}`, label: name, detail, perform }
    }),
    ...(backtests.data ?? []).map(({ id, name, strategy_name: detail, created_at }): Command => {
      const perform = () => openAnew(`/backtest?backtest_id=${id}`)
      return {
        group: 'Results',
        icon: IconChartLine,
        id: `backtest:${id}`,
        label: name,
        detail,
        end: formatDate(created_at),
        perform,
      }
    }),
  ]
  const ticker = (symbol: string, detail: string, end: string): Command => {
    const perform = () => openAnew(`/backtest?ticker=${encodeURIComponent(symbol)}`)
    return { id: `ticker:${symbol}`, group: 'Tickers', label: symbol, detail, end, icon: IconTag, perform }
  }
  const found = areTickersAsked
    ? tickers.map(toOption).map(({ value, name, detail }) => ticker(value, name, detail))
    : // A recent one is known by its symbol alone.
      recentIds.filter((id) => id.startsWith('ticker:')).map((id) => ticker(id.slice(7), 'Backtest this ticker', ''))
  const tools = { open, logOut, switchTheme: () => setColorScheme(theme === 'light' ? 'dark' : 'light') }
  const actions = ACTIONS.filter(({ isOffered }) => isOffered?.() ?? true).map(
    ({ id, label, detail = '', words, icon, deed, perform }): Command => {
      const keys = deed ? keysOf(deed, onMac) : []
      return { id: `action:${id}`, group: 'Actions', label, detail, words, icon, keys, perform: () => perform(tools) }
    },
  )
  return {
    commands: [...screens, ...saved, ...found, ...actions],
    isFailed: strategies.isError || backtests.isError,
    areTickersFailed: tickerFailure !== undefined,
    isLoading: strategies.isPending || backtests.isPending,
  }
}
