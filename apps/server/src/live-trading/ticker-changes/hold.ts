import { Problem } from '@tradewright/core/problem'
import type { TickerChange } from '../ports/ticker-changes.ts'

export const TICKER_CHANGE = 'deployment.ticker-change'

/** Why a deployment decides nothing until its user has chosen. */
export const undecided = (changes: readonly TickerChange[]): Problem =>
  new Problem('conflict', TICKER_CHANGE, changes.map(sentenceOf).join(' '))

export const sentenceOf = ({ from, to, sentence }: TickerChange): string =>
  `${withStop(sentence)} The strategy trades ${from}: choose whether to trade ${to} in its place or to sell ${to}. ` +
  'What it holds is kept, and nothing is traded until then.'

const withStop = (sentence: string): string => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`)
