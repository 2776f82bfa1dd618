import { Problem } from '@tradewright/core/problem'
import { type EpochDay } from '@tradewright/core/time'
import { Decimal } from '@tradewright/core/decimal'
import type { AccountActivity } from '@tradewright/engine/trading/account-activity'
import { type AccountLotEvents, accountLotEvents } from '@tradewright/engine/trading/lots/lot-events'
import type { LotMethod } from '@tradewright/engine/trading/lots/lot'
import { type LotRules, taxLots, type TaxLots } from '@tradewright/engine/trading/lots/tax-lots'
import type { LotChoice } from '@tradewright/engine/trading/lots/ticker-lots'
import type { BrokerageAccount } from '../brokerage/account.ts'
import { newYorkDay } from './account-figures.ts'
import { chosenAccount, type PortfolioDeps, snapshotFor } from './own-portfolio.ts'
import type { TakenSnapshot } from './ports.ts'

/** Lots need all activities at once, and are computed while the answer waits. */
const MAX_ACTIVITIES = 100_000

/** What the lots of an account are computed from. */
export interface LotRecords extends AccountLotEvents {
  readonly account: BrokerageAccount
  readonly taken: TakenSnapshot
  readonly activities: readonly AccountActivity[]
  readonly rules: LotRules
  /** False until every activity of the broker has been collected. */
  readonly isComplete: boolean
  readonly startsOn: EpochDay | undefined
}

export interface AccountLots extends LotRecords, TaxLots {
  readonly today: EpochDay
}

export async function lotRecordsOf(deps: PortfolioDeps, userId: number, accountId: number): Promise<LotRecords> {
  const { store } = deps
  const account = await chosenAccount(deps, userId, accountId)
  const { taken } = await snapshotFor(deps, account, false)
  const [activities, rules, trades, cash] = await Promise.all([
    store.everyActivity(account.id, MAX_ACTIVITIES + 1),
    store.lotRules(account.id),
    store.progress(account.id, 'trades'),
    store.progress(account.id, 'cash'),
  ])
  if (activities.length > MAX_ACTIVITIES) {
    throw new Problem('invalid', 'lots.too-many', 'The account has too many activities for tax lots.')
  }
  const positions = taken.snapshot.positions.map(({ ticker, quantity, averageEntryPrice }) => ({
    ticker,
    quantity: Decimal.parse(quantity),
    averageEntryPrice: Decimal.parse(averageEntryPrice),
  }))
  const events = accountLotEvents(activities, positions, newYorkDay(taken.takenAt))
  const isComplete = trades.isComplete && cash.isComplete
  return { ...events, account, taken, activities, rules, isComplete, startsOn: events.events[0]?.day }
}

/** None before all activities are known: half a history would give wrong lots. */
export async function lotsOf(deps: PortfolioDeps, userId: number, accountId: number): Promise<AccountLots> {
  const records = await lotRecordsOf(deps, userId, accountId)
  const lots = records.isComplete ? taxLots(records.events, records.rules) : { lots: [], disposals: [] }
  return { ...records, ...lots, today: newYorkDay(deps.clock.now()) }
}

export async function setLotMethod(
  deps: PortfolioDeps,
  userId: number,
  accountId: number,
  method: LotMethod,
): Promise<void> {
  const account = await chosenAccount(deps, userId, accountId)
  await deps.store.setLotMethod(account.id, method)
}

/** Lots of one purchase are offered together. */
interface OfferedLots {
  readonly purchaseId: string
  readonly openedOn: EpochDay
  readonly quantity: Decimal
  readonly basis: Decimal
  readonly chosen: Decimal
}

interface SaleLots {
  readonly ticker: string
  readonly quantity: Decimal
  readonly lots: readonly OfferedLots[]
}

export async function saleLotsOf(
  deps: PortfolioDeps,
  userId: number,
  accountId: number,
  saleId: string,
): Promise<SaleLots> {
  const { events, rules } = await lotRecordsOf(deps, userId, accountId)
  const sale = events.find((event) => event.kind === 'trade' && event.side === 'sell' && event.id === saleId)
  if (sale?.kind !== 'trade') throw new Problem('missing', 'lots.no-sale', 'There is no such sale.')
  const { lots } = taxLots(events, { ...rules, before: saleId })
  const chosen = rules.choices?.get(saleId) ?? []
  const own = lots.filter(({ ticker, quantity }) => ticker === sale.ticker && quantity.isPositive)
  const byPurchase = Map.groupBy(own, ({ purchaseId }) => purchaseId)
  return {
    ticker: sale.ticker,
    quantity: sale.quantity,
    lots: [...byPurchase].map(([purchaseId, parts]) => ({
      purchaseId,
      openedOn: parts[0]!.openedOn,
      quantity: sum(parts.map(({ quantity }) => quantity)),
      basis: sum(parts.map(({ basis }) => basis)),
      chosen: chosen.find((choice) => choice.purchaseId === purchaseId)?.quantity ?? Decimal.zero,
    })),
  }
}

const sum = (amounts: readonly Decimal[]): Decimal => amounts.reduce((total, each) => total.plus(each), Decimal.zero)

/** The rest of a sale that is not chosen takes the oldest. */
export async function setSaleLots(
  deps: PortfolioDeps,
  userId: number,
  accountId: number,
  saleId: string,
  choices: readonly LotChoice[],
): Promise<void> {
  const offered = await saleLotsOf(deps, userId, accountId, saleId)
  const chosen = choices.filter(({ quantity }) => quantity.isPositive)
  if (new Set(chosen.map(({ purchaseId }) => purchaseId)).size < chosen.length) {
    throw new Problem('invalid', 'lots.choice', 'A lot is named twice.')
  }
  for (const { purchaseId, quantity } of chosen) {
    const lot = offered.lots.find((each) => each.purchaseId === purchaseId)
    if (!lot) throw new Problem('invalid', 'lots.choice', 'A lot that was chosen was not held at the time of the sale.')
    if (lot.quantity.isBelow(quantity)) {
      throw new Problem('invalid', 'lots.choice', `The lot has only ${String(lot.quantity)} shares.`)
    }
  }
  if (offered.quantity.isBelow(sum(chosen.map(({ quantity }) => quantity)))) {
    throw new Problem('invalid', 'lots.choice', `Only ${String(offered.quantity)} shares were sold.`)
  }
  await deps.store.setLotChoice(accountId, saleId, chosen)
}
