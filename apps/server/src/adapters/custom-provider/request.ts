import type { Granularity } from '@tradewright/core/granularity'
import { DAY, epochDayOf, formatDate, SECOND, type TimeRange, type UtcMillis } from '@tradewright/core/time'
import type { DateFormat, ProviderDefinition } from '../../market-data/provider-definition.ts'
import type { Query } from '../http/http-client.ts'
import { HttpFailure } from '../http/http-failure.ts'

export interface Question {
  readonly symbol: string
  readonly granularity: Granularity
  readonly range: TimeRange
}

/** Replacements may each lengthen it. */
const MAX_SYMBOL_LENGTH = 100

export function symbolOf(definition: ProviderDefinition, ticker: string): string {
  let symbol = ticker
  for (const { from, to } of definition.tickerReplacements) {
    symbol = symbol.replaceAll(from, to)
    if (symbol.length > MAX_SYMBOL_LENGTH) {
      throw new HttpFailure('malformed', `its name for the ticker has more than ${MAX_SYMBOL_LENGTH} characters`)
    }
  }
  return symbol
}

/** The path and query of one window of one ticker. Values are encoded, so none can leave its place in the address. */
export function callFor(definition: ProviderDefinition, question: Question): { path: string; query: Query } {
  const { rangeFormat, endIsInclusive } = definition
  const { from, to } = question.range
  const lastInstant = rangeFormat === 'date' && endIsInclusive ? to - DAY : to - (endIsInclusive ? SECOND : 0)
  const values: Readonly<Record<string, string>> = {
    ticker: question.symbol,
    from: WRITERS[rangeFormat](from),
    to: WRITERS[rangeFormat](Math.max(from, lastInstant)),
    granularity: definition.granularities[question.granularity] ?? question.granularity,
  }
  const fill = (template: string, encode: (text: string) => string) =>
    template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode(values[name] ?? ''))
  const query = Object.entries(definition.query).map(([name, template]) => [name, fill(template, (text) => text)])
  return { path: fill(definition.path, encodeURIComponent), query: Object.fromEntries(query) }
}

const WRITERS = {
  date: (instant) => formatDate(epochDayOf(instant)),
  instant: (instant) => new Date(instant).toISOString(),
  'unix-seconds': (instant) => String(Math.floor(instant / SECOND)),
  'unix-millis': String,
} as const satisfies Record<DateFormat, (instant: UtcMillis) => string>
