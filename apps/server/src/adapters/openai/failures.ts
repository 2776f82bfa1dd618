import { Problem, type ProblemKind } from '@tradewright/core/problem'
import OpenAI from 'openai'
import { HttpFailure } from '../http/http-failure.ts'

interface Asked {
  readonly apiKey: string
  readonly model: string
}

/** Every failure of the vendor as a sentence that a user can act on. An abort stays what it is. */
export function asProblem(error: unknown, asked: Asked): unknown {
  if (error instanceof Problem || error instanceof OpenAI.APIUserAbortError) return error
  if (error instanceof OpenAI.APIConnectionTimeoutError) return timedOut(error)
  if (error instanceof OpenAI.APIConnectionError) return unreachable(error)
  if (error instanceof OpenAI.APIError) return refused(error, asked)
  return broken(error)
}

export const timedOut = (cause?: unknown) =>
  new Problem('unavailable', 'ai.time-out', 'The AI model did not answer in time. Please try again.', { cause })

const broken = (cause: unknown) =>
  new Problem('upstream', 'ai.failed', 'The connection to the AI model broke before its answer was complete.', {
    cause,
  })

function unreachable(error: Error): Problem {
  const refusal = guardRefusal(error)
  if (refusal) return new Problem('invalid', 'ai.address', `The server of the AI model was not called: ${refusal}.`)
  const sentence = 'The server of the AI model cannot be reached. Check the network and the address in Settings.'
  return new Problem('upstream', 'ai.unreachable', sentence, { cause: error })
}

/** The address guard's own words, which the SDK hides in causes. */
function guardRefusal(error: unknown): string | undefined {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if (inner instanceof HttpFailure && inner.kind === 'bad-request') return inner.message
  }
  return undefined
}

function refused(error: InstanceType<typeof OpenAI.APIError>, { apiKey, model }: Asked): Problem {
  const said = error.message.replaceAll(apiKey, '***').slice(0, 300)
  // For the log alone: users may enter the server's address, and what it says is not shown. Not the error itself, since a
  // server may repeat the key in its answer.
  const details = {
    cause: new Error(`the AI service answered ${error.status ?? 'nothing'}: ${said}`),
    ...retryAfter(error),
  }
  const problem = (kind: ProblemKind, code: string, sentence: string) => new Problem(kind, code, sentence, details)
  if (error.status === 401)
    return problem('upstream', 'ai.key', 'The AI service refused the API key. Check it in Settings.')
  if (error.status === 403) {
    return problem('upstream', 'ai.key', 'The AI service does not allow this call with this API key (HTTP 403).')
  }
  if (error.status === 404) {
    return problem('upstream', 'ai.model', `The AI service has no model "${model}". Choose another in Settings.`)
  }
  if (isOutOfQuota(error)) return problem('upstream', 'ai.quota', 'The quota of the connected AI account is used up.')
  if (error.status === 429) {
    return problem('limited', 'ai.rate', 'The AI service is receiving too many requests. Try again in a moment.')
  }
  if (error.code === 'context_length_exceeded') {
    return problem('upstream', 'ai.too-long', 'This conversation is too long for the model. Start a new chat.')
  }
  const status = error.status === undefined ? '' : ` (HTTP ${error.status})`
  return problem('upstream', 'ai.failed', `The AI service answered with an error${status}.`)
}

const isOutOfQuota = ({ code, type }: { code?: string | null | undefined; type?: string | undefined }) =>
  code === 'insufficient_quota' || type === 'insufficient_quota'

function retryAfter({ headers }: { headers?: Headers | undefined }): { retryAfterSeconds?: number } {
  const seconds = Number(headers?.get('retry-after'))
  return Number.isFinite(seconds) && seconds > 0 ? { retryAfterSeconds: Math.min(seconds, 3_600) } : {}
}
