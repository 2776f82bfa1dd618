import { plainLine } from '@tradewright/core/plain-line'
import type { z } from 'zod'

/** Names of fields and values that are told back are the sender's: a megabyte of them is no sentence. */
const MAX_LENGTH = 300

/** The first thing that is wrong with an input, as a sentence for the person who sent it. */
export function sentenceFor(error: z.ZodError): string {
  const issue = error.issues[0]
  if (!issue) return 'The request could not be understood.'
  const message = plainLine(issue.message, MAX_LENGTH)
  // The contract's own messages are sentences already; the library's are fragments.
  if (/[.!?]$/.test(message)) return message
  const field = plainLine(issue.path.join('.'), MAX_LENGTH)
  return field ? `${field}: ${message}.` : `The request is not valid: ${message}.`
}
