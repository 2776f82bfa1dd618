/** Letters of a message: foreign services may put a page of any length into it. */
const MAX_MESSAGE_LETTERS = 500
const MAX_STACK_LETTERS = 4_000
const MAX_CODE_LETTERS = 60
const MAX_CAUSES = 4

interface LoggedError {
  readonly type: string
  readonly message: string
  readonly code?: string | number
  readonly stack?: string
  readonly cause?: LoggedError
}

/**
 * What the log says of an error. Its other fields stay out: drivers put whole answers of foreign servers there, and
 * requests with the credentials they were sent with.
 */
export function loggedError(error: unknown, causes = MAX_CAUSES): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: cut(error, MAX_MESSAGE_LETTERS) }
  const { name, message, stack, cause } = error
  const { code } = error as { code?: unknown }
  const first = error instanceof AggregateError ? (cause ?? error.errors[0]) : cause
  return {
    type: cut(name, MAX_CODE_LETTERS),
    ...(typeof code === 'number' ? { code } : typeof code === 'string' ? { code: cut(code, MAX_CODE_LETTERS) } : {}),
    message: cut(message, MAX_MESSAGE_LETTERS),
    stack: cut(framesOf(stack, message), MAX_STACK_LETTERS),
    ...(first !== undefined && causes > 0 ? { cause: loggedError(first, causes - 1) } : {}),
  }
}

/** A stack begins with the message, which is logged beside it. */
function framesOf(stack: unknown, message: string): string {
  if (typeof stack !== 'string') return ''
  const at = typeof message === 'string' ? stack.indexOf(message) : -1
  return at < 0 ? stack : stack.slice(at + message.length).trimStart()
}

/** A vendor's error may have anything where a text belongs. */
const cut = (text: unknown, letters: number): string => {
  if (typeof text !== 'string') return `(${typeof text})`
  return text.length <= letters ? text : `${text.slice(0, letters)}…`
}
