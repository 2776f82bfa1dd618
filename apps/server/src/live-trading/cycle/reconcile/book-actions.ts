import { Decimal } from '@tradewright/core/decimal'
import { type EpochDay, epochDayOf } from '@tradewright/core/time'
import { type CashActivity, isCorporateAction } from '@tradewright/engine/trading/account-activity'
import { type Books, post, sliceOf } from '@tradewright/engine/trading/ledger/books'
import { compareWithBroker, type PositionDifference } from '@tradewright/engine/trading/ledger/compare'
import {
  actionEntries,
  actionKey,
  type CorporateAction,
  corporateActions,
  partKey,
} from '@tradewright/engine/trading/ledger/corporate-actions'
import { type Entry, type Party, USD } from '@tradewright/engine/trading/ledger/entry'
import { type Holder, holdersOf } from '@tradewright/engine/trading/ledger/holders'
import { reversalOf, standing } from '@tradewright/engine/trading/ledger/reversals'
import type { LiveStores } from '../../ports/database.ts'
import { type ListedExchange, recordTickerChanges } from '../../ticker-changes/record.ts'
import { type BrokerSnapshot, sliceAtBroker } from './broker-snapshot.ts'

/** An event of the account; without a deployment it concerns all of them. */
export interface AccountNews {
  readonly deploymentId?: number | undefined
  readonly message: string
  /** `info` where it is left out. */
  readonly level?: 'info' | 'warning'
  /** What a split made of the deployment's shares; undefined for other actions. */
  readonly split?: BookedSplit | undefined
  /** Another corporate action was booked. */
  readonly isAction?: boolean
}

/** Shares before a split and after it. */
export interface BookedSplit extends PositionDifference {
  readonly deploymentId: number
  readonly day: EpochDay
}

interface Circumstances {
  readonly prices: ReadonlyMap<string, Decimal>
  readonly at: Date
}

/**
 * Books corporate actions and events of options that the broker lists, once its positions show them. One that was
 * corrected takes the place of what was booked for it. Answers what happened, as sentences.
 */
export async function bookActions(
  stores: LiveStores,
  accountId: number,
  snapshot: BrokerSnapshot,
  circumstances: Circumstances,
): Promise<AccountNews[]> {
  const waiting = await unbooked(stores, accountId, snapshot)
  const news: AccountNews[] = []
  const book = async (actions: readonly CorporateAction[]) => {
    const told = await bookConfirmed(stores, accountId, snapshot, actions, circumstances)
    if (told === undefined) return false
    news.push(...told)
    return true
  }
  const left: CorporateAction[] = []
  for (const action of waiting) if (!(await book([action]))) left.push(action)
  // One may need another: a split of shares that got a new symbol on the same day.
  if (left.length > 1) await book(left)
  return news
}

const versionKey = (action: CorporateAction): string => `${actionKey(action)}${action.version}`
const seenPart = (part: CashActivity): string => `part:${partKey(part)}`

async function unbooked(
  { books }: LiveStores,
  accountId: number,
  { activities }: BrokerSnapshot,
): Promise<CorporateAction[]> {
  const actions = corporateActions(activities.filter(isCorporateAction))
  const seen = await books.seen(
    accountId,
    actions.flatMap((action) => [versionKey(action), ...action.ids.map((id) => `activity:${id}`)]),
  )
  // What was listed when the books were opened is in their first figures.
  return actions.filter(
    (action) => !seen.has(versionKey(action)) && !action.ids.some((id) => seen.has(`activity:${id}`)),
  )
}

