import type { ConstructionReport } from '@tradewright/engine/construction/report'
import type { ConstructionRequest } from '@tradewright/engine/construction/request'
import type { JobItem, JobItemEnd } from '../jobs/job-item.ts'
import type { JobStore } from '../jobs/ports.ts'
import type { StrategyConfig } from '../strategies/strategy.ts'

/** A user's request, and the values of the form it was asked from. Plain data for any process. */
export interface ConstructionSettings {
  readonly request: ConstructionRequest
  readonly name: string
  /** A provider's id, or `auto`. */
  readonly provider: string
  readonly retriesData: boolean
  /** The Studio's settings, so that it can open them again. */
  readonly config: StrategyConfig
  readonly tickers: readonly string[]
}

/** What is kept of one that has ended well. Plain JSON. */
export interface ConstructionOutcome {
  readonly report: ConstructionReport
  /** What could not be had of the prices as it was asked for. */
  readonly notes: readonly string[]
}

export interface ConstructionItem extends JobItem {
  readonly settings: ConstructionSettings
}

export interface Construction extends ConstructionItem {
  readonly outcome: ConstructionOutcome | null
}

/** The constructions of one user at a time: another's do not exist. */
export interface ConstructionStore {
  add(userId: number, settings: ConstructionSettings, at: Date): Promise<number>
  setJob(id: number, jobId: string): Promise<void>
  /** Newest first. */
  list(userId: number): Promise<ConstructionItem[]>
  find(userId: number, id: number): Promise<Construction | undefined>
  remove(userId: number, id: number): Promise<void>
}

interface ConstructionEnding {
  readonly as: JobItemEnd
  readonly error: string | null
  readonly outcome: ConstructionOutcome | null
  readonly at: Date
}

/** For the worker that a job belongs to. Writes of a job that no longer owns the construction change nothing. */
export interface ConstructionWorkStore {
  settings(id: number, jobId: string): Promise<ConstructionSettings | undefined>
  end(id: number, jobId: string, ending: ConstructionEnding): Promise<void>
}

interface ConstructionStores {
  readonly constructions: ConstructionStore
  readonly jobs: JobStore
}

/** Everything that the work writes lands, or nothing does. */
export type ConstructionTransaction = <Result>(work: (stores: ConstructionStores) => Promise<Result>) => Promise<Result>
