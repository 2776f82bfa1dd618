import { z } from 'zod'
import { withoutTags } from './action.ts'

/** How the built-in assistant writes figures: as the screens do. What is missing is `N/A`, never a zero. */
export const MISSING = 'N/A'
const MINUS = '−'

type Numeric = number | null | undefined

function digits(value: Numeric, decimals: number, { sign = false, prefix = '', suffix = '' } = {}): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return MISSING
  const text = Math.abs(value).toLocaleString('en-US', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  const isZero = !/[1-9]/.test(text)
  const plus = sign ? '+' : ''
  return `${isZero ? '' : value < 0 ? MINUS : plus}${prefix}${text}${suffix}`
}

const scaled = (value: Numeric): Numeric => (typeof value === 'number' ? value * 100 : value)

/** Takes a fraction, as `percent` does. */
export const signedPercent = (fraction: Numeric) => digits(scaled(fraction), 1, { sign: true, suffix: '%' })
export const percent = (fraction: Numeric, decimals = 1) => digits(scaled(fraction), decimals, { suffix: '%' })
export const ratio = (value: Numeric) => digits(value, 2)
export const money = (usd: Numeric) => digits(usd, 2, { prefix: '$' })
export const signedMoney = (usd: Numeric) => digits(usd, 2, { sign: true, prefix: '$' })
export const price = (value: Numeric) => digits(value, 2)
/** A number of shares or coins. */
export const quantity = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 4 })
/** `0.034`, or `\\< 0.001`. */
export const pValue = (value: number): string => (value < 0.001 ? '\\< 0.001' : value.toFixed(3))
export const count = (value: Numeric) => digits(value, 0)

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `2024-01-31` as `31 Jan 2024`. */
export function date(text: string): string {
  const [year, month, day] = text.split('-').map(Number)
  return `${day} ${MONTHS[(month ?? 1) - 1]} ${year}`
}

/** Text of the user's own in Markdown: it is shown as it is, and neither formats anything nor declares a button. */
export const plain = (text: string): string =>
  withoutTags(text)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\`*_{}[\]()#+!|<>~]/g, (letter) => `\\${letter}`)

/** Cells are Markdown already. Columns of figures and dates stand at the right. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const rule = heads.map((_, column) => (column > 0 && holdsFigures(rows.map((row) => row[column]!)) ? '---:' : '---'))
  return [line(heads), line(rule), ...rows.map(line)].join('\n')
}

const FIGURE = /^(N\/A|\\<.*|[+−]?\$?\d[\d,.]*[%d]?( of \d+)?|(since )?\d{1,2} [A-Z][a-z]{2} \d{4}.*)$/

/** Most of them: a row of words among figures stands where they do. */
const holdsFigures = (cells: readonly string[]): boolean => {
  const filled = cells.filter((cell) => cell !== '')
  return filled.filter((cell) => FIGURE.test(cell)).length * 2 > filled.length
}

interface ChartPoints {
  readonly title: string
  /** Made-up prices: the chart says so. */
  readonly synthetic: boolean
  readonly unit?: 'usd'
  /** Dates with values, ascending. */
  readonly points: readonly (readonly [date: string, value: number])[]
}

/** Drawn by the screen. */
export const chart = ({ title, ...block }: ChartPoints): string =>
  `\`\`\`chart\n${JSON.stringify({ title: withoutTags(title), ...block })}\n\`\`\``

export const NOT_UNDERSTOOD = 'I did not understand that question, so I have no answer to it.'

export const SYNTHETIC_NOTE = '**Synthetic sample data:** these prices are made up and say nothing about a real market.'

/** Names what is made up where the rest is real; nothing where all is real. */
export function syntheticNote(series: readonly { readonly ticker: string; readonly synthetic: boolean }[]): string {
  const made = series.filter(({ synthetic }) => synthetic).map(({ ticker }) => plain(ticker))
  if (made.length === 0) return ''
  if (made.length === series.length) return SYNTHETIC_NOTE
  return `**Synthetic sample data:** prices of ${made.join(', ')} are made up; do not compare them with the others, which are real.`
}

/** Says what kind of prices a row of figures stands on. */
export function dataWords(of: { readonly synthetic: boolean; readonly fallback_prices: readonly string[] }): string {
  const prices = of.synthetic ? 'synthetic' : 'real'
  return of.fallback_prices.length > 0 ? `${prices}, with fallback prices` : prices
}

/** Names the days on which another ticker stood in, each once, as `GLD is SPY until 2004-11-17`; empty without any. */
export function fallbackNote(fallbacks: readonly string[]): string {
  const all = [...new Set(fallbacks)].map((one) => plain(one))
  return all.length === 0
    ? ''
    : `**Fallback prices:** ${all.join('. ')}. The figures have days on which the fund could not be held.`
}

export const paragraphs = (...parts: readonly (string | false | undefined)[]): string =>
  parts.filter((part): part is string => typeof part === 'string' && part !== '').join('\n\n')

/** A day as models and buttons write it. */
export const IsoDate = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a date like 2024-12-31')
