import { z } from 'zod'

/** The answer of a call that only acknowledges. */
export const Success = z.object({ success: z.literal(true) })

/** Entries of a stored list that could not be read and are not in it; the screen says so. Beyond the spec. */
export const LeftOutCount = z.int().optional()

/** Every error answer, whatever the call: `error` and `message` hold the same sentence. */
export const ErrorAnswer = z.object({
  success: z.literal(false),
  error: z.string(),
  message: z.string(),
  code: z.string(),
  request_id: z.string().optional(),
})
export type ErrorAnswer = z.infer<typeof ErrorAnswer>
