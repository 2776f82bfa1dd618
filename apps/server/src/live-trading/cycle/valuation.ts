import { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import { epochDayOf, formatDate } from '@tradewright/core/time'
import { brokenLimit, grown } from '@tradewright/engine/live/loss-limits'
import { type Slice, sliceOfDeployment, unpriced, valueOf } from '@tradewright/engine/trading/ledger/books'
import type { Deployment } from '../deployment.ts'
import type { LiveStores } from '../ports/database.ts'
import type { CycleDeps } from './deps.ts'
import type { Reconciliation } from './reconcile.ts'

export interface Valuation {
  readonly slice: Slice
  readonly value: Usd
  /** What one dollar became since the first snapshot, without flows. */
  readonly growth: number
  /** Positions that have no price: the value is too small by them. */
  readonly unpriced: readonly string[]
}

/** What a deployment is worth now, by the prices the broker last said. */
export async function valuate(
  { journal }: Pick<LiveStores, 'journal'>,
  deployment: Deployment,
  { books, prices }: Pick<Reconciliation, 'books' | 'prices'>,
): Promise<Valuation> {
  const slice = sliceOfDeployment(books, deployment.id)
  const priceOf = (ticker: string) => prices.get(ticker)
  const value = valueOf(slice, priceOf)
  const last = await journal.lastSnapshot(deployment.id)
  const growth = last
    ? grown(
        last.growth,
        last.value.toNumber(),
        value.toNumber(),
        deployment.totals.net.minus(last.netContributions).toNumber(),
      )
    : 1
  return { slice, value, growth, unpriced: unpriced(slice, priceOf) }
}

/** The loss limit that is broken, as a sentence. */
export async function checkLosses(
  { database, clock }: Pick<CycleDeps, 'database' | 'clock'>,
  deployment: Deployment,
  valuation: Valuation,
): Promise<string | undefined> {
  const { maxDailyLossPct, maxDrawdownPct } = deployment.settings
  if (maxDailyLossPct === null && maxDrawdownPct === null) return undefined
  // A value that lacks a price would look like a loss.
  if (valuation.unpriced.length > 0) return undefined
  const today = new Date(epochDayOf(clock.now().getTime()) * 86_400_000)
  const before = await database.journal.lastSnapshot(deployment.id, today)
  const highest = Math.max(await database.journal.highestGrowth(deployment.id), valuation.growth)
  return brokenLimit(
    { now: valuation.growth, sessionStart: before?.growth ?? 1, highest },
    { maxDailyLossPct: maxDailyLossPct ?? undefined, maxDrawdownPct: maxDrawdownPct ?? undefined },
  )
}

/** A point of the equity curve; the first of a day also stands in the ledger. */
export async function takeSnapshot(
  deps: Pick<CycleDeps, 'database' | 'clock' | 'onStep'>,
  deployment: Deployment,
  reconciliation: Pick<Reconciliation, 'prices' | 'account'>,
): Promise<void> {
  const at = deps.clock.now()
  await deps.database.transaction(async (stores) => {
    await stores.books.lock(deployment.accountId)
    const current = (await stores.deployments.byId(deployment.id)) ?? deployment
    const books = await stores.books.books(deployment.accountId)
    const { slice, value, growth } = await valuate(stores, current, { books, prices: reconciliation.prices })
    await stores.journal.snapshot(deployment.id, {
      at,
      value,
      cash: slice.cash,
      netContributions: current.totals.net,
      growth,
      accountValue: reconciliation.account.equity,
    })
    const entry = {
      type: 'SNAPSHOT' as const,
      key: `snapshot:${deployment.id}:${formatDate(epochDayOf(at.getTime()))}`,
      at: at.getTime(),
      deploymentId: deployment.id,
      legs: [],
      amount: Decimal.zero,
      direction: 'none' as const,
      note: 'Value of the deployment',
    }
    await stores.books.post(deployment.accountId, [entry], reconciliation.prices)
  })
  deps.onStep('snapshot-taken')
}
