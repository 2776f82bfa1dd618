import { Problem } from '@tradewright/core/problem'
import { formatTicker, parseTicker } from '@tradewright/core/ticker'
import { averageDirectionalIndex } from './definitions/average-directional-index.ts'
import { averageTrueRange } from './definitions/average-true-range.ts'
import { bollingerBands } from './definitions/bollinger-bands.ts'
import { commodityChannelIndex } from './definitions/commodity-channel-index.ts'
import { dayOfWeek } from './definitions/day-of-week.ts'
import { distanceFromHigh } from './definitions/distance-from-high.ts'
import { distanceFromLow } from './definitions/distance-from-low.ts'
import { drawdown } from './definitions/drawdown.ts'
import { economicChange } from './definitions/economic-change.ts'
import { economicLevel } from './definitions/economic-level.ts'
import { exponentialMovingAverage } from './definitions/exponential-moving-average.ts'
import { fundingRate } from './definitions/funding-rate.ts'
import { highLowRange } from './definitions/high-low-range.ts'
import { laggedReturn } from './definitions/lagged-return.ts'
import { liquidationIntensity } from './definitions/liquidation-intensity.ts'
import { logReturn } from './definitions/log-return.ts'
import { longShortRatio } from './definitions/long-short-ratio.ts'
import { macd } from './definitions/macd.ts'
import { momentum } from './definitions/momentum.ts'
import { month } from './definitions/month.ts'
import { openInterestChange } from './definitions/open-interest-change.ts'
import { ownColumn } from './definitions/own-column.ts'
import { percentChange } from './definitions/percent-change.ts'
import { priceToAverage } from './definitions/price-to-average.ts'
import { relativeStrengthIndex } from './definitions/relative-strength-index.ts'
import { rollingBeta } from './definitions/rolling-beta.ts'
import { rollingCorrelation } from './definitions/rolling-correlation.ts'
import { rollingVolatility } from './definitions/rolling-volatility.ts'
import { simpleMovingAverage } from './definitions/simple-moving-average.ts'
import { skewness } from './definitions/skewness.ts'
import { stochastic } from './definitions/stochastic.ts'
import { tickerRatio } from './definitions/ticker-ratio.ts'
import { tickerSpread } from './definitions/ticker-spread.ts'
import { volumeRatio } from './definitions/volume-ratio.ts'
import { volumeSlope } from './definitions/volume-slope.ts'
import { williamsR } from './definitions/williams-r.ts'
import { zScore } from './definitions/z-score.ts'
import type { Feature, Target } from './feature.ts'
import { beatsTicker } from './targets/beats-ticker.ts'
import { directionAhead } from './targets/direction-ahead.ts'
import { nextBarDirection } from './targets/next-bar-direction.ts'
import { ownColumnAbove } from './targets/own-column-above.ts'
import { returnAbove } from './targets/return-above.ts'
import { tripleBarrier } from './targets/triple-barrier.ts'
import { volatilityRegime } from './targets/volatility-regime.ts'
import { type ParameterDefinition, type ParameterValues, type RawParameters, readParameters } from './parameters.ts'

/** Every feature, in the order of its id. Ids are in saved strategies: a new feature takes the next one. */
export const allFeatures: readonly Feature[] = [
  percentChange,
  logReturn,
  laggedReturn,
  simpleMovingAverage,
  exponentialMovingAverage,
  priceToAverage,
  relativeStrengthIndex,
  macd,
  bollingerBands,
  averageTrueRange,
  rollingVolatility,
  zScore,
  momentum,
  stochastic,
  williamsR,
  commodityChannelIndex,
  averageDirectionalIndex,
  volumeSlope,
  volumeRatio,
  highLowRange,
  distanceFromHigh,
  distanceFromLow,
  drawdown,
  skewness,
  rollingCorrelation,
  rollingBeta,
  tickerRatio,
  tickerSpread,
  economicLevel,
  economicChange,
  fundingRate,
  openInterestChange,
  longShortRatio,
  liquidationIntensity,
  dayOfWeek,
  month,
  ownColumn,
]

/** For texts: the name of a feature that exists. */
export const featureName = (reference: number | string): string => featureOf(reference).name

/** Finds a feature by its id, its key or its name: saved strategies of all times name features in one of these ways. */
export function featureOf(reference: number | string): Feature {
  const text = String(reference).trim().toLowerCase()
  const found = allFeatures.find(
    ({ id, key, name }) => String(id) === text || key === text || name.toLowerCase() === text,
  )
  if (!found) throw new Problem('invalid', 'feature.unknown', `There is no feature "${reference}".`)
  return found
}

/** Every target, in the order of its id. Ids are in saved strategies: a new target takes the next one. */
export const allTargets: readonly Target[] = [
  nextBarDirection,
  directionAhead,
  returnAbove,
  tripleBarrier,
  volatilityRegime,
  beatsTicker,
  ownColumnAbove,
]

/** Finds a target by its id, its key or its name. */
export function targetOf(reference: number | string): Target {
  const text = String(reference).trim().toLowerCase()
  const found = allTargets.find(
    ({ id, key, name }) => String(id) === text || key === text || name.toLowerCase() === text,
  )
  if (!found) throw new Problem('invalid', 'target.unknown', `There is no target "${reference}".`)
  return found
}

/** A feature or target as a strategy names it. */
export interface Selection {
  readonly id: number | string
  readonly params: RawParameters
}

/** A selection whose parameters have been checked. */
export interface Planned<Kind> {
  readonly definition: Kind
  readonly values: ParameterValues
  readonly ticker: string
  readonly otherTicker: string | undefined
  /** The name in a column or a table: `RSI (SPY, window 14)`. The same for equal parameters only. */
  readonly label: string
}

export type PlannedFeature = Planned<Feature>
export type PlannedTarget = Planned<Target>

export const planFeature = ({ id, params }: Selection): PlannedFeature => plan(featureOf(id), params)

export const planTarget = ({ id, params }: Selection): PlannedTarget => plan(targetOf(id), params)

function plan<Kind extends Feature | Target>(definition: Kind, params: RawParameters): Planned<Kind> {
  const values = readParameters(definition.name, definition.parameters, params)
  const ticker = formatTicker(parseTicker(values.text('ticker')))
  const otherTicker = values.has('other_ticker') ? formatTicker(parseTicker(values.text('other_ticker'))) : undefined
  return { definition, values, ticker, otherTicker, label: labelOf(definition, values, ticker, otherTicker) }
}

/** Windows and horizons are always said, other parameters where they differ from their defaults. */
const ALWAYS_SAID: ReadonlySet<string> = new Set(['window', 'horizon'])

/** Where a window may be 0, it has no beginning. */
const isAllHistory = (name: string, record: Readonly<Record<string, unknown>>): boolean =>
  name === 'window' && record[name] === 0

function labelOf(
  { name, parameters }: { name: string; parameters: readonly ParameterDefinition[] },
  values: ParameterValues,
  ticker: string,
  otherTicker: string | undefined,
): string {
  const record = values.toRecord()
  const said = parameters
    .filter((one) => one.name !== 'ticker' && one.name !== 'other_ticker')
    .filter((one) => ALWAYS_SAID.has(one.name) || record[one.name] !== one.default)
    .map((one) => (isAllHistory(one.name, record) ? 'all history' : `${one.name} ${record[one.name]}`))
  return `${name} (${[ticker, otherTicker, ...said].filter((part) => part !== undefined).join(', ')})`
}
