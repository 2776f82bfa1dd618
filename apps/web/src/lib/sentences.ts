import { Sentence } from '@tradewright/contract/answers'
import type { z } from 'zod'
import { exchangeTime, formatDate, formatMarketMoment, formatMoment } from './format-time.ts'
import { withSeparators } from './format.ts'

/** What a user or a file named is theirs, letter for letter; so are addresses. */
const QUOTED = /("[^"]*"|“[^”]*”|`[^`]*`|https?:\/\/\S+)/

const DAY = String.raw`\d{4}-\d{2}-\d{2}`
const MOMENT = new RegExp(
  String.raw`(?<![\w-])(${DAY})(?:T(\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?Z| (\d{2}:\d{2}(?::\d{2})?) UTC)(?![\w-])`,
  'g',
)
/** `Nov 17, 2026, 4:00 PM ET`, as the server tells the exchange's clock. */
const EASTERN_MOMENT = /\b([A-Z][a-z]{2} \d{1,2}, \d{4}), (\d{1,2}:\d{2} [AP]M) ET\b/g
const DATE = new RegExp(String.raw`(?<![\w/.-])${DAY}(?![\w/-]|\.\w)`, 'g')
/** Words before a version, which is a name with a point in it and no number. */
const VERSIONED = 'versions?|release|Tradewright|PostgreSQL|MongoDB|DuckDB|Node\\.js|Python|TLS|HTTP|OAuth|CycloneDX'
/** With thousands or decimals; neither versions (18.1.2, PostgreSQL 18.4, gpt-4.1), network addresses nor names of files. */
const NUMBER = new RegExp(
  String.raw`(?<![\w.,]|[A-Za-z][-/]|\b(?:${VERSIONED})(?: of)? v?)` +
    String.raw`(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+)(?!(?!x\b)\w|[.,]\d|\.\w)`,
  'gi',
)

/** A sentence of the server with dates, moments and numbers as the user chose. */
export function inChosenFormats(sentence: string): string {
  return sentence
    .split(QUOTED)
    .map((part, index) => (index % 2 === 1 ? part : formatted(part)))
    .join('')
}

const formatted = (part: string): string =>
  part
    .replace(NUMBER, withSeparators)
    .replace(MOMENT, (written, day: string, iso?: string, utc?: string) => {
      const time = iso ?? utc ?? ''
      const isReal = !Number.isNaN(Date.parse(`${day}T${time}Z`))
      return isReal ? formatMoment(`${day}T${time}Z`, time.length > 5 ? 'seconds' : 'minutes') : written
    })
    .replace(EASTERN_MOMENT, (written) => {
      const instant = easternInstant(written)
      return instant ? formatMarketMoment(instant) : written
    })
    .replace(DATE, (day) => (Number.isNaN(Date.parse(day)) ? day : formatDate(day)))

/** An exchange in New York has one of two offsets; the right one gives back the time as it was written. */
function easternInstant(written: string): Date | undefined {
  const clock = written.replace(/ ET$/, '')
  const instants = ['GMT-0500', 'GMT-0400'].map((offset) => new Date(`${clock} ${offset}`))
  const time = /\d{1,2}:\d{2} [AP]M/.exec(clock)![0]
  return instants.find((instant) => {
    if (Number.isNaN(instant.getTime())) return false
    return exchangeTime(instant) === time
  })
}

/** An answer with all of its sentences so written; nothing else is touched. */
export function withChosenFormats<Answer>(schema: z.ZodType, answer: Answer): Answer {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- texts are replaced by texts, all else stays
  return rewritten(schema, answer) as Answer
}

function rewritten(schema: z.ZodType, value: unknown): unknown {
  if (value === null || value === undefined || !hasSentences(schema)) return value
  if (schema === Sentence) return typeof value === 'string' ? inChosenFormats(value) : value
  const { keys, each, inner, options } = partsOf(schema)
  if (inner) return rewritten(inner, value)
  if (options) {
    const fitting = options.find((option) => option.safeParse(value).success)
    return fitting ? rewritten(fitting, value) : value
  }
  if (Array.isArray(value)) return each ? value.map((entry) => rewritten(each, entry)) : value
  if (typeof value !== 'object') return value
  const entries = Object.entries(value).map(([key, part]): [string, unknown] => {
    const of = keys?.[key] ?? each
    return [key, of ? rewritten(of, part) : part]
  })
  return Object.fromEntries(entries)
}

interface Parts {
  keys?: Readonly<Record<string, z.ZodType>>
  /** The schema of each element of a list or a record. */
  each?: z.ZodType
  inner?: z.ZodType
  options?: readonly z.ZodType[]
}

function partsOf(schema: z.ZodType): Parts {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `type` tells which of them it is
  const { def } = schema as z.ZodObject | z.ZodArray<z.ZodType> | z.ZodUnion<z.ZodType[]> | z.ZodRecord | Wrapped
  switch (def.type) {
    case 'object':
      return { keys: def.shape }
    case 'array':
      return { each: def.element }
    case 'record':
      return { each: def.valueType as z.ZodType }
    case 'union':
      return { options: def.options }
    case 'nullable':
    case 'optional':
    case 'default':
    case 'readonly':
      return { inner: def.innerType as z.ZodType }
    case 'lazy':
      return { inner: def.getter() as z.ZodType }
    default:
      return {}
  }
}

type Wrapped = z.ZodNullable | z.ZodOptional | z.ZodDefault | z.ZodReadonly | z.ZodLazy

const known = new WeakMap<z.ZodType, boolean>()

/** Most of an answer are figures: those parts are not walked through. */
function hasSentences(schema: z.ZodType): boolean {
  const before = known.get(schema)
  if (before !== undefined) return before
  // A schema that holds itself is asked for only once.
  known.set(schema, false)
  const { keys, each, inner, options } = partsOf(schema)
  const parts = [...Object.values(keys ?? {}), each, inner, ...(options ?? [])]
  const found = schema === Sentence || parts.some((part) => part !== undefined && hasSentences(part))
  known.set(schema, found)
  return found
}
