import { z } from 'zod'

/** The answer of a call that only acknowledges. */
export const Success = z.object({ success: z.literal(true) })

/** Every error answer, whatever the call: `error` and `message` hold the same sentence. */
export const ErrorAnswer = z.object({
  success: z.literal(false),
  error: z.string(),
  message: z.string(),
  code: z.string(),
  request_id: z.string().optional(),
})
export type ErrorAnswer = z.infer<typeof ErrorAnswer>
