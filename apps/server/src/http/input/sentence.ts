import type { z } from 'zod'

/** The first thing that is wrong with an input, as a sentence for the person who sent it. */
export function sentenceFor(error: z.ZodError): string {
  const issue = error.issues[0]
  if (!issue) return 'The request could not be understood.'
  // The contract's own messages are sentences already; the library's are fragments.
  if (/[.!?]$/.test(issue.message)) return issue.message
  const field = issue.path.join('.')
  return field ? `${field}: ${issue.message}.` : `The request is not valid: ${issue.message}.`
}
