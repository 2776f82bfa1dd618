import { databaseOutage } from '../../database-failure.ts'
import { databaseRefusal } from './database-refusal.ts'
import { Problem, type ProblemKind } from '@tradewright/core/problem'
import type { ErrorAnswer } from '@tradewright/contract/answers'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'

/** The one table from kinds of problems to status codes. */
const STATUS = {
  invalid: 400,
  unauthenticated: 401,
  denied: 403,
  missing: 404,
  conflict: 409,
  // Not a 503: the server works as it was set up, and no alarm should ring.
  'not-configured': 409,
  'too-large': 413,
  limited: 429,
  upstream: 502,
  unavailable: 503,
} satisfies Record<ProblemKind, number>

/** Answers any failure as JSON with the same sentence in `error` and `message`. */
export function answerProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = asProblem(error)
  if (!problem) return answerBug(error, request, reply)
  if (problem.cause !== undefined) request.log.warn({ code: problem.code, err: problem.cause }, problem.message)
  if (problem.retryAfterSeconds !== undefined) void reply.header('retry-after', Math.ceil(problem.retryAfterSeconds))
  return send(reply, STATUS[problem.kind], problem.code, problem.message, request.id, problem.facts)
}

function answerBug(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  request.log.error({ err: error }, 'unexpected failure')
  const sentence = 'Something went wrong on our side. The failure was logged; please try again.'
  return send(reply, 500, 'internal', sentence, request.id)
}

function send(
  reply: FastifyReply,
  status: number,
  code: string,
  sentence: string,
  requestId: string,
  facts?: Problem['facts'],
): FastifyReply {
  const answer: ErrorAnswer = { success: false, error: sentence, message: sentence, code, request_id: requestId }
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .send({ ...facts, ...answer })
}

function asProblem(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error
  return databaseOutage(error) ?? databaseRefusal(error) ?? timeLimit(error) ?? fromFramework(error)
}

/** A limit of time (`AbortSignal.timeout`) that ended the work of a call. */
function timeLimit(error: unknown): Problem | undefined {
  if (!(error instanceof DOMException) || error.name !== 'TimeoutError') return undefined
  const sentence = 'This took too long and was stopped. Please try again in a moment.'
  return new Problem('unavailable', 'request.time', sentence, { cause: error })
}

const NOT_JSON = ['invalid', 'request.json', 'The request body is not valid JSON.'] as const
const TOO_LARGE = ['too-large', 'request.size', 'The request body is too large.'] as const
const NOT_ACCEPTED = [
  'invalid',
  'request.type',
  'The request body has a content type that is not accepted here.',
] as const
const REFUSALS: Record<string, readonly [ProblemKind, string, string]> = {
  FST_ERR_CTP_INVALID_JSON_BODY: NOT_JSON,
  FST_ERR_CTP_EMPTY_JSON_BODY: NOT_JSON,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: NOT_ACCEPTED,
  FST_ERR_CTP_BODY_TOO_LARGE: TOO_LARGE,
  FST_REQ_FILE_TOO_LARGE: TOO_LARGE,
  FST_PARTS_LIMIT: TOO_LARGE,
  FST_FILES_LIMIT: TOO_LARGE,
  FST_FIELDS_LIMIT: TOO_LARGE,
}

/** Refusals of the framework itself before a handler runs. */
function fromFramework(error: unknown): Problem | undefined {
  const { code, statusCode, validation } = error as Partial<FastifyError>
  const refusal = code === undefined ? undefined : REFUSALS[code]
  if (refusal) return new Problem(...refusal)
  if (validation || (statusCode !== undefined && statusCode >= 400 && statusCode < 500)) {
    return new Problem('invalid', 'request.invalid', 'The request could not be understood.', { cause: error })
  }
  return undefined
}
