import { usd } from '@tradewright/core/money'
import type { Fill } from '@tradewright/engine/trading/broker'
import type { LiveStores } from '../ports/database.ts'

export const outsideTrade = ({ side, quantity, ticker, price }: Fill): string =>
  `${String(quantity)} ${ticker} ${side === 'buy' ? 'bought' : 'sold'} at ${usd(price)} in this account outside of the deployments.`

export interface Told {
  readonly id: number
  readonly message: string
}

/** Writes an event of the account to the activity of all deployments that trade there, with the books that show it. */
export async function notifyAll(
  { deployments, journal }: LiveStores,
  accountId: number,
  messages: readonly string[],
  at: Date,
): Promise<Told[]> {
  if (messages.length === 0) return []
  const present = (await deployments.onAccount(accountId)).filter(({ status }) => ACTIVE.has(status))
  const told = present.flatMap(({ id }) => messages.map((message) => ({ id, message })))
  await journal.tell(
    told.map(({ id, message }) => ({ deploymentId: id, at, activity: { type: 'event', level: 'info', message } })),
  )
  return told
}

const ACTIVE: ReadonlySet<string> = new Set(['running', 'paused'])
