/** The kind of an expected failure. Inner layers name the kind; only `http/` knows status codes. */
export type ProblemKind =
  | 'invalid'
  | 'unauthenticated'
  | 'denied'
  | 'missing'
  | 'conflict'
  /** The operator has not set up what this needs: trying again does not help. */
  | 'not-configured'
  | 'too-large'
  | 'limited'
  | 'upstream'
  | 'unavailable'

interface ProblemDetails {
  /** The failure underneath, kept for the log and never shown. */
  cause?: unknown
  /** When trying again may help, for kind `limited` and `unavailable`. */
  retryAfterSeconds?: number
  /** Machine-readable details beside the sentence, in the wire's words. */
  facts?: Readonly<Record<string, unknown>>
}

/**
 * An expected failure: `code` is stable and for programs, `message` is the sentence the user reads.
 * A bug is a plain `Error`.
 */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly kind: ProblemKind
  readonly code: string
  readonly retryAfterSeconds: number | undefined
  readonly facts: Readonly<Record<string, unknown>> | undefined

  constructor(kind: ProblemKind, code: string, message: string, details: ProblemDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.kind = kind
    this.code = code
    this.retryAfterSeconds = details.retryAfterSeconds
    this.facts = details.facts
  }
}

/**
 * The sentence about any failure that a user may read. The message of a bug, of the file system or of a driver is for
 * the log alone: it may name folders and addresses of the server.
 */
export const sentenceFor = (error: unknown): string =>
  error instanceof Problem ? error.message : 'Something went wrong on our side. The failure was logged.'
