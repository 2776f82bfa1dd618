import { metricOf, type MetricKey } from '@tradewright/core/metric-catalogue'
import type { StudioResult } from '../../answer/studio-result.ts'

/** How what is no metric comes to be, in words that let a reader repeat it. docs/method.md has the same with sources. */
export const HOW = {
  accuracy:
    'The percentage of test bars whose label the model predicted, out of those whose label is known by now. The ' +
    'base rate is the accuracy of always predicting the more frequent label. p: the proportion of forecasts that ' +
    'know nothing about the label and still do at least as well (Pesaran-Timmermann). Labels that look several bars ' +
    'ahead overlap and count for correspondingly less. For a volatility regime, p measures what the model adds to ' +
    'the level of volatility, which alone predicts a lot. A low p says nothing about profit. See docs/method.md.',
  contributionToReturn:
    'What an asset’s positions earned on each bar (price changes and dividends, before costs), divided by the ' +
    'account value before it, times the value one dollar had reached by then, summed over all bars. Costs and ' +
    'interest are the remainder, so the parts add up to the total return.',
  contributionToRisk:
    'The covariance of what an asset added to each bar return with the account’s bar return, divided by the ' +
    'standard deviation of the latter, times the square root of the number of bars in a year. The parts add up to ' +
    'the volatility; a negative part reduced it.',
  repeatable:
    'The seed determines every random draw; the fingerprint identifies the data down to the last value. The same ' +
    'seed and fingerprint with the same settings give the same result to the last digit.',
} as const

const OVER_RISK_FREE = new Set<MetricKey>(['sharpe', 'sortino', 'martin', 'alpha', 'beta', 'correlation'])

/** How a metric is computed; of those over the risk-free return, with whose return that was. */
export function howOf(key: MetricKey, { risk_free }: Pick<StudioResult, 'risk_free'>): string {
  const { how } = metricOf(key)
  return OVER_RISK_FREE.has(key) ? `${how} Risk-free: ${risk_free}.` : how
}
