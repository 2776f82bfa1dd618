/** The job form offers these; a provider may supply words of its own. */
export type Category = string

/** The choices of the job form, in its order. */
export const offeredCategories: readonly Category[] = [
  'price',
  'open',
  'high',
  'low',
  'close',
  'volume',
  'market_cap',
  'pe_ratio',
  'dividend',
  'earnings',
  'sentiment',
  'company_score',
  'leading_indicator_score',
  'custom',
]

export const defaultCategory: Category = 'close'

/** A traded bar. Prices are raw, as traded on the day: adjustment is computed from `split` and `dividend`. */
export const barCategories: readonly Category[] = ['open', 'high', 'low', 'close', 'volume']

/** Stamped with the ex-date: new shares per old share, and cash per share as it was on that day. */
export const actionCategories: readonly Category[] = ['split', 'dividend']

/** The one value of a series that has no price: an economic observation, a funding rate, an open interest. */
export const observationCategory: Category = 'value'

type Sign = 'positive' | 'not-negative' | 'any'

const SIGNS: Readonly<Record<string, Sign>> = {
  price: 'positive',
  open: 'positive',
  high: 'positive',
  low: 'positive',
  close: 'positive',
  split: 'positive',
  volume: 'not-negative',
  market_cap: 'not-negative',
  dividend: 'not-negative',
}

/** Prices are positive, amounts are not negative, observations and scores may be anything finite. */
export const signOf = (category: Category): Sign => SIGNS[category] ?? 'any'