/** Undefined where the broker's positions do not show it, or not yet. */
async function bookConfirmed(
  stores: LiveStores,
  accountId: number,
  snapshot: BrokerSnapshot,
  actions: readonly CorporateAction[],
  { prices, at }: Circumstances,
): Promise<AccountNews[] | undefined> {
  const { books } = stores
  const broker = sliceAtBroker(snapshot)
  const before = await books.books(accountId)
  const earlier = await books.entries(accountId, 'action:')
  const reversals = await books.entries(accountId, 'reversal:action:')
  const entries: Entry[] = []
  const exchanges = new Map<string, ListedExchange>()
  const news: AccountNews[] = []
  let after = before
  for (const action of actions) {
    const own = earlier.filter(({ key }) => key.startsWith(actionKey(action)))
    const undone = action.isChanged ? standing(own, reversals).map((entry) => reversalOf(entry, at.getTime())) : []
    after = undone.reduce(post, after)
    const { positions } = compareWithBroker(after, broker)
    const fresh = action.isChanged ? action : await unbookedParts(books, accountId, action)
    const booked = actionEntries(after, fresh, {
      prices,
      differences: new Map(positions.map((one) => [one.ticker, one.broker.minus(one.books)])),
      former: (ticker) => lastOwners(earlier, ticker),
      bookedBefore: own.length,
    })
    if (booked === undefined) return undefined
    news.push(...newsOf(after, action, [...undone, ...booked]))
    after = booked.reduce(post, after)
    entries.push(...undone, ...booked)
    const isRename = fresh.parts.every(({ type }) => RENAMES.has(type))
    for (const { key } of booked) exchanges.set(key, { day: fresh.parts[0]!.day, isRename })
  }
  const moved = new Set(entries.flatMap(({ legs }) => legs.map(({ asset }) => asset)).filter((asset) => asset !== USD))
  const isShown = !compareWithBroker(after, broker).positions.some(({ ticker }) => moved.has(ticker))
  if (!isShown) return undefined
  await books.post(accountId, entries, prices)
  await books.see(
    accountId,
    actions.flatMap((action) => [versionKey(action), ...action.parts.map(seenPart)]).map((key) => ({ key, at })),
  )
  await recordTickerChanges(stores, accountId, entries, { prices, at, exchanges })
  return news
}

/** Activities by which a security goes on under another symbol. */
const RENAMES: ReadonlySet<string> = new Set(['NC', 'SC'])

/** Some of an action may be listed later than the rest, as the money for fractions. */
async function unbookedParts(
  books: LiveStores['books'],
  accountId: number,
  action: CorporateAction,
): Promise<CorporateAction> {
  const seen = await books.seen(accountId, action.parts.map(seenPart))
  return { ...action, parts: action.parts.filter((part) => !seen.has(seenPart(part))) }
}

/** The holders whose shares of a ticker the last action took: cash for a fraction may come days after it. */
function lastOwners(entries: readonly Entry[], ticker: string): Holder[] {
  const owners = new Map<Party, Decimal>()
  for (const { legs } of entries) {
    for (const { party, asset, amount } of legs) {
      if (asset !== ticker || party === 'market' || !amount.isNegative) continue
      owners.set(party, (owners.get(party) ?? Decimal.zero).plus(amount.negated()))
    }
  }
  return [...owners].map(([party, quantity]) => ({ party, quantity }))
}

function newsOf(books: Books, { parts }: CorporateAction, entries: readonly Entry[]): AccountNews[] {
  const [first] = parts
  if (entries.length === 0) return first?.type === 'NC' ? renamed(books, first.ticker) : []
  const own = entries.filter(({ deploymentId }) => deploymentId !== undefined)
  return (own.length > 0 ? own : entries).map((entry) => ({
    deploymentId: entry.deploymentId,
    message: entry.note ?? '',
    split: splitOf(books, entry),
    isAction: entry.type === 'CORPORATE_ACTION',
  }))
}

function splitOf(books: Books, { type, deploymentId, at, legs }: Entry): BookedSplit | undefined {
  const leg = legs.find(({ party, asset }) => party !== 'market' && asset !== USD)
  if (type !== 'SPLIT' || deploymentId === undefined || !leg) return undefined
  const before = sliceOf(books, leg.party).positions.get(leg.asset) ?? Decimal.zero
  const after = before.plus(leg.amount)
  return { ticker: leg.asset, books: before, broker: after, deploymentId, day: epochDayOf(at) }
}

/** Another name or number of the security, under the symbol it had. */
const renamed = (books: Books, ticker: string | undefined): AccountNews[] =>
  ticker !== undefined && holdersOf(books, ticker).length > 0
    ? [{ message: `Name change of ${ticker}: its position stays as it is.` }]
    : []
