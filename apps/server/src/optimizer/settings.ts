import type { ParameterChoices, SearchRequest } from '@tradewright/engine/optimizer/request'

/** A user's request: the search itself, and the values of its form. Plain data, so that any process can do it. */
export interface OptimizationSettings {
  readonly request: SearchRequest
  /** A provider's id, or `auto`. */
  readonly provider: string
  readonly featureIds: readonly number[]
  /** By feature id: the values as they were entered. */
  readonly featureConfigs: Readonly<Record<string, ParameterChoices>>
  readonly targetListIds: readonly number[]
  readonly featureListIds: readonly number[]
  /** Ask data providers again that have just failed; absent in orders of earlier versions. */
  readonly retriesData?: boolean
  /** The client's name for this run. */
  readonly clientRunId: string | null
}
