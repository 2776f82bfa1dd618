const MAX_ERRORS = 20
const NAME = /^[A-Za-z][\w.:-]{0,59}$/

export interface RecentError {
  readonly at: string
  readonly message: string
  readonly type: string | null
  readonly code: string | null
  /** The call that failed, by the pattern of its path. */
  readonly call: string | null
}

/**
 * The last errors of this process for its operator: the constant words of the log line, the kind of error and its code.
 * The message of an error and other fields of the line may tell about a user, and stay in the log.
 */
class RecentErrors {
  readonly #errors: RecentError[] = []

  /** A line of the log, as it was called. */
  record(fields: unknown, message: string): void {
    const { err, method, route, status } = (typeof fields === 'object' && fields ? fields : {}) as LoggedFields
    this.#errors.unshift({
      at: new Date().toISOString(),
      message: message.slice(0, 200),
      type: named(err instanceof Error ? err.name : undefined),
      code: named((err as { code?: unknown } | undefined)?.code),
      call: typeof route === 'string' ? `${String(method)} ${route} answered ${String(status)}` : null,
    })
    this.#errors.length = Math.min(this.#errors.length, MAX_ERRORS)
  }

  list(): readonly RecentError[] {
    return this.#errors
  }
}

interface LoggedFields {
  readonly err?: unknown
  readonly method?: unknown
  readonly route?: unknown
  readonly status?: unknown
}

const named = (value: unknown): string | null => (typeof value === 'string' && NAME.test(value) ? value : null)

export const recentErrors = new RecentErrors()
