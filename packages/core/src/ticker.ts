import { Problem } from './problem.ts'
import { CASHX, isObservation, TBILLX, tickerKind, type TickerKind } from './ticker-kind.ts'

/** Annual figures in percent. What is undefined takes the default of `market/synthetic-series.ts`. */
export interface Leverage {
  readonly factor: number
  readonly expensePct: number | undefined
  readonly spreadPct: number | undefined
  readonly borrowWeight: number | undefined
}

export interface Ticker {
  /** Upper case, without the parameters: what a provider is asked for. */
  readonly symbol: string
  /** The kind of the symbol. A yield with a maturity is held as another kind, which `heldKind` tells. */
  readonly kind: TickerKind
  readonly leverage: Leverage | undefined
  /** Years to maturity of the bond whose yield the symbol is; undefined where the symbol is held itself. */
  readonly maturityYears?: number | undefined
  /** Stands in for the time before the symbol has prices; itself a ticker with parameters. */
  readonly fallback?: Ticker | undefined
}

const SYMBOL = /^[A-Z0-9^][A-Z0-9.^=_:/-]*$/
const PARAMETERS = ['L', 'E', 'SP', 'SW', 'M']
/** A fallback of a fallback of a fallback is as far as a history is pieced together. */
const MAX_FALLBACKS = 3
export const MAX_ALLOCATION_ROWS = 500
const MATURITY_YEARS = { min: 0.25, max: 40 }

/**
 * Reads `SYMBOL` or `SYMBOL?L=n&E=&SP=&SW=&M=&FB=`; a Problem names what is wrong with it. FB comes last: all that
 * follows it is the fallback, with parameters of its own, as in `UPRO?FB=SPY?L=3&E=0.9`.
 */
export const parseTicker = (text: string): Ticker => parseWithin(text, text.trim().toUpperCase(), MAX_FALLBACKS)

function parseWithin(text: string, written: string, fallbacksLeft: number): Ticker {
  const mark = written.indexOf('?')
  const symbol = (mark < 0 ? written : written.slice(0, mark)).trim()
  if (symbol.includes('&')) throw invalid(text, 'FB comes last: write other parameters before it')
  if (!SYMBOL.test(symbol)) throw invalid(text, symbol === '' ? 'it has no symbol' : 'it has characters no symbol has')
  const kind = tickerKind(symbol)
  // Parameters of cash are a no-op, so they are not even kept.
  if (mark < 0 || symbol === CASHX) return { symbol, kind, leverage: undefined }
  const query = written.slice(mark + 1)
  const place = /(?:^|&)FB=/.exec(query)
  const own = place ? query.slice(0, place.index) : query
  if (own.includes('?')) throw invalid(text, 'it has more than one question mark')
  const values = place?.index === 0 ? new Map<string, number>() : parseNumbers(text, own)
  const maturityYears = values.get('M')
  if (maturityYears !== undefined) checkMaturity(text, symbol, kind, maturityYears)
  const ticker: Ticker = {
    symbol,
    kind,
    leverage: leverageOf(values),
    ...(maturityYears !== undefined && { maturityYears }),
  }
  if (!place) return ticker
  if (fallbacksLeft === 0) throw invalid(text, `at most ${MAX_FALLBACKS} fallbacks may follow one another`)
  const fallback = parseWithin(text, query.slice(place.index + place[0].length), fallbacksLeft - 1)
  checkFallback(text, ticker, fallback)
  return { ...ticker, fallback }
}

function parseNumbers(text: string, query: string): Map<string, number> {
  const values = new Map<string, number>()
  for (const part of query.split('&')) {
    const [name = '', ...words] = part.split('=')
    const value = words.join('=')
    if (!PARAMETERS.includes(name)) throw invalid(text, `"${name}" is not one of ${PARAMETERS.join(', ')}, FB`)
    if (value.trim() === '' || !Number.isFinite(Number(value))) throw invalid(text, `${name} needs a number`)
    values.set(name, Number(value))
  }
  return values
}

function leverageOf(values: ReadonlyMap<string, number>): Leverage | undefined {
  const factor = values.get('L') ?? 1
  const leverage = { expensePct: values.get('E'), spreadPct: values.get('SP'), borrowWeight: values.get('SW') }
  const isPlain = factor === 1 && leverage.expensePct === undefined
  return isPlain ? undefined : { factor, ...leverage }
}

function checkMaturity(text: string, symbol: string, kind: TickerKind, years: number): void {
  if (kind !== 'economic') {
    throw invalid(text, `M turns a yield into a bond, and ${symbol} is not a yield; DGS10?M=10 works`)
  }
  const { min, max } = MATURITY_YEARS
  if (!(years >= min && years <= max)) throw invalid(text, `M must be from ${min} to ${max} years`)
}

function checkFallback(text: string, ticker: Ticker, fallback: Ticker): void {
  if (ticker.symbol === TBILLX) throw invalid(text, `${TBILLX} is computed from its rate and needs no fallback`)
  for (const one of [ticker, fallback]) {
    if (!isObservation(heldKind(one))) continue
    const why = `${one.symbol} is a series of observations and has no price`
    throw invalid(text, one.kind === 'economic' ? `${why}; a yield becomes a bond by its maturity, as DGS10?M=10` : why)
  }
  if (fallback.symbol === CASHX) throw invalid(text, `${CASHX} stands in for nothing; ${TBILLX} earns the bill rate`)
  if ([fallback, ...fallbacksOf(fallback)].some(({ symbol }) => symbol === ticker.symbol)) {
    throw invalid(text, `${ticker.symbol} cannot stand in for itself`)
  }
}

/** A yield with a maturity is held as an index of its bonds. */
export const heldKind = ({ kind, maturityYears }: Pick<Ticker, 'kind' | 'maturityYears'>): TickerKind =>
  maturityYears === undefined ? kind : 'index'

/** The fallback, its own fallback and so on, in the order in which they are asked. */
export const fallbacksOf = ({ fallback }: Ticker): Ticker[] => (fallback ? [fallback, ...fallbacksOf(fallback)] : [])

const invalid = (text: string, why: string) =>
  new Problem('invalid', 'ticker.invalid', `"${text}" is not a ticker: ${why}.`)

/** The same ticker written in one way only, so that it may serve as a key. */
export function formatTicker({ symbol, leverage, maturityYears, fallback }: Ticker): string {
  const parts = [
    ['L', leverage?.factor],
    ['E', leverage?.expensePct],
    ['SP', leverage?.spreadPct],
    ['SW', leverage?.borrowWeight],
    ['M', maturityYears],
    ['FB', fallback && formatTicker(fallback)],
  ].filter(([, value]) => value !== undefined)
  return parts.length === 0 ? symbol : `${symbol}?${parts.map(([name, value]) => `${name}=${value}`).join('&')}`
}

/** For labels with little room: without the fallback, where the rest still tells the tickers apart. */
export function labelsOf(tickers: readonly string[]): string[] {
  const short = tickers.map((ticker) => ticker.replace(/[?&]FB=.*$/, ''))
  return tickers.map((ticker, i) => (short.filter((one) => one === short[i]).length === 1 ? short[i]! : ticker))
}
