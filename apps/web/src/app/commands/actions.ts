import {
  type Icon,
  IconBuildingBank,
  IconChartDots,
  IconFileImport,
  IconFlask2,
  IconHelp,
  IconKeyboard,
  IconLogout,
  IconMessagePlus,
  IconMoon,
  IconPlayerPlay,
  IconRocket,
} from '@tabler/icons-react'
import { openHelp, pageOfScreen } from '../../help/help-link.tsx'
import { openOverlay, type OpenScreen, type ShortcutDeed, runForm } from './shortcuts.ts'

/** What an action may use. */
interface ActionTools {
  open: OpenScreen
  switchTheme: () => void
  logOut: () => void
}

interface Action {
  id: string
  label: string
  icon: Icon
  words: string
  detail?: string
  deed?: ShortcutDeed
  /** Left out where it has nothing to act on. */
  isOffered?: () => boolean
  perform: (tools: ActionTools) => void
}

export const ACTIONS: readonly Action[] = [
  {
    id: 'run',
    label: 'Run',
    detail: 'what is set up on this screen',
    icon: IconPlayerPlay,
    words: 'start backtest optimizer',
    deed: 'run',
    isOffered: () => runForm() !== null,
    perform: () => runForm()?.requestSubmit(),
  },
  {
    id: 'new-backtest',
    label: 'New backtest',
    icon: IconFlask2,
    words: 'create strategy studio',
    perform: ({ open }) => open('/backtest?new', { isAnew: true }),
  },
  {
    id: 'new-optimization',
    label: 'Start the optimizer',
    icon: IconChartDots,
    words: 'new optimization run genetic',
    perform: ({ open }) => open('/optimizer', { isAnew: true }),
  },
  {
    id: 'deploy',
    label: 'Deploy a strategy',
    icon: IconRocket,
    words: 'new deployment paper live trading',
    perform: ({ open }) => open('/live-trading?tab=deploy'),
  },
  {
    id: 'import-csv',
    label: 'Import CSV',
    icon: IconFileImport,
    words: 'upload own data prices file',
    perform: ({ open }) => open('/data-collector?import=csv'),
  },
  {
    id: 'connect-account',
    label: 'Connect an account',
    icon: IconBuildingBank,
    words: 'brokerage alpaca exchange api key paper',
    perform: ({ open }) => open('/settings#alpaca', { isAnew: true }),
  },
  {
    id: 'new-chat',
    label: 'Ask the AI Assistant',
    icon: IconMessagePlus,
    words: 'new chat question',
    perform: ({ open }) => open('/ai-assistant'),
  },
  {
    id: 'theme',
    label: 'Change theme',
    icon: IconMoon,
    words: 'dark light mode colour color',
    perform: ({ switchTheme }) => switchTheme(),
  },
  {
    id: 'help',
    label: 'Open help',
    detail: 'the guide, at the page of this screen',
    icon: IconHelp,
    words: 'guide documentation manual how question',
    deed: 'help',
    perform: () => openHelp(pageOfScreen(window.location.pathname)),
  },
  {
    id: 'shortcuts',
    label: 'Keyboard shortcuts',
    icon: IconKeyboard,
    words: 'keys help',
    deed: 'shortcuts',
    perform: () => openOverlay('shortcuts'),
  },
  {
    id: 'log-out',
    label: 'Logout',
    icon: IconLogout,
    words: 'sign out log out leave',
    perform: ({ logOut }) => logOut(),
  },
]

/** Where a query was found in a label: half-open ranges of characters, in order. */
export type Range = readonly [from: number, to: number]

interface Match {
  /** Above 0; the higher the better. */
  score: number
  ranges: readonly Range[]
}

const WHOLE = 100
const LABEL_START = 80
const WORD_START = 60
const INSIDE = 40
const ELSEWHERE = 25
const SCATTERED = 10

/** Letters without accents and case; as long as the text, so that positions hold. */
const plain = (text: string): string =>
  Array.from(text, (letter) => {
    const bare = letter.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
    return bare.length === letter.length ? bare : letter
  }).join('')

/**
 * Finds every word of `query` in `label`, or in `words` that stand for it without being shown. Best is the start of the
 * label, then the start of a word, the middle of a word, the hidden words, and last the letters in order with gaps
 * ("ptf" in "Portfolio"). Null when a word is found nowhere.
 */
export function matchOf(query: string, label: string, words = ''): Match | null {
  const asked = plain(query).trim().split(/\s+/).filter(Boolean)
  const text = plain(label)
  const found = asked.map((word) => matchWord(word, text, plain(words)))
  if (found.some((one) => one === null)) return null
  const matches = found.filter((one) => one !== null)
  const score = matches.reduce((sum, one) => sum + one.score, 0) / Math.max(1, matches.length)
  return {
    score: plain(query).trim() === text ? WHOLE : score,
    ranges: joined(matches.flatMap(({ ranges }) => ranges)),
  }
}

function matchWord(word: string, text: string, words: string): Match | null {
  const whole = (from: number): Range[] => [[from, from + word.length]]
  if (text.startsWith(word)) return { score: LABEL_START, ranges: whole(0) }
  const start = wordStarts(text).find((from) => text.startsWith(word, from))
  if (start !== undefined) return { score: WORD_START, ranges: whole(start) }
  const inside = text.indexOf(word)
  if (inside >= 0) return { score: INSIDE, ranges: whole(inside) }
  if (wordStarts(words).some((from) => words.startsWith(word, from))) return { score: ELSEWHERE, ranges: [] }
  const scattered = scatteredRanges(word, text)
  return scattered && { score: SCATTERED, ranges: scattered }
}

const wordStarts = (text: string): number[] => Array.from(text.matchAll(/[\p{L}\p{N}]+/gu), ({ index }) => index)

/** The first letter starts a word and gaps are short: otherwise nearly every long name has nearly every short query. */
const MAX_GAP = 6

function scatteredRanges(word: string, text: string): Range[] | null {
  for (const start of wordStarts(text)) {
    const ranges: Range[] = []
    let at = start
    for (const letter of word) {
      const next = text.indexOf(letter, at)
      if (next < 0 || next - at > (ranges.length === 0 ? 0 : MAX_GAP)) break
      ranges.push([next, next + letter.length])
      at = next + letter.length
    }
    if (word.length > 1 && ranges.length === Array.from(word).length) return ranges
  }
  return null
}

/** In order, those that touch or overlap made one. */
function joined(ranges: readonly Range[]): Range[] {
  const merged: Range[] = []
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1)
    if (last && from <= last[1]) merged[merged.length - 1] = [last[0], Math.max(last[1], to)]
    else merged.push([from, to])
  }
  return merged
}
