/** The job form offers these; a provider may supply words of its own. */
export type Category = string

/** Whether a text can name a category, one of ours or a new one: it becomes the name of a column. */
export const isCategory = (text: string): text is Category => /^[a-z][a-z0-9_]{0,40}$/.test(text)

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

/**
 * Beside the value of an economic series: how often it was revised after its first release, as far as was known when it was
 * collected. `UNKNOWN_RELEASE` where the value is not the first release but whatever it had been revised to by then.
 */
export const revisionsCategory: Category = 'revisions'
export const UNKNOWN_RELEASE = -1

/**
 * Beside the value of an economic series: the observation before it, as that was known when this one was released. A
 * change between two first releases would take a revision in between, or a new base year, for a change of the economy.
 */
export const priorCategory: Category = 'prior'

/** Come with every value of an economic series, asked for or not. */
export const releaseCategories: readonly Category[] = [revisionsCategory, priorCategory]

/** The n-th later value of an observation, in the silver layer alone, known from its own release on. */
export const revisionCategory = (number: number): Category => `revision_${number}`

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
