import { actionCategories, barCategories, observationCategory, releaseCategories } from '@tradewright/core/category'
import type { Granularity } from '@tradewright/core/granularity'
import { parseTicker, type Ticker } from '@tradewright/core/ticker'
import { CASHX, TBILLX, tickerKind } from '@tradewright/core/ticker-kind'
import { dayStamp, epochDayOf, formatDate, type TimeRange, type UtcMillis } from '@tradewright/core/time'
import { calendarOf } from '@tradewright/engine/market/trading-calendar'
import { actionsOf, type CorporateActions } from '@tradewright/engine/market/corporate-actions'
import type { MarketDataProvider, ProviderFailureKind } from '@tradewright/engine/market/provider'
import { SAMPLE_PROVIDER_ID } from '@tradewright/engine/market/sample/sample-provider'
import { addLeftOut, type LeftOut, type RefusedRow } from '@tradewright/engine/market/layers/rows'
import type { SeriesTable } from '@tradewright/engine/market/series'
import { storedGranularity } from './collect/collect.ts'
import { fetchMissing, type FetchMissingDeps, type Shortfalls } from './collect/fetch-missing.ts'
import { findProvider, type ProvidersOf, realProvidersFor, syntheticProviderFor } from './providers.ts'
import type { OpenStore, OpenStores } from './stores/data-store.ts'

export const AUTO_PROVIDER = 'auto'
export const AUTO_PROVIDER_NAME = 'Automatic'

/** A provider answers some hundred questions a minute; who mistyped a list need not wait for all of it. */
const MAX_UNKNOWN = 10

/** More refused rows of one request are not counted. */
const MAX_REFUSED = 10_000

/** Computed columns and scores lie beside these in a store. */
const USED_CATEGORIES = [...barCategories, ...actionCategories, observationCategory, ...releaseCategories]

export interface SeriesRequest {
  readonly userId: number
  /** With or without leverage; CASHX and TBILLX are computed and need no rows. */
  readonly tickers: readonly string[]
  /** Half-open, in stamps. */
  readonly range: TimeRange
  readonly granularity: Granularity
  /** A provider's id, or `auto`: stored gold, then the real providers by ticker kind, only then the sample market. */
  readonly provider: string
  /** Ask providers again that have just answered or failed: the user wants it, or rows are due that were not there. */
  readonly retries?: boolean
  /** With `auto`: without the sample market, even where there is nothing else. */
  readonly isRealOnly?: boolean
  /** What the store held at this moment, and nothing else: no provider is asked. */
  readonly asOf?: UtcMillis | undefined
  /** Nothing comes of the request where a ticker is unknown: after a few of them the others are not asked for. */
  readonly stopsAtUnknown?: boolean
  /** Columns of the user's own files, beside those that every run reads. */
  readonly columns?: readonly string[]
}

/** Where a series came from, for the Data Sources panel. */
interface Provenance {
  readonly ticker: string
  readonly provider: string
  readonly from: UtcMillis
  /** The stamp of the last row. */
  readonly last: UtcMillis
  readonly rows: number
  readonly synthetic: boolean
}

/** A ticker, or a part of its range, that could not be had. */
interface MissingSeries {
  readonly ticker: string
  readonly range: TimeRange
  readonly reason: string
  /** The display name of the provider that was asked last; undefined where none offers it. */
  readonly provider?: string
  readonly failure?: ProviderFailureKind | undefined
  /** Whether the answer holds other rows of it. */
  readonly hasRows: boolean
}

/** A ticker whose rows are synthetic because no real provider delivered it. */
interface Substitution {
  readonly ticker: string
  /** The display name of the provider that was asked last. */
  readonly provider: string
  readonly reason: string
  /** Undefined where it answered that it has nothing. */
  readonly failure: ProviderFailureKind | undefined
}

export interface SeriesAnswer {
  /** By symbol without leverage: raw prices, corporate actions as categories; economic series daily. */
  readonly series: ReadonlyMap<string, SeriesTable>
  /** The actions of bars within the day, whose rows do not hold them. */
  readonly actions: ReadonlyMap<string, CorporateActions>
  readonly provenance: readonly Provenance[]
  readonly missing: readonly MissingSeries[]
  readonly substituted: readonly Substitution[]
  /** Rows that providers sent just now and that are left out; each with its provider's display name. */
  readonly leftOut: readonly LeftOut[]
}

interface SeriesForDeps extends FetchMissingDeps {
  readonly stores: OpenStores
  readonly providersOf: ProvidersOf
  /** Forgets which providers could not be reached a moment ago. */
  readonly askAgain?: () => void
}

