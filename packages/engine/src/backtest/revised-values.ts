import { observationCategory, revisionsCategory } from '@tradewright/core/category'
import { parseTicker } from '@tradewright/core/ticker'
import { inferFrequency, knownAtOf } from '../market/known-at.ts'
import type { SeriesTable } from '../market/series.ts'
import type { Planned } from '../features/catalogue.ts'
import type { MarketData } from './market-data.ts'
import { isSynthetic } from './provenance.ts'

/** What is known about the releases of an economic series that features were made from. */
export interface RevisedValues {
  readonly ticker: string
  /** Observations that were public by the end of the run. */
  readonly values: number
  /** Seen by features as first published, and revised later. */
  readonly revisedLater: number
  /** Values of which only the latest revision is at hand: they may know more than was known then. */
  readonly ofUnknownRelease: number
  /** Whether a provider that keeps vintages sent them, so that a key would bring the first releases. */
  readonly hasVintages: boolean
}

/** The raw series that these features, and a target among them, look at. */
export function tablesOf(features: readonly Planned<unknown>[], { series }: MarketData): SeriesTable[] {
  const tickers = features.flatMap(({ ticker, otherTicker }) => [ticker, otherTicker ?? ticker])
  const symbols = new Set(tickers.map((ticker) => parseTicker(ticker).symbol))
  return [...symbols].flatMap((symbol) => series.get(symbol) ?? [])
}

/** The provider that tells how often a value was revised. */
const VINTAGE_PROVIDER = 'fred'

/**
 * The economic series among these tables whose values are estimates. Quotes that are published every day are not
 * revised, and made-up values have no releases.
 */
export const revisedValues = (tables: readonly SeriesTable[], end: number): RevisedValues[] =>
  tables
    .filter((table) => table.type === 'economic' && !isSynthetic(table) && inferFrequency(table.timestamps) !== 'daily')
    .map((table) => countRevised(table, end))

function countRevised(table: SeriesTable, end: number): RevisedValues {
  const value = table.columns[observationCategory]
  // In a mixture of sources nothing tells whose value a row has.
  const isOneSource = table.sources.length === 1
  const revisions = isOneSource ? table.columns[revisionsCategory] : undefined
  const rows = [...knownAtOf(table).entries()].flatMap(([row, instant]) =>
    instant < end && !Number.isNaN(value?.[row] ?? Number.NaN) ? [row] : [],
  )
  return {
    ticker: table.ticker,
    values: rows.length,
    revisedLater: rows.filter((row) => (revisions?.[row] ?? 0) > 0).length,
    ofUnknownRelease: rows.filter((row) => !((revisions?.[row] ?? -1) >= 0)).length,
    hasVintages: isOneSource && table.sources[0]!.provider === VINTAGE_PROVIDER,
  }
}

/** As sentences under the result. */
export const revisionNotes = (counts: readonly RevisedValues[]): string[] =>
  counts.flatMap(({ ticker, values, revisedLater, ofUnknownRelease, hasVintages }) => [
    ...(revisedLater > 0
      ? [
          `${revisedLater} of the ${values} values of ${ticker} that features used were revised later. Features saw them as ` +
            'first published.',
        ]
      : []),
    ...(ofUnknownRelease > 0
      ? [
          `${ofUnknownRelease} of the ${values} values of ${ticker} may be later revisions, since their first release is ` +
            'not known: features made from them may know more than was known then.' +
            (hasVintages ? ' With a FRED key first releases are used.' : ''),
        ]
      : []),
  ])

/** Beside a decision of today, which may use revised values: the model learned from others than were known then. */
export const currentRevisionNotes = (counts: readonly RevisedValues[]): string[] =>
  counts.flatMap(({ ticker, ofUnknownRelease, hasVintages }) =>
    ofUnknownRelease === 0
      ? []
      : [
          `Features of ${ticker} use its values as revised by now, since the first releases are not known: a backtest of ` +
            `this strategy may have known more than was known then.${hasVintages ? ' With a FRED key first releases are used.' : ''}`,
        ],
  )
