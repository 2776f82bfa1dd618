import { type BrokerId, brokerIds } from '@tradewright/core/broker-catalogue'

/** Services that are told apart. Those that users define, and their addresses for alerts, count together. */
const SERVICES: ReadonlySet<string> = new Set<string>([
  ...brokerIds,
  'alpaca-data',
  'yahoo',
  'fred',
  'fred-csv',
  'coinalyze',
  'coinbase',
  'sec',
  'openai',
  'telegram',
  'alerts',
  'documentation',
])
const OF_USERS = 'custom'

export type CallOutcome = 'answered' | 'refused' | 'limit' | 'network' | 'failed'

interface OutsideCall {
  readonly service: string
  readonly outcome: CallOutcome
  readonly seconds: number
}

export interface ServiceCalls {
  readonly service: string
  readonly isBroker: boolean
  readonly calls: number
  readonly failures: Readonly<Partial<Record<CallOutcome, number>>>
  readonly waitedSeconds: number
  readonly limit: CallLimit | undefined
  readonly lastFailureAt: Date | undefined
}

interface CallLimit {
  readonly calls: number
  readonly windowMillis: number
}

interface Counts {
  calls: number
  failures: Partial<Record<CallOutcome, number>>
  waitedSeconds: number
  limit: CallLimit | undefined
  lastFailureAt: Date | undefined
}

/** Calls of this process to other services: how many, how they ended, and how long they waited for an allowance. */
class OutsideCalls {
  readonly #counts = new Map<string, Counts>()
  readonly #listeners = new Set<(call: OutsideCall) => void>()

  record(called: string, outcome: CallOutcome, seconds: number): void {
    const service = serviceOf(called)
    const counts = this.#of(service)
    counts.calls++
    if (outcome !== 'answered') {
      counts.failures[outcome] = (counts.failures[outcome] ?? 0) + 1
      counts.lastFailureAt = new Date()
    }
    for (const listener of this.#listeners) listener({ service, outcome, seconds })
  }

  /** Time in which a call was held back because the service allows so many only. */
  recordWait(called: string, seconds: number): void {
    this.#of(serviceOf(called)).waitedSeconds += seconds
  }

  /** Notes the limit of one key, where a service has several. */
  noteLimit(called: string, limit: CallLimit): void {
    const service = serviceOf(called)
    if (service !== OF_USERS) this.#of(service).limit = limit
  }

  onCall(listener: (call: OutsideCall) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  list(): ServiceCalls[] {
    return [...this.#counts]
      .map(([service, counts]) => {
        const isBroker = brokerIds.includes(service as BrokerId)
        return Object.assign({ service, isBroker }, counts)
      })
      .sort((a, b) => (a.service < b.service ? -1 : 1))
  }

  #of(service: string): Counts {
    const known = this.#counts.get(service)
    if (known) return known
    const counts: Counts = { calls: 0, failures: {}, waitedSeconds: 0, limit: undefined, lastFailureAt: undefined }
    this.#counts.set(service, counts)
    return counts
  }
}

/** The name of a service as labels have it. */
export const serviceOf = (called: string): string => (SERVICES.has(called) ? called : OF_USERS)

/** One per process, as there is one allowance per service. */
export const outsideCalls = new OutsideCalls()

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

interface JobEnd {
  readonly kind: string
  readonly state: 'completed' | 'failed' | 'cancelled'
  readonly seconds: number
}

/** Jobs that this process has run to an end. */
class JobEnds {
  readonly #listeners = new Set<(end: JobEnd) => void>()

  record(end: JobEnd): void {
    for (const listener of this.#listeners) listener(end)
  }

  onEnd(listener: (end: JobEnd) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
}

export const jobEnds = new JobEnds()
