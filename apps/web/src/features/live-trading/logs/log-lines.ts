export const LEVELS = ['ERROR', 'WARNING', 'INFO', 'DEBUG', 'RAW'] as const
type Level = (typeof LEVELS)[number]
/** Lines that cannot be read are shown from the start, as if they were INFO. */
const LEVELS_ON: readonly Level[] = ['ERROR', 'WARNING', 'INFO', 'RAW']

export const SECTIONS = [
  'Fetching Market Data',
  'Loading Model',
  'Generating Signal',
  'Executing Trades',
  'Execution Complete',
  'Next Execution',
  'Sleep',
  'Status',
  'Other',
] as const
type Section = (typeof SECTIONS)[number]

export interface LogLine {
  /** Null where the line could not be read. */
  timestamp: string | null
  level: Level
  logger: string
  place: string
  message: string
  section: Section
}

const LINE = /^(\d{4}-\d\d-\d\d[T ][\d:.,]+(?:Z|[+-]\d\d:?\d\d)?) - \[([A-Z]+)\] - (.*?) - (\S+:\d+) - (.*)$/s

/** `timestamp - [LEVEL] - logger - function:line - message`; times without a zone are UTC. */
export function readLine(text: string): LogLine {
  const [, time = '', word = '', logger = '', place = '', message = ''] = LINE.exec(text) ?? []
  const level = LEVELS.find((known) => known === word || known === SHORT_WORDS[word])
  const timestamp = instantOf(time)
  if (!level || !timestamp) {
    return { timestamp: null, level: 'RAW', logger: '', place: '', message: text, section: sectionOf(text) }
  }
  return { timestamp, level, logger, place, message, section: sectionOf(message) }
}

const SHORT_WORDS: Record<string, Level> = { WARN: 'WARNING', CRITICAL: 'ERROR', FATAL: 'ERROR' }

function instantOf(text: string): string | null {
  const iso = text.replace(' ', 'T').replace(',', '.')
  const instant = new Date(/(Z|[+-]\d\d:?\d\d)$/.test(iso) ? iso : `${iso}Z`)
  return Number.isNaN(instant.getTime()) ? null : instant.toISOString()
}

/** The first that fits: what speaks of the next run or of a finished one often mentions trades, too. */
const SIGNS: readonly (readonly [Section, RegExp])[] = [
  ['Execution Complete', /execution complete|cycle complete/i],
  ['Next Execution', /next (execution|run|check)/i],
  ['Sleep', /\bsleep/i],
  ['Fetching Market Data', /fetch\w*|market data|\bbars?\b/i],
  ['Loading Model', /\bmodel\b/i],
  ['Generating Signal', /\bsignal\b|\bprobability\b/i],
  ['Executing Trades', /execut\w*|\border\b|\borders\b|\btrades?\b|\bfill(ed|s)?\b/i],
  ['Status', /\bstatus\b|\bstarted\b|\bstopped\b|\bpaused\b|\bresumed\b/i],
]

/** A line that begins with the name of a section says so itself; of others the words tell. */
export function sectionOf(message: string): Section {
  const start = message.toLowerCase()
  const named = SECTIONS.find((section) => start.startsWith(section.toLowerCase()))
  return named ?? SIGNS.find(([, sign]) => sign.test(message))?.[0] ?? 'Other'
}

export interface LogFilter {
  search: string
  levels: readonly Level[]
  sections: readonly Section[]
}

export const NO_FILTER: LogFilter = { search: '', levels: LEVELS_ON, sections: SECTIONS }

export function shownLines(lines: readonly LogLine[], { search, levels, sections }: LogFilter): LogLine[] {
  const wanted = search.trim().toLowerCase()
  return lines.filter(
    ({ level, section, message, logger, place }) =>
      levels.includes(level) &&
      sections.includes(section) &&
      `${message}\n${logger}\n${place}`.toLowerCase().includes(wanted),
  )
}
