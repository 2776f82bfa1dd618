import * as contract from '@tradewright/contract/ticker-lists'
import type { z } from 'zod'
import { addList, type ListDeps, removeList, replaceList, type TickerList } from '../../ticker-lists/own-lists.ts'
import { readableRows } from '../answer/readable-rows.ts'
import type { Handle } from '../server/handle.ts'
import { tickersOf } from '../input/ticker-text.ts'

export function serveTickerLists(handle: Handle, deps: ListDeps): void {
  handle(contract.listTickerLists, async ({ user, request: { log } }) => {
    const rows = await deps.lists.list(user.id)
    const told = { list: 'ticker_lists', schema: contract.TickerList, toWire, log }
    const { entries, ...leftOut } = readableRows(rows, told)
    return { lists: entries, ...leftOut }
  })
  handle(contract.createTickerList, async ({ user, body }) => ({
    success: true as const,
    list: toWire(await addList(deps, user.id, toDomain(body))),
  }))
  handle(contract.updateTickerList, async ({ user, params, body }) => ({
    success: true as const,
    list: toWire(await replaceList(deps, user.id, params.id, toDomain(body))),
  }))
  handle(contract.deleteTickerList, async ({ user, params }) => {
    await removeList(deps, user.id, params.id)
    return { success: true as const }
  })
}

type Body = z.output<typeof contract.TickerListBody>

const toDomain = ({ name, list_type: type, tickers }: Body) => ({ name, type, tickers: tickersOf(tickers) })

const toWire = ({ id, name, type, tickers, createdAt, updatedAt }: TickerList): contract.TickerList => ({
  id,
  name,
  list_type: type,
  tickers: [...tickers],
  created_at: createdAt.toISOString(),
  updated_at: updatedAt.toISOString(),
})
