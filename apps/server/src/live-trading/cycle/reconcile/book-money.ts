import type { Decimal } from '@tradewright/core/decimal'
import { usd } from '@tradewright/core/money'
import { type CashActivity, isCorporateAction } from '@tradewright/engine/trading/account-activity'
import { cashActivityEntries } from '@tradewright/engine/trading/ledger/broker-entries'
import type { Entry } from '@tradewright/engine/trading/ledger/entry'
import { inPlaceOf, reversalOf, standing } from '@tradewright/engine/trading/ledger/reversals'
import type { LiveStores } from '../../ports/database.ts'
import type { AccountNews } from './book-actions.ts'
import { recentTrades } from './book-movements.ts'
import type { BrokerSnapshot } from './broker-snapshot.ts'
import { entitledTo, settleDue } from './dividends.ts'
import { unchargedTrades } from './sale-fees.ts'

interface Circumstances {
  readonly prices: ReadonlyMap<string, Decimal>
  readonly at: Date
}

/** Books dividends, interest, fees, deposits and withdrawals, each once. Answers corrections of earlier ones, as sentences. */
export async function bookMoney(
  stores: LiveStores,
  accountId: number,
  snapshot: BrokerSnapshot,
  circumstances: Circumstances,
): Promise<AccountNews[]> {
  const ofMoney = snapshot.activities.filter((activity) => !activity.quantity && !isCorporateAction(activity))
  const changed = ofMoney.filter(({ state }) => state !== undefined)
  const replaced = new Map(changed.map((activity) => [idBefore(activity, ofMoney), activity]))
  const plain = ofMoney.filter(({ id, state }) => state === undefined && !replaced.has(id))
  await bookOnce(stores, accountId, snapshot, plain, circumstances)
  const news: AccountNews[] = []
  for (const [id, activity] of replaced) {
    news.push(...(await bookChange(stores, accountId, snapshot, { before: id, activity }, circumstances)))
  }
  return news
}

/**
 * The id under which a changed activity was booked: its own where the broker changed it in place; else the one it
 * names, or the only one that is like it.
 */
function idBefore({ id, state, replaces, type, ticker, day }: CashActivity, listed: readonly CashActivity[]): string {
  if (replaces !== undefined || state === 'canceled') return replaces ?? id
  const alike = listed.filter(
    (other) =>
      other.state === undefined &&
      other.id !== id &&
      other.type === type &&
      other.ticker === ticker &&
      other.day === day,
  )
  return alike.length === 1 ? alike[0]!.id : id
}

async function bookOnce(
  stores: LiveStores,
  accountId: number,
  snapshot: BrokerSnapshot,
  activities: readonly CashActivity[],
  { prices }: Pick<Circumstances, 'prices'>,
): Promise<void> {
  const { books } = stores
  const fresh = await books.see(
    accountId,
    activities.map(({ id, at }) => ({ key: `activity:${id}`, at: new Date(at) })),
  )
  const once = new Map(activities.filter(({ id }) => fresh.has(`activity:${id}`)).map((one) => [one.id, one]))
  if (once.size === 0) return
  const trades = await recentTrades(stores, accountId, snapshot)
  for (const activity of once.values()) {
    const charged = await unchargedTrades(stores, accountId, activity, trades)
    if (charged === 'paid') continue
    const holders = await entitledTo(stores, accountId, activity)
    await books.post(accountId, cashActivityEntries(holders, activity, charged), prices)
    await settleDue(stores, accountId, activity)
  }
}

/** Takes back what was booked for the activity before, and books what takes its place with the same parties. */
async function bookChange(
  stores: LiveStores,
  accountId: number,
  snapshot: BrokerSnapshot,
  { before, activity }: { readonly before: string; readonly activity: CashActivity },
  { prices, at }: Circumstances,
): Promise<AccountNews[]> {
  const { books } = stores
  const key = `activity:${activity.id}:${activity.state!}:${String(activity.netAmount)}`
  const [original, version] = [`activity:${before}`, { key, at }]
  const wasSeen = (await books.seen(accountId, [original])).has(original)
  if (!(await books.see(accountId, [version])).has(key)) return []
  const found = await books.entries(accountId, original)
  const own = found.filter((entry) => entry.key === original || entry.key.startsWith(`${original}:`))
  const earlier = standing(own, await books.entries(accountId, `reversal:${original}`))
  if (earlier.length > 0) {
    const reversals = earlier.map((entry) => reversalOf(entry, at.getTime()))
    const instead = activity.state === 'canceled' ? [] : inPlaceOf(earlier, activity, key)
    await books.post(accountId, [...reversals, ...instead], prices)
    return earlier.flatMap((entry, i) => changeOf(entry, instead[i]))
  }
  // Nothing was booked for it: before the books were opened it is in their first figures, later it is as any other.
  if (activity.state === 'corrected' && !wasSeen) await bookOnce(stores, accountId, snapshot, [activity], { prices })
  await books.see(accountId, [{ key: original, at }])
  return []
}

const changeOf = ({ deploymentId, note, amount }: Entry, instead: Entry | undefined): AccountNews[] =>
  deploymentId === undefined
    ? []
    : [
        {
          deploymentId,
          message: instead
            ? `The broker corrected ${note ?? 'an entry'}: ${usd(instead.amount)} instead of ${usd(amount)}.`
            : `The broker took back ${note ?? 'an entry'}: ${usd(amount)}.`,
        },
      ]
