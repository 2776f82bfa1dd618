import { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import { epochDayOf, formatDate } from '@tradewright/core/time'
import { grown } from '@tradewright/engine/live/loss-limits'
import { type Books, type Slice, sliceOfDeployment, unpriced, valueOf } from '@tradewright/engine/trading/ledger/books'
import type { Entry } from '@tradewright/engine/trading/ledger/entry'
import { type CapitalTotals, type Deployment, dueTo } from '../deployment.ts'
import type { LiveStores } from '../ports/database.ts'
import type { Snapshot } from '../ports/journal.ts'
import type { CycleDeps, Reconciliation } from './types.ts'

interface Valuation {
  readonly slice: Slice
  readonly value: Usd
  /** Growth of one dollar that was paid in, without flows. */
  readonly growth: number
  /** Positions that have no price: the value is too small by them. */
  readonly unpriced: readonly string[]
}

/** One dollar before it was traded. */
export const PAID_IN = 1

/** A deployment's value by the broker's last prices. */
export async function valuate(
  { journal }: Pick<LiveStores, 'journal'>,
  deployment: Deployment,
  { books, prices }: Pick<Reconciliation, 'books' | 'prices'>,
): Promise<Valuation> {
  return valued(deployment, books, prices, await journal.lastSnapshot(deployment.id))
}

function valued(
  deployment: Deployment,
  books: Books,
  prices: ReadonlyMap<string, Usd>,
  last: Snapshot | undefined,
): Valuation {
  const { id, totals } = deployment
  const slice = sliceOfDeployment(books, id)
  const priceOf = (ticker: string) => prices.get(ticker)
  const value = valueOf(slice, priceOf).plus(dueTo(deployment))
  return { slice, value, growth: growthOf(totals, value, last), unpriced: unpriced(slice, priceOf) }
}

/** The first stretch begins with what was paid in: what the entry cost is a loss, too. */
function growthOf({ net, withdrawals }: CapitalTotals, value: Usd, last: Snapshot | undefined): number {
  return last
    ? grown(last.growth, last.value.toNumber(), value.toNumber(), net.minus(last.netContributions).toNumber())
    : // Withdrawals count on both sides, or a small rest would make every loss look large.
      grown(PAID_IN, net.plus(withdrawals).toNumber(), value.plus(withdrawals).toNumber(), 0)
}

/** A point of the equity curve; the first of a day also stands in the ledger. */
export async function takeSnapshot(
  deps: Pick<CycleDeps, 'database' | 'clock' | 'onStep'>,
  deployment: Deployment,
  reconciliation: Pick<Reconciliation, 'prices' | 'account'>,
): Promise<void> {
  await deps.database.transaction(async (stores) => {
    await stores.books.lock(deployment.accountId)
    const current = (await stores.deployments.byId(deployment.id)) ?? deployment
    await takeSnapshots(stores, deployment.accountId, [{ deployment: current, reconciliation }], deps.clock.now())
  })
  deps.onStep('snapshot-taken')
}

interface ToValue {
  readonly deployment: Deployment
  readonly reconciliation: Pick<Reconciliation, 'prices' | 'account'>
}

/** The same for several of one account, at least one, within a transaction that holds it. */
export async function takeSnapshots(
  { books, journal }: LiveStores,
  accountId: number,
  all: readonly ToValue[],
  at: Date,
): Promise<void> {
  const current = await books.books(accountId)
  const last = await journal.lastSnapshots(all.map(({ deployment }) => deployment.id))
  const taken = all.map(({ deployment, reconciliation }) => {
    const { prices, account } = reconciliation
    const { slice, value, growth } = valued(deployment, current, prices, last.get(deployment.id))
    const netContributions = deployment.totals.net
    return {
      deploymentId: deployment.id,
      at,
      value,
      cash: slice.cash,
      netContributions,
      growth,
      accountValue: account.equity,
    }
  })
  await journal.insertSnapshots(taken)
  const entries = all.map(({ deployment }) => snapshotEntry(deployment.id, at))
  await books.post(accountId, entries, all.at(-1)!.reconciliation.prices)
}

const snapshotEntry = (deploymentId: number, at: Date): Entry => ({
  type: 'SNAPSHOT',
  key: `snapshot:${deploymentId}:${formatDate(epochDayOf(at.getTime()))}`,
  at: at.getTime(),
  deploymentId,
  legs: [],
  amount: Decimal.zero,
  direction: 'none',
  note: 'Value of the deployment',
})
