import type { Icon } from '@tabler/icons-react'
import { matchOf, type Range } from './match.ts'

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

export interface FoundCommand {
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

export function readQuery(typed: string): { text: string; only: Command['group'] | null } {
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
