import { z } from 'zod'

/**
 * Words of the program for people. Dates in it are YYYY-MM-DD, moments ISO 8601 or "YYYY-MM-DD HH:MM UTC", numbers as in
 * 1,234.5, and what a user named is in quotation marks: the web app writes all of it as its reader chose. A version comes
 * right after "version" or the name of the program it is of.
 */
export const Sentence = z.string()

/** The answer of a call that only acknowledges. */
export const Success = z.object({ success: z.literal(true) })

/** Entries of a stored list that could not be read and are not in it; the screen says so. Beyond the spec. */
export const LeftOutCount = z.int().optional()

/** Every error answer, whatever the call: `error` and `message` hold the same sentence. */
export const ErrorAnswer = z.object({
  success: z.literal(false),
  error: Sentence,
  message: Sentence,
  code: z.string(),
  request_id: z.string().optional(),
})
export type ErrorAnswer = z.infer<typeof ErrorAnswer>
