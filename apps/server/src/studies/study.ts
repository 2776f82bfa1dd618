import type { StudyReport } from '@tradewright/engine/study/report'
import type { StudyRequest } from '@tradewright/engine/study/plan'
import type { JobItem } from '../jobs/job-item.ts'
import type { StrategyConfig } from '../strategies/strategy.ts'

/** A user's request: the study itself, and the values of the form it was asked from. Plain data for any process. */
export interface StudySettings {
  readonly request: StudyRequest
  readonly strategyName: string
  /** A provider's id, or `auto`. */
  readonly provider: string
  readonly retriesData: boolean
  /** The Studio's settings, so that it can open them again. */
  readonly config: StrategyConfig
  readonly variants: number
  /** The names of the numbers that vary. */
  readonly labels: readonly string[]
}

/** What is kept of a study that has ended well, beside the results of its variants. */
export interface StudyOutcome {
  readonly report: StudyReport
  /** What could not be had of the prices as it was asked for. */
  readonly notes: readonly string[]
}

/** What a list shows of the settings: neither the tree nor the form, which may have a megabyte. */
interface ListedSettings extends Pick<StudySettings, 'strategyName' | 'variants' | 'labels'> {
  readonly request: Pick<StudyRequest, 'method'> & { readonly backtest: Pick<StudyRequest['backtest'], 'from' | 'to'> }
}

export interface StudyItem extends JobItem {
  readonly settings: ListedSettings
  /** Variants whose results are stored, and the time that all attempts worked on them. */
  readonly evaluated: number
  readonly seconds: number
}

export interface Study extends StudyItem {
  readonly settings: StudySettings
  readonly outcome: StudyOutcome | null
}
