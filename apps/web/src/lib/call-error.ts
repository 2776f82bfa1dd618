export const UNREACHABLE = 'Tradewright cannot be reached. Check your connection and try again.'
export const NOT_UNDERSTOOD = "The server's answer was not understood. Reload the page and try again."

interface CallFailure {
  /** 0 when no answer came at all. */
  status: number
  /** The reason phrase; HTTP/2 has none. */
  statusText?: string
  code: string
  /** The server's own sentence, or null when it gave none: the caller then says what failed. */
  serverMessage: string | null
  /** All that a refusal said, for the call that answers more than a sentence. */
  answer?: unknown
  cause?: unknown
}

/** A call that failed. `message` is always a sentence; `serverMessage` only what the server itself said. */
export class CallError extends Error {
  override readonly name = 'CallError'
  readonly status: number
  readonly statusText: string
  readonly code: string
  readonly serverMessage: string | null
  readonly answer: unknown

  constructor({ status, statusText = '', code, serverMessage, answer, cause }: CallFailure) {
    super(serverMessage ?? sentenceFor(status), { cause })
    this.status = status
    this.statusText = statusText
    this.code = code
    this.serverMessage = serverMessage
    this.answer = answer
  }

  get isUnreachable(): boolean {
    return this.status === 0
  }
}

function sentenceFor(status: number): string {
  if (status === 0) return UNREACHABLE
  if (status >= 200 && status < 300) return NOT_UNDERSTOOD
  return `The server could not complete the request. Try again in a moment.`
}

/** The server's sentence when there is one, else the screen's own, e.g. 'Login failed. Please try again.' */
export function serverMessageOr(error: unknown, otherwise: string): string {
  return (error instanceof CallError ? error.serverMessage : null) ?? otherwise
}

/** Why nothing came back, as a second line under the screen's own sentence; null when the server did answer. */
export function unreachableHint(error: unknown): string | null {
  return error instanceof CallError && error.isUnreachable ? UNREACHABLE : null
}
