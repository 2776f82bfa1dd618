import { z } from 'zod'

/** Tickers of a deployment with the ones that are traded in their place. */
export const MAX_MAPPED_TICKERS = 500
/** A word of a form: a choice, a number, a date or a ticker. Names have limits and sentences of their own. */
export const WORD_MAX_LENGTH = 1_000
/** Everything below a record whose fields a schema does not know, such as the config of a strategy. */
const MAX_VALUES = 20_000
const MAX_CHARACTERS = 1024 * 1024

/** A record with at most so many entries; `what` begins the sentence. */
export const boundedRecord = <Key extends z.core.$ZodRecordKey, Value extends z.ZodType>(
  key: Key,
  value: Value,
  { max, what }: { max: number; what: string },
) =>
  z
    .record(key, value, `${what} must be an object.`)
    .refine((record) => Object.keys(record).length <= max, `${what} must have at most ${max} entries.`)
    .meta({ maxProperties: max })

/** A record of anything: at most `max` entries at its top, and so many values and characters below them. */
export const freeRecord = (what: string, max = 1_000) => {
  const record = z.record(z.string().max(200), z.unknown(), `${what} must be an object.`)
  return withinBounds(record, what, max)
}

/** The same of an object that has fields of its own beside what it is sent with. */
export const withinBounds = <Schema extends z.ZodType<object>>(schema: Schema, what: string, max = 1_000): Schema =>
  schema
    .refine((value) => Object.keys(value).length <= max && isSmall(value), `${what} has too many values.`)
    .meta({ maxProperties: max, [VALUES_BELOW]: MAX_VALUES })

/** In the published document: how many values may be below a record of anything. */
export const VALUES_BELOW = 'x-max-values'

function isSmall(whole: unknown): boolean {
  let [values, characters] = [0, 0]
  const visit = (part: unknown): boolean => {
    values += 1
    if (typeof part === 'string') characters += part.length
    if (values > MAX_VALUES || characters > MAX_CHARACTERS) return false
    return typeof part !== 'object' || part === null || Object.values(part).every(visit)
  }
  return visit(whole)
}