export type SeriesFor = (request: SeriesRequest, signal: AbortSignal) => Promise<SeriesAnswer>

/** Series for calculations: what is stored, and what is missing fetched and stored first. */
export const createSeriesFor =
  (deps: SeriesForDeps): SeriesFor =>
  async (request, signal) => {
    if (request.retries) deps.askAgain?.()
    const tickers = distinctTickers(request.tickers)
    const store = await deps.stores.defaultOf(request.userId)
    const providers = await deps.providersOf(request.userId)
    const work = { deps, request, store, providers, signal, isGone: false, refused: [] as RefusedRow[] }
    const bySeries = Map.groupBy(tickers, ({ symbol }) => storedGranularity(symbol, request.granularity))
    const parts = await Promise.all(
      [...bySeries].map(([granularity, group]) => partFor({ ...work, granularity }, group)),
    )
    const tables = parts.flatMap((part) => part.tables)
    const nameOf = (provider: string) => providers.find(({ id }) => id === provider)?.displayName ?? provider
    const intraday = tables.filter(({ type, granularity }) => type === 'security' && granularity !== '1d')
    return {
      series: new Map(tables.map((table) => [table.ticker, table])),
      actions: await actionsFor({ ...work, granularity: '1d' }, intraday),
      provenance: tables.flatMap(provenanceOf),
      missing: parts.flatMap((part) => part.missing),
      substituted: parts.flatMap((part) => part.substituted),
      leftOut: addLeftOut(
        [],
        distinctRows(work.refused).map((row) => Object.assign({}, row, { provider: nameOf(row.provider) })),
      ),
    }
  }

/** A provider that was asked twice in one request sent the same rows. */
const distinctRows = (rows: readonly RefusedRow[]): RefusedRow[] => [
  ...new Map(rows.map((one) => [`${one.provider} ${one.ticker} ${one.timestamp} ${one.row}`, one])).values(),
]

interface Work {
  readonly deps: SeriesForDeps
  readonly request: SeriesRequest
  readonly store: OpenStore
  readonly providers: readonly MarketDataProvider[]
  readonly granularity: Granularity
  readonly signal: AbortSignal
  /** Whether the tickers are not in the store, whatever was fetched before. */
  readonly isGone: boolean
  /** Filled as providers answer. */
  readonly refused: RefusedRow[]
}

interface Part {
  readonly tables: readonly SeriesTable[]
  readonly missing: readonly MissingSeries[]
  readonly substituted: readonly Substitution[]
}

function distinctTickers(tickers: readonly string[]): Ticker[] {
  const parsed = tickers.map(parseTicker).filter(({ symbol }) => symbol !== CASHX && symbol !== TBILLX)
  return [...new Map(parsed.map((ticker) => [ticker.symbol, ticker])).values()]
}

async function partFor(work: Work, tickers: readonly Ticker[]): Promise<Part> {
  const { asOf, range } = work.request
  if (asOf !== undefined) {
    const tables = await readTables(work, tickers)
    const absent = tickers.filter((ticker) => !hasRows(ticker, tables, () => true))
    const moment = new Date(asOf).toISOString().slice(0, 16).replace('T', ' ')
    const missing = absent.map(({ symbol: ticker }) => {
      const reason = `The data store "${work.store.name}" had no data for ${ticker} on ${moment} UTC.`
      return { ticker, range, reason, hasRows: false }
    })
    return { tables, missing, substituted: [] }
  }
  if (work.request.provider !== AUTO_PROVIDER) {
    const { tables, shortfalls } = await fetchAndRead(work, tickers, fetchNamed, () => true)
    return { tables, missing: missingOf(work, tickers, tables, shortfalls), substituted: [] }
  }
  const { tables, shortfalls } = await fetchAndRead(work, tickers, fetchReal, (table) => !isSynthetic(table))
  if (work.request.isRealOnly) {
    const real = tables.filter((table) => !isSynthetic(table))
    return { tables: real, missing: missingOf(work, tickers, real, shortfalls), substituted: [] }
  }
  const withoutReal = tickers.filter((ticker) => !hasRows(ticker, tables, (table) => !isSynthetic(table)))
  const madeUp = withoutReal.filter(
    (ticker) => syntheticProviderFor(work.providers, ticker) && !shortfalls.get(ticker.symbol)?.isNotAsked,
  )
  const synthetic = await fetchAndRead(work, madeUp, fetchSynthetic, isSynthetic)
  const isMadeUp = ({ ticker }: SeriesTable) => madeUp.some(({ symbol }) => symbol === ticker)
  const all = [...tables.filter((table) => !isMadeUp(table)), ...synthetic.tables]
  return {
    tables: all,
    missing: missingOf(work, tickers, all, shortfalls),
    substituted: substitutedBy(all, shortfalls),
  }
}

