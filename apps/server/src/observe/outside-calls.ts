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
