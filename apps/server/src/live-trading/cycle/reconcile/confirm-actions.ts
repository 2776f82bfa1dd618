import { DAY, epochDayOf } from '@tradewright/core/time'
import { type ListedAction, listedInWords } from '@tradewright/engine/market/provider'
import { confirmationOf, keptSharesBehind, tickersMoved } from '@tradewright/engine/trading/ledger/confirm-action'
import type { Entry } from '@tradewright/engine/trading/ledger/entry'
import { standing } from '@tradewright/engine/trading/ledger/reversals'
import type { Note } from '@tradewright/core/note'
import { recordNote } from '../record-note.ts'
import type { BrokerageAccountRef, CycleDeps } from '../types.ts'

type ConfirmDeps = Pick<CycleDeps, 'database' | 'deploymentLog' | 'clock' | 'notify' | 'log' | 'actor' | 'alert'> & {
  readonly signalService: Pick<CycleDeps['signalService'], 'listedActions'>
}

/** Market data may list an action days after the broker, or before it. */
const LOOKED_UP_DAYS = 10
/** Actions of one account that are looked up in these days; further ones wait until some are confirmed. */
const MAX_LOOKED_UP = 20

/**
 * Compares mergers, changes of symbol, spin-offs and the like, booked from the broker's activities, with what the market data
 * list, and tells the deployments that held the shares what it found: once each, and once that it is not listed yet. Data that
 * cannot be asked say nothing.
 */
export async function confirmActions(deps: ConfirmDeps, { accountId, userId }: BrokerageAccountRef): Promise<void> {
  const { books } = deps.database
  const waiting = await unconfirmed(deps, accountId)
  if (waiting.length === 0) return
  const listed = await lookUp(deps, userId, waiting)
  if (!listed) return
  for (const entry of waiting) {
    const held = await heldBefore(deps, entry, listed)
    const confirmation = confirmationOf(entry, listed, (action) => held.get(action) ?? [])
    const key = confirmation ? confirmedKey(entry) : `unlisted:${entry.key}`
    const isNew = await books.see(accountId, [{ key, at: deps.clock.now() }])
    const deployment = isNew.size > 0 ? await deps.database.deployments.byId(entry.deploymentId!) : undefined
    if (deployment) await recordNote(deps, deployment, noteOf(entry, confirmation))
  }
}

/** What the deployment had of shares that stay with it, from the evening before the day of the action on. */
async function heldBefore({ database }: ConfirmDeps, entry: Entry, listed: readonly ListedAction[]) {
  const held = new Map<ListedAction, readonly number[]>()
  for (const action of keptSharesBehind(entry, listed)) {
    const since = new Date(action.day * DAY)
    held.set(action, await database.books.held(entry.deploymentId!, action.ticker, since, new Date(entry.at)))
  }
  return held
}

const confirmedKey = ({ key }: Entry): string => `confirmed:${key}`

async function unconfirmed({ database, clock }: ConfirmDeps, accountId: number): Promise<Entry[]> {
  const { books } = database
  const since = clock.now().getTime() - LOOKED_UP_DAYS * DAY
  const booked = (await books.entries(accountId, 'action:')).filter(
    ({ type, at, deploymentId }) => type === 'CORPORATE_ACTION' && at >= since && deploymentId !== undefined,
  )
  if (booked.length === 0) return []
  const recent = standing(booked, await books.entries(accountId, 'reversal:action:')).filter(
    (entry) => tickersMoved(entry).length > 0,
  )
  const seen = await books.seen(accountId, recent.map(confirmedKey))
  return recent.filter((entry) => !seen.has(confirmedKey(entry))).slice(0, MAX_LOOKED_UP)
}

async function lookUp({ signalService, log }: ConfirmDeps, userId: number, entries: readonly Entry[]) {
  const tickers = [...new Set(entries.flatMap(tickersMoved))]
  const days = entries.map(({ at }) => epochDayOf(at))
  const [from, last] = [Math.min(...days) - LOOKED_UP_DAYS, Math.max(...days) + LOOKED_UP_DAYS]
  try {
    return await signalService.listedActions(userId, tickers, from, last)
  } catch (error) {
    log.warn({ err: error, tickers }, 'corporate actions could not be compared with the market data')
    return undefined
  }
}

function noteOf(entry: Entry, confirmation: ReturnType<typeof confirmationOf>): Note {
  const booked = entry.note ?? `Corporate action of ${tickersMoved(entry).join(', ')}.`
  if (!confirmation) {
    const again = `It is booked as the broker lists it, and looked up again for ${LOOKED_UP_DAYS} days.`
    return { code: 'action-unlisted', level: 'info', sentence: `${booked} Market data does not list it yet. ${again}` }
  }
  const { verdict, listed } = confirmation
  if (verdict === 'confirmed') {
    const sentence = `${booked} Confirmed by market data: ${listedInWords(listed)}.`
    return { code: 'action-confirmed', level: 'info', sentence }
  }
  return {
    code: 'action-contradicted',
    level: 'error',
    sentence:
      `${booked} But market data says that ${listedInWords(listed)}. The broker's figures are booked; compare them with ` +
      "the broker's own statement.",
  }
}
