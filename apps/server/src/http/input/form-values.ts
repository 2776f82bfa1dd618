import { given, invalidField, shortened } from '@tradewright/core/form-values'
import { dayStamp, parseDate, type UtcMillis } from '@tradewright/core/time'
import { isStorable, excessOf } from './storable.ts'

/** A moment in UTC; a date means its end. */
export function momentField(what: string, text: string | undefined): UtcMillis | undefined {
  const moment = given(text)
  if (moment === undefined) return undefined
  const day = parseDate(moment)
  if (day !== undefined) return dayStamp(day + 1) - 1
  const instant = MOMENT.test(moment) ? Date.parse(moment) : Number.NaN
  if (Number.isNaN(instant)) {
    const examples = 'a date like 2024-12-31 or a moment like 2024-12-31T15:30:00Z'
    throw invalidField(`${what} must be ${examples}, was "${shortened(moment)}".`)
  }
  return instant
}

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z$/

export function jsonField(what: string, text: string): unknown {
  const value = parsed(what, text)
  const excess = excessOf(value)
  if (excess) throw invalidField(`${what} cannot be read: it ${excess}.`)
  if (!isStorable(value)) throw invalidField(`${what} contains characters that cannot be stored.`)
  return value
}

function parsed(what: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidField(`${what} cannot be read: this is not valid JSON.`)
  }
}
