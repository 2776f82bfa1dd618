import type { Column } from '@tradewright/core/column'
import type { EpochDay, UtcMillis } from '@tradewright/core/time'
import type { Figure } from '../performance/figure.ts'
import type { Accuracy } from './accuracy.ts'
import type { AveragesByDate } from './accuracy-by-date.ts'
import type { Analysis } from './analysis.ts'
import type { DataSources } from './data-sources.ts'
import type { ShuffledVerdict } from './honesty/shuffled-labels.ts'
import type { TruncationVerdict } from './honesty/truncation-check.ts'
import type { BacktestMetrics, CurveMetrics } from './metrics.ts'
import type { SeriesProvenance } from './provenance.ts'
import type { EndedTicker } from './run-period.ts'
import type { RulesResult } from './rules-result.ts'
import type { ReferenceResult } from './reference.ts'
import type { BacktestSettings } from './request.ts'
import type { RevisedValues } from './revised-values.ts'
import type { SplicedTicker } from './stand-ins.ts'

export interface DatedTrade {
  readonly timestamp: UtcMillis
  readonly ticker: string
  /** Negative for a sale. */
  readonly quantity: number
  readonly price: number
  readonly fee: number
}

/** The account at every bar. Columns are of the same length; NaN is "no value". */
export interface AccountCurve {
  readonly timestamps: Float64Array
  readonly days: Int32Array
  /** In dollars of the first day where inflation is adjusted for. */
  readonly values: Column
  /** As the account statement would say it; the same as `values` where inflation does not count. */
  readonly nominalValues: Column
  readonly cash: Column
  readonly exposure: Column
  /** Paid in or out, in dollars of their day. */
  readonly flows: Column
  /**
   * Return of each step that was free of risk, in the dollars of `values`: the first is of the step to the second bar.
   * Undefined counts as none, and in results that were saved before it was kept.
   */
  readonly riskFree?: Column | undefined
}

export interface Period {
  readonly from: EpochDay
  readonly to: EpochDay
}

/** One walk-forward window with metrics of its own, over its whole test range. */
export interface WindowResult {
  readonly number: number
  readonly train: Period
  readonly test: Period
  readonly testRows: number
  readonly accuracy: Accuracy
  readonly metrics: CurveMetrics
  readonly buys: number
  readonly sells: number
  readonly timestamps: Float64Array
  readonly values: Column
  /** -1 where nothing was predicted. */
  readonly signals: Int8Array
  readonly referenceValues: Column | undefined
  readonly referenceMetrics: CurveMetrics | undefined
}

export interface WalkForwardSummary extends AveragesByDate {
  readonly windows: readonly WindowResult[]
  readonly lowestAccuracy: Figure
  readonly highestAccuracy: Figure
  /** Rows, which are days on a daily calendar. */
  readonly stepRows: number
}

interface HonestyChecks {
  readonly truncation: TruncationVerdict
  readonly shuffledLabels: ShuffledVerdict
  /** Training rows left out because their labels reach into a test. */
  readonly rowsPurged: number
}

export interface MlResult {
  readonly accuracy: Accuracy
  readonly train: Period
  readonly test: Period
  /** On the bars of the account curve. */
  readonly signals: Int8Array
  readonly probabilities: Float64Array
  readonly featureLabels: readonly string[]
  readonly featureColumns: readonly Column[]
  /** The newest model's importance of each feature, adding up to 1; undefined where the model has none. */
  readonly importances: readonly number[] | undefined
  readonly walkForward: WalkForwardSummary | undefined
  readonly honesty: HonestyChecks
  readonly usableRows: number
}

export interface BacktestResult {
  readonly settings: BacktestSettings
  readonly curve: AccountCurve
  readonly metrics: BacktestMetrics
  readonly analysis: Analysis
  /** Money-weighted yearly return of start value, flows and end value. */
  readonly moneyWeightedReturn: Figure
  readonly trades: readonly DatedTrade[]
  readonly reference: ReferenceResult | undefined
  readonly ml: MlResult | undefined
  /** Absent for strategies without rules. */
  readonly rules?: RulesResult | undefined
  /** First session at which every traded ticker has a price; it may lie after the date that was asked for. */
  readonly actualStart: EpochDay
  readonly limitingTicker: string | undefined
  readonly riskFree: string
  /** When and why nothing was left. */
  readonly wipedOut: { readonly day: EpochDay; readonly by: 'loss' | 'withdrawal' } | undefined
  readonly sources: { readonly features: DataSources; readonly simulation: DataSources }
  /** Economic series that features were made from, and how many of their values were revised after their release. */
  readonly revisedValues: readonly RevisedValues[]
  /** Where each series came from and what it was used for; traded ones first. */
  readonly series: readonly SeriesProvenance[]
  /** Prices of a traded ticker come from the sample market. */
  readonly synthetic: boolean
  /** Traded tickers whose prices end before the period that was asked for. */
  readonly ended: readonly EndedTicker[]
  /** Tickers whose history begins with that of their fallbacks; absent where there is none. */
  readonly spliced?: readonly SplicedTicker[]
  readonly fingerprint: string
  /** Sentences that the reader of the figures should know. */
  readonly notes: readonly string[]
}