const substitutedBy = (tables: readonly SeriesTable[], shortfalls: Shortfalls): Substitution[] =>
  tables.filter(isSynthetic).flatMap(({ ticker }) => {
    const shortfall = shortfalls.get(ticker)
    if (!shortfall) return []
    const { provider, reason, failure } = shortfall
    return [{ ticker, provider, reason, failure }]
  })

type Fetch = (work: Work, tickers: readonly Ticker[]) => Promise<Shortfalls>

/**
 * The database knows what was fetched, for all machines; a local store has only what was fetched on its own. Rows that
 * are recorded but not in the store are fetched here too.
 */
async function fetchAndRead(
  work: Work,
  tickers: readonly Ticker[],
  fetch: Fetch,
  counts: (table: SeriesTable) => boolean,
): Promise<{ tables: SeriesTable[]; shortfalls: Shortfalls }> {
  const shortfalls = await fetch(work, tickers)
  const tables = await readTables(work, tickers)
  const gone = tickers.filter((ticker) => !shortfalls.has(ticker.symbol) && !hasRows(ticker, tables, counts))
  if (gone.length === 0 || work.isGone) return { tables, shortfalls }
  const again = await fetch({ ...work, isGone: true }, gone)
  const isGone = ({ ticker }: SeriesTable) => gone.some(({ symbol }) => symbol === ticker)
  const found = await readTables(work, gone)
  return {
    tables: [...tables.filter((table) => !isGone(table)), ...found],
    shortfalls: new Map([...shortfalls, ...again]),
  }
}

const hasRows = ({ symbol }: Ticker, tables: readonly SeriesTable[], counts: (table: SeriesTable) => boolean) =>
  tables.some((table) => table.ticker === symbol && counts(table))

/** Each ticker from its best provider; what that one does not have from the next. */
async function fetchReal(work: Work, tickers: readonly Ticker[]): Promise<Shortfalls> {
  const shortfalls: Shortfalls = new Map()
  const tried = new Set<string>()
  let open = tickers.map((ticker) => ({ ticker, candidates: realProvidersFor(work.providers, ticker) }))
  for (;;) {
    open = open.filter(({ candidates }) => candidates.length > 0)
    if (open.length === 0) return shortfalls
    const counts = (provider: string) => provider !== SAMPLE_PROVIDER_ID && !tried.has(provider)
    const rounds = [...Map.groupBy(open, ({ candidates }) => candidates[0]!)]
    const failures = await Promise.all(
      rounds.map(([provider, group]) =>
        // Another provider may know what this one does not.
        ask(
          work,
          provider,
          group.map(tickerOf),
          counts,
          group.every(({ candidates }) => candidates.length === 1),
        ),
      ),
    )
    for (const { ticker } of open) shortfalls.delete(ticker.symbol)
    for (const failed of failures) for (const [symbol, shortfall] of failed) shortfalls.set(symbol, shortfall)
    for (const [provider] of rounds) tried.add(provider.id)
    open = open
      .filter(({ ticker }) => shortfalls.has(ticker.symbol))
      .map(({ ticker, candidates }) => ({ ticker, candidates: candidates.slice(1) }))
  }
}

const tickerOf = ({ ticker }: { ticker: Ticker }): Ticker => ticker

async function fetchNamed(work: Work, tickers: readonly Ticker[]): Promise<Shortfalls> {
  const provider = findProvider(work.providers, work.request.provider)
  const served = tickers.filter((ticker) => provider.serves(ticker))
  const shortfalls = await ask(work, provider, served, (id) => id === provider.id, true)
  for (const ticker of tickers) {
    if (served.includes(ticker)) continue
    const reason = `${provider.displayName} does not offer ${ticker.symbol}.`
    shortfalls.set(ticker.symbol, {
      range: work.request.range,
      reason,
      provider: provider.displayName,
      failure: undefined,
      isNotAsked: false,
    })
  }
  return shortfalls
}

