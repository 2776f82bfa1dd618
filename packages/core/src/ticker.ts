import { Problem } from './problem.ts'
import { CASHX, tickerKind, type TickerKind } from './ticker-kind.ts'

/** Annual figures in percent. What is undefined takes the default of `market/synthetic-series.ts`. */
export interface Leverage {
  readonly factor: number
  readonly expensePct: number | undefined
  readonly spreadPct: number | undefined
  readonly borrowWeight: number | undefined
}

export interface Ticker {
  /** Upper case, without the leverage: what a provider is asked for. */
  readonly symbol: string
  readonly kind: TickerKind
  readonly leverage: Leverage | undefined
}

const SYMBOL = /^[A-Z0-9^][A-Z0-9.^=_:/-]*$/

/** Reads `SYMBOL` or `SYMBOL?L=n&E=&SP=&SW=`; a Problem names what is wrong with it. */
export function parseTicker(text: string): Ticker {
  const [symbolText = '', query, ...rest] = text.trim().toUpperCase().split('?')
  const symbol = symbolText.trim()
  if (rest.length > 0) throw invalid(text, 'it has more than one question mark')
  if (!SYMBOL.test(symbol)) throw invalid(text, symbol === '' ? 'it has no symbol' : 'it has characters no symbol has')
  return {
    symbol,
    kind: tickerKind(symbol),
    // Leverage on cash is a no-op, so it is not even kept.
    leverage: query === undefined || symbol === CASHX ? undefined : parseLeverage(text, query),
  }
}

function parseLeverage(text: string, query: string): Leverage | undefined {
  const values = new Map<string, number>()
  for (const part of query.split('&')) {
    const [name = '', ...words] = part.split('=')
    const value = words.join('=')
    if (!['L', 'E', 'SP', 'SW'].includes(name)) throw invalid(text, `"${name}" is not one of L, E, SP, SW`)
    if (value.trim() === '' || !Number.isFinite(Number(value))) throw invalid(text, `${name} needs a number`)
    values.set(name, Number(value))
  }
  const factor = values.get('L') ?? 1
  const leverage = { expensePct: values.get('E'), spreadPct: values.get('SP'), borrowWeight: values.get('SW') }
  const isPlain = factor === 1 && leverage.expensePct === undefined
  return isPlain ? undefined : { factor, ...leverage }
}

const invalid = (text: string, why: string) =>
  new Problem('invalid', 'ticker.invalid', `"${text}" is not a ticker: ${why}.`)

/** The same ticker written in one way only, so that it may serve as a key. */
export function formatTicker({ symbol, leverage }: Ticker): string {
  if (!leverage) return symbol
  const parts = [
    ['L', leverage.factor],
    ['E', leverage.expensePct],
    ['SP', leverage.spreadPct],
    ['SW', leverage.borrowWeight],
  ].filter(([, value]) => value !== undefined)
  return `${symbol}?${parts.map(([name, value]) => `${name}=${value}`).join('&')}`
}
