import { metricOf, type MetricKey } from '@tradewright/core/metric-catalogue'
import type { StudioResult } from '../../answer/studio-result.ts'

/** How what is no metric comes to be, in words that let a reader repeat it. docs/method.md has the same with sources. */
export const HOW = {
  accuracy:
    'The share of test bars whose label the model predicted, of those whose label is known by now. The base rate is what ' +
    'always predicting the more frequent label would have given. p: of forecasts that know nothing about the label, the ' +
    'share that comes out at least as well (Pesaran-Timmermann). Labels that look several bars ahead overlap and count ' +
    'accordingly less. For a volatility regime p is about what the model adds to the level of volatility, which alone ' +
    'predicts much. A low p says nothing about profit. See docs/method.md.',
  contributionToReturn:
    'What the positions of an asset earned at each bar, price changes and dividends before costs, divided by the account ' +
    'value before it, times what one dollar had grown to by then, summed over all bars. Costs and interest are what ' +
    'remains, so that the parts add up to the total return.',
  contributionToRisk:
    'The covariance of what an asset added to each bar return with the bar return of the account, divided by the standard ' +
    'deviation of the latter, times the square root of the bars in a year. The parts add up to the volatility; a negative ' +
    'part reduced it.',
  repeatable:
    'The seed decides every random draw, the fingerprint names the data to the last value. The same two with the same ' +
    'settings give the same result to the last digit.',
} as const

const OVER_RISK_FREE = new Set<MetricKey>(['sharpe', 'sortino', 'martin', 'alpha', 'beta', 'correlation'])

/** How a metric is computed; of those over the risk-free return, with whose return that was. */
export function howOf(key: MetricKey, { risk_free }: Pick<StudioResult, 'risk_free'>): string {
  const { how } = metricOf(key)
  return OVER_RISK_FREE.has(key) ? `${how} Risk-free: ${risk_free}.` : how
}
