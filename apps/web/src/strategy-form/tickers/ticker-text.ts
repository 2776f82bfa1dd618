import { foreignExchangeSentence } from '@tradewright/core/exchange'
import { Problem } from '@tradewright/core/problem'
import { fallbacksOf, formatTicker, parseTicker } from '@tradewright/core/ticker'
import type { FoundTicker, TickerLookup } from '@tradewright/contract/tickers'
import { formatDate } from '../../lib/format-time.ts'
import type { ComboboxOption } from '../../ui/form/fields/choice-fields.tsx'

/** What is being typed of a text with one ticker, or with several separated by commas. */
export function typedSymbol(text: string, isSeveral: boolean): string {
  const last = isSeveral ? text.slice(text.lastIndexOf(',') + 1) : text
  return (last.split('?')[0] ?? '').trim()
}

/** The text with the symbol being typed replaced; leverage written behind it stays. */
export function withSymbol(text: string, symbol: string, isSeveral: boolean): string {
  const comma = isSeveral ? text.lastIndexOf(',') : -1
  const [before, last] = [text.slice(0, comma + 1), text.slice(comma + 1)]
  const leverage = last.includes('?') ? last.slice(last.indexOf('?')) : ''
  return `${before}${before ? ' ' : ''}${symbol}${leverage}`
}

export const toOption = ({ ticker, name, source, provider, data_since }: FoundTicker): ComboboxOption => ({
  value: ticker,
  name: name === ticker ? '' : name,
  detail: joined([sinceText(data_since), source === 'stored' ? `stored, ${provider}` : provider]),
})

interface TickerNote {
  text: string
  hasRealData: boolean
  /** A run would have no data at all. */
  isWarning: boolean
}

/** What a user should know about a ticker before the run. */
export function noteOf({ name, state, provider, data_since, sample }: TickerLookup): TickerNote {
  const lack =
    state === 'missing'
      ? provider
        ? `not found at ${provider}`
        : 'no data provider has it'
      : state === 'unreachable'
        ? `${provider} cannot be reached`
        : undefined
  if (lack === undefined) {
    return { text: joined([name, sinceText(data_since), provider]), hasRealData: true, isWarning: false }
  }
  // What the catalogue says of it is true also while its provider cannot be asked.
  const since = state === 'unreachable' ? sinceText(data_since) : ''
  const text = joined([name, since, sample ? `${lack}: sample data would be used` : lack])
  return { text, hasRealData: false, isWarning: !sample }
}

const sinceText = (since: string | null): string =>
  since === null ? '' : `data since ${since.length === 4 ? since : formatDate(since)}`

const joined = (parts: readonly (string | null)[]): string => {
  const text = parts.filter(Boolean).join(' · ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** What the parameters behind a symbol do to its history, in words; null where they do nothing to it. */
export function historyNote(text: string): string | null {
  if (refusalOf(text) !== undefined) return null
  const ticker = parseTicker(text)
  const bond = ticker.maturityYears === undefined ? '' : `A ${ticker.maturityYears}-year bond built from daily yields. `
  const before = fallbacksOf(ticker).map((one) => formatTicker({ ...one, fallback: undefined }))
  if (before.length === 0) return bond.trim() || null
  return `${bond}Before ${ticker.symbol} has prices it is ${before.join(', before that ')}: joined by returns, marked in the result.`
}

/** Symbols that a note is worth showing for: a ticker's own, and those of its fallbacks. */
export const symbolsIn = (text: string): string[] => {
  if (refusalOf(text) !== undefined) return [text]
  const ticker = parseTicker(text)
  return [ticker, ...fallbacksOf(ticker)].map(({ symbol }) => symbol)
}

/** The sentence that says why a text is no ticker, or one that cannot be used; undefined for one that can. */
export function refusalOf(text: string): string | undefined {
  try {
    const ticker = parseTicker(text)
    return [ticker, ...fallbacksOf(ticker)].map(({ symbol }) => foreignExchangeSentence(symbol)).find(Boolean)
  } catch (error) {
    if (error instanceof Problem) return error.message
    throw error
  }
}

/** Percentages that add up to 100 exactly: the last one takes what rounding leaves. */
export function equalPercentages(count: number): number[] {
  const each = Math.floor(10_000 / count) / 100
  return Array.from({ length: count }, (_, i) =>
    i === count - 1 ? Number((100 - each * (count - 1)).toFixed(2)) : each,
  )
}
