import type { Feature } from '@tradewright/contract/features'
import { isTickerParameter, withFeature } from '../form/feature-ranges.ts'
import { assetsOf, type OptimizerForm } from '../form/form.ts'
import { parseTickers, tickersText } from '../form/tickers.ts'

/** The form with one feature more to try: its kind, its values and its tickers. */
export function withPair(
  form: OptimizerForm,
  feature: Feature,
  params: Readonly<Record<string, number | string>>,
): Pick<OptimizerForm, 'featureTypes' | 'relatedTickers'> {
  const tickers = Object.entries(params).flatMap(([name, value]) => (isTickerParameter(name) ? [String(value)] : []))
  const missing = tickers.filter((ticker) => !assetsOf(form).includes(ticker.toUpperCase()))
  return {
    featureTypes: withFeature(form.featureTypes, feature, params),
    relatedTickers: tickersText([...parseTickers(form.relatedTickers), ...missing]),
  }
}
