import { type EpochDay, formatDate } from '@tradewright/core/time'
import { listed } from '@tradewright/engine/backtest/provenance'
import { type LeftOut, leftOutSentence } from '@tradewright/engine/market/layers/rows'
import type { ProviderFailureKind } from '@tradewright/engine/market/provider'

/** A part of a series that could not be had, with a sentence that names the ticker. */
interface MissingPart {
  readonly ticker: string
  readonly reason: string
  /** The display name of the provider that was asked last; undefined where none offers it. */
  readonly provider?: string
  readonly failure?: ProviderFailureKind | undefined
}

/** A ticker whose rows are synthetic because no real provider delivered it. */
export interface Substitution extends MissingPart {
  readonly provider: string
  /** Undefined where it answered that it has nothing. */
  readonly failure: ProviderFailureKind | undefined
}

export interface MissingSeries extends MissingPart {
  /** Whether the answer holds other rows of it. */
  readonly hasRows: boolean
}

/** What a data provider did not deliver, and what that did to the result. Plain data, kept with it. */
export interface DataProblem {
  /** `synthetic`: the sample market stands in. `partial`: a part of the range is missing. */
  readonly effect: 'synthetic' | 'partial'
  readonly tickers: readonly string[]
  /** The display name of the provider that was asked; undefined where none offers the series. */
  readonly provider: string | undefined
  readonly sentence: string
  /** The same question may be answered later. */
  readonly mayRetry: boolean
}

/** What to tell of missing parts, of series that the sample market stands in for, and of rows that are left out. */
export function dataProblems(
  missing: readonly MissingPart[],
  substituted: readonly Substitution[],
  leftOut: readonly LeftOut[] = [],
): DataProblem[] {
  const parts = missing.map(({ ticker, reason, provider, failure }) => ({
    effect: 'partial' as const,
    tickers: [ticker],
    provider,
    sentence: `Part of ${ticker} is missing: ${partReason(reason, provider, failure)}`,
    mayRetry: mayRetry(failure),
  }))
  const groups = Map.groupBy(substituted, ({ provider, failure }) => `${provider} ${failure ?? ''}`)
  const replaced = [...groups.values()].map((group) => {
    const { provider, failure } = group[0]!
    const tickers = group.map(({ ticker }) => ticker)
    const sentence = `${because(provider, failure, tickers)}, so ${listed(tickers)} ${tickers.length === 1 ? 'is' : 'are'} synthetic sample data.`
    return { effect: 'synthetic' as const, tickers, provider, sentence, mayRetry: mayRetry(failure) }
  })
  const refused = leftOut.map((one) => ({
    effect: 'partial' as const,
    tickers: [one.ticker],
    provider: one.provider,
    sentence: leftOutSentence(one, one.provider),
    mayRetry: false,
  }))
  return [...replaced, ...parts, ...refused]
}

const SHOWN_TICKERS = 5

/**
 * Why there is no run. Tickers that the same provider could not be asked for share a sentence; it names the days, since
 * others may be stored.
 */
export function noDataSentences(
  lost: readonly MissingPart[],
  { from, to }: { from: EpochDay; to: EpochDay },
): string[] {
  // A reason that names no ticker is that of several.
  const groups = Map.groupBy(lost, ({ ticker, reason, provider, failure }) => {
    if (failure === 'network' && provider !== undefined) return provider
    return reason.includes(ticker) ? `${ticker} alone` : reason
  })
  return [...groups.values()].map((group) => {
    const { reason, provider, failure } = group[0]!
    const days = failure === undefined ? '' : ` between ${formatDate(from)} and ${formatDate(to)}`
    const names = group.map(({ ticker }) => ticker)
    const rest = names.length - SHOWN_TICKERS
    const tickers = listed(rest > 1 ? [...names.slice(0, SHOWN_TICKERS), `${rest} others`] : names)
    return `There is no data for ${tickers}${days}: ${partReason(reason, provider, failure)}`
  })
}

/** The reasons of a provider that does not answer differ in words alone. */
const partReason = (reason: string, provider: string | undefined, failure: ProviderFailureKind | undefined): string =>
  failure === 'network' && provider !== undefined ? `${unreachable(provider)}.` : reason

const unreachable = (provider: string) => `${provider} cannot be reached from this server`

const mayRetry = (failure: ProviderFailureKind | undefined): boolean => failure === 'network' || failure === 'limit'

function because(provider: string, failure: ProviderFailureKind | undefined, tickers: readonly string[]): string {
  if (failure === 'network') return unreachable(provider)
  if (failure === 'limit') return `${provider} accepts no more requests for now`
  if (failure === 'auth') return `${provider} rejected its key`
  return `${provider} has no data for ${listed(tickers)}`
}