/** Made-up rows, for tickers of which there is nothing real. */
async function fetchSynthetic(work: Work, tickers: readonly Ticker[]): Promise<Shortfalls> {
  const bySource = Map.groupBy(tickers, (ticker) => syntheticProviderFor(work.providers, ticker)!)
  const shortfalls: Shortfalls = new Map()
  for (const [provider, group] of bySource) {
    const failed = await ask(work, provider, group, (id) => id === provider.id)
    for (const [symbol, shortfall] of failed) shortfalls.set(symbol, shortfall)
  }
  return shortfalls
}

function ask(
  { deps, request, store, granularity, signal, isGone, refused }: Work,
  provider: MarketDataProvider,
  tickers: readonly Ticker[],
  counts: (provider: string) => boolean,
  isLast = false,
): Promise<Shortfalls> {
  const symbols = tickers.map(({ symbol }) => symbol)
  const insists = request.retries === true || request.provider !== AUTO_PROVIDER
  const since = request.retries ? deps.now() : undefined
  const maxUnknown = request.stopsAtUnknown && isLast ? MAX_UNKNOWN : undefined
  const onRefused = (rows: readonly RefusedRow[]) =>
    refused.push(...rows.slice(0, Math.max(0, MAX_REFUSED - refused.length)))
  const wanted = {
    store,
    tickers: symbols,
    granularity,
    range: request.range,
    counts,
    insists,
    since,
    isGone,
    onRefused,
    maxUnknown,
  }
  return fetchMissing(deps, provider, wanted, signal)
}

/** Gold holds the best of all providers; who names one gets that one's own rows. */
async function readTables(work: Work, tickers: readonly Ticker[]): Promise<SeriesTable[]> {
  if (tickers.length === 0) return []
  const { store, request, granularity, providers } = work
  const query = {
    tickers: tickers.map(({ symbol }) => symbol),
    granularity,
    range: request.range,
    categories: [...USED_CATEGORIES, ...(request.columns ?? [])],
    asOf: request.asOf,
  }
  if (request.provider !== AUTO_PROVIDER) {
    return store.series.read({ ...query, layer: 'silver', providers: [request.provider] })
  }
  const tables = await store.series.read({ ...query, layer: 'gold' })
  const mayBeSynthetic = providers.some(({ synthetic }) => synthetic)
  return mayBeSynthetic ? tables : tables.filter((table) => !isSynthetic(table))
}

const isSynthetic = ({ sources }: SeriesTable): boolean =>
  sources.some(({ provider }) => provider === SAMPLE_PROVIDER_ID)

/** A weekend or a holiday has no data. */
function closedReason(symbol: string, { from, to }: TimeRange): string | undefined {
  const [first, last] = [epochDayOf(from), epochDayOf(to - 1)]
  const calendar = calendarOf(tickerKind(symbol))
  if (!calendar || calendar.sessionsBetween(first, last + 1).length > 0) return undefined
  return `The exchange was closed from ${formatDate(first)} to ${formatDate(last)}.`
}

function missingOf(
  { request, granularity }: Work,
  tickers: readonly Ticker[],
  tables: readonly SeriesTable[],
  shortfalls: Shortfalls,
): MissingSeries[] {
  return tickers.flatMap(({ symbol }) => {
    const table = tables.find(({ ticker }) => ticker === symbol)
    const shortfall = shortfalls.get(symbol)
    if (table && (isSynthetic(table) || !shortfall)) return []
    const reason =
      closedReason(symbol, request.range) ??
      shortfall?.reason ??
      `No data provider offers ${granularity} data for ${symbol}.`
    return [
      {
        ticker: symbol,
        range: shortfall?.range ?? request.range,
        reason,
        hasRows: table !== undefined,
        ...(shortfall && { provider: shortfall.provider, failure: shortfall.failure }),
      },
    ]
  })
}

/** Intraday prices are raw as well: their splits and dividends are in the daily series. */
async function actionsFor(work: Work, tables: readonly SeriesTable[]): Promise<Map<string, CorporateActions>> {
  if (tables.length === 0) return new Map()
  const { from, to } = work.request.range
  const request = { ...work.request, range: { from: dayStamp(epochDayOf(from)), to } }
  const daily = await partFor(
    { ...work, request },
    tables.map(({ ticker }) => parseTicker(ticker)),
  )
  return new Map(daily.tables.map((table) => [table.ticker, actionsOf(table)]))
}

const provenanceOf = (table: SeriesTable): Provenance[] =>
  table.sources.map(({ provider, from, last, rows }) => ({
    ticker: table.ticker,
    provider,
    from,
    last,
    rows,
    synthetic: provider === SAMPLE_PROVIDER_ID,
  }))
