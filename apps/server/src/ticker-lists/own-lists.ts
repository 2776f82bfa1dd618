import type { Clock } from '@tradewright/core/clock'
import { refuseForeignExchanges } from '@tradewright/core/exchange'
import { Problem } from '@tradewright/core/problem'
import { formatTicker, parseTicker } from '@tradewright/core/ticker'
import { mapBounded } from '../in-turns.ts'

export type ListType = 'target' | 'feature'

interface TickerListContent {
  readonly name: string
  readonly type: ListType
  readonly tickers: readonly string[]
}

export interface TickerList extends TickerListContent {
  readonly id: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface ListReader {
  readonly lists: TickerListStore
}

export interface ListDeps extends ListReader {
  readonly clock: Clock
}

const NO_TICKERS = {
  target: 'Add at least one target ticker before saving a list.',
  feature: 'Add at least one related asset before saving a list.',
} as const satisfies Record<ListType, string>
const MAX_TICKERS = 500
const READ_AT_ONCE = 4

export async function addList(
  { lists, clock }: ListDeps,
  userId: number,
  list: TickerListContent,
): Promise<TickerList> {
  const added = await lists.add(userId, checkedList(list), clock.now())
  if (added === 'taken') throw taken(list)
  return added
}

export async function replaceList(
  { lists, clock }: ListDeps,
  userId: number,
  id: number,
  list: TickerListContent,
): Promise<TickerList> {
  const replaced = await lists.replace(userId, id, checkedList(list), clock.now())
  if (replaced === 'missing') throw missing()
  if (replaced === 'taken') throw taken(list)
  return replaced
}

export async function removeList({ lists }: ListReader, userId: number, id: number): Promise<void> {
  if (!(await lists.remove(userId, id))) throw missing()
}

/** The tickers of some lists, each once. A list of the other kind, or another user's, is missing. */
export async function tickersOfLists(
  { lists }: ListReader,
  userId: number,
  ids: readonly number[],
  type: ListType,
): Promise<string[]> {
  const found = await mapBounded(ids, READ_AT_ONCE, (id) => lists.find(userId, id))
  const tickers = found.flatMap((list) => {
    if (list?.type !== type) throw missing()
    return list.tickers
  })
  return [...new Set(tickers)]
}

/** Tickers are checked here, so that a list never holds what no run would take. */
export function checkedList(list: TickerListContent): TickerListContent {
  const tickers = [...new Set(list.tickers.map((ticker) => formatTicker(parseTicker(ticker))))]
  if (tickers.length === 0) throw new Problem('invalid', 'ticker-list.empty', NO_TICKERS[list.type])
  if (tickers.length > MAX_TICKERS) {
    const sentence = `A list holds at most ${MAX_TICKERS} tickers, this one has ${tickers.length}.`
    throw new Problem('invalid', 'ticker-list.too-long', sentence)
  }
  refuseForeignExchanges(tickers)
  return { ...list, tickers }
}

const missing = () => new Problem('missing', 'ticker-list.missing', 'There is no such ticker list.')

const taken = ({ name, type }: TickerListContent) =>
  new Problem('conflict', 'ticker-list.taken', `A ${type} list named "${name}" already exists.`)

/** The ticker lists of one user at a time: another's do not exist. */
export interface TickerListStore {
  /** By name. */
  list(userId: number): Promise<TickerList[]>
  find(userId: number, id: number): Promise<TickerList | undefined>
  /** `taken`: a list of that kind has the name. */
  add(userId: number, list: TickerListContent, at: Date): Promise<TickerList | 'taken'>
  replace(userId: number, id: number, list: TickerListContent, at: Date): Promise<TickerList | 'missing' | 'taken'>
  /** Answers whether it was there. */
  remove(userId: number, id: number): Promise<boolean>
}
