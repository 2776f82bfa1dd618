import { Problem } from '@tradewright/core/problem'
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
import type { Feature } from './feature.ts'

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
