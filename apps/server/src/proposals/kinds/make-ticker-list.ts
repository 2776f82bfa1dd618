import { plainLine } from '@tradewright/core/plain-line'
import { z } from 'zod'
import { addList, checkedList, type ListDeps } from '../../ticker-lists/own-lists.ts'
import { defineProposal, proposedName, quoted } from '../proposal.ts'

/** A line of the inbox; all tickers are named, since all of them are made. */
const TICKERS_A_LINE = 50
const MAX_TICKER_LENGTH = 60
const KIND_WORDS = { target: 'Targets of the Optimizer', feature: 'Related assets of the Optimizer' } as const

export const makeTickerListProposal = (deps: ListDeps) =>
  defineProposal({
    kind: 'make_ticker_list',
    description: 'Make a ticker list for the Optimizer: of targets, or of related assets (feature).',
    content: z.object({
      name: proposedName(100),
      list_type: z.enum(['target', 'feature']),
      tickers: z.array(z.string().trim().min(1).max(MAX_TICKER_LENGTH)).min(1).max(500),
    }),
    async describe(_userId, { name, list_type: type, tickers }) {
      const { tickers: written } = checkedList({ name, type, tickers })
      return {
        title: `Make the ticker list ${quoted(name)} of ${written.length} ${written.length === 1 ? 'ticker' : 'tickers'}`,
        subject: 'Optimizer',
        changes: [
          { label: 'List', before: null, after: plainLine(name, 100) },
          { label: 'For', before: null, after: KIND_WORDS[type] },
          ...linesOf(written),
        ],
        notices: [],
        isRealMoney: false,
      }
    },
    async accept({ userId }, { name, list_type: type, tickers }) {
      await addList(deps, userId, { name, type, tickers })
      return { outcome: `The ticker list ${quoted(name)} is made.`, link: '/optimizer' }
    },
  })

function linesOf(tickers: readonly string[]) {
  const lines: { label: string; before: null; after: string }[] = []
  for (let from = 0; from < tickers.length; from += TICKERS_A_LINE) {
    const part = tickers.slice(from, from + TICKERS_A_LINE)
    const label = tickers.length <= TICKERS_A_LINE ? 'Tickers' : `Tickers ${from + 1} to ${from + part.length}`
    lines.push({ label, before: null, after: plainLine(part.join(', '), TICKERS_A_LINE * (MAX_TICKER_LENGTH + 2)) })
  }
  return lines
}
