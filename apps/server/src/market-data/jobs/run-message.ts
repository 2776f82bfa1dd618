import { leftOutSentence } from '@tradewright/engine/market/layers/rows'
import type { RunCounts } from './run-counts.ts'

const SHOWN = 5

const count = (value: number): string => value.toLocaleString('en-US')

/** `nameOf`: what a provider is called. */
export function runMessage(counts: RunCounts, nameOf: (provider: string) => string): string {
  const sentences = [`Fetched ${count(counts.fetched)} records, stored ${count(counts.stored)} records.`]
  if (counts.corrected > 0) sentences.push(`${count(counts.corrected)} of them corrected earlier values.`)
  if (counts.conflicts > 0) {
    sentences.push(`Providers disagree on ${count(counts.conflicts)} ${counts.conflicts === 1 ? 'value' : 'values'}.`)
  }
  const leftOut = counts.leftOut.map((one) => leftOutSentence(one, nameOf(one.provider)))
  sentences.push(...leftOut.slice(0, SHOWN))
  if (leftOut.length > SHOWN) sentences.push(`Rows of ${count(leftOut.length - SHOWN)} more tickers are left out.`)
  return [...sentences, ...shownShortfalls(counts.shortfalls)].join(' ')
}

export function shownShortfalls(shortfalls: readonly string[]): string[] {
  const shown = [...new Set(shortfalls)]
  const rest = shown.length - SHOWN
  return rest > 0 ? [...shown.slice(0, SHOWN), `And ${rest} more could not be fetched.`] : shown
}
