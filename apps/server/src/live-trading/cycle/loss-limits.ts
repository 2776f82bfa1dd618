import { epochDayOf } from '@tradewright/core/time'
import { isFresh, middleOf } from '@tradewright/engine/live/limit-price'
import { type BrokenLimit, brokenLimit } from '@tradewright/engine/live/loss-limits'
import { sliceOfDeployment } from '@tradewright/engine/trading/ledger/books'
import { SYSTEM } from '../actor.ts'
import type { Deployment } from '../deployment.ts'
import { cancelOpen } from './send/cancel-orders.ts'
import type { AccountSnapshot, CycleDeps, DeploymentDeps, Reconciliation } from './types.ts'
import { PAID_IN, valuate } from './valuation.ts'

/**
 * Watches the loss limits of a deployment that runs or is paused. One that is broken pauses it, or stops it, cancels its
 * orders and sells all that it holds. True where it may not go on.
 */
export async function stoppedByLosses(
  deps: DeploymentDeps,
  deployment: Deployment,
  { broker, reconciliation }: Pick<AccountSnapshot, 'broker' | 'reconciliation'>,
): Promise<boolean> {
  const broken = await checkLosses(deps, deployment, reconciliation)
  if (!broken) return false
  const { settings, status, healthProblem } = deployment
  const wantsSale = settings.lossAction === 'sell' && !settings.dryRun
  // A wrong price of the broker's must not sell everything.
  const held = sliceOfDeployment(reconciliation.books, deployment.id).positions.keys()
  const off = wantsSale ? await contradicted(deps, broker, reconciliation.prices, held) : undefined
  const sells = wantsSale && off === undefined
  // While it is paused, a limit that only pauses is told once.
  if (!sells && status === 'paused' && healthProblem?.code === broken.code) return true
  const statusAt = deps.clock.now()
  const isChanged = await deps.database.transaction(async ({ deployments }) => {
    const current = await deployments.lock(deployment.userId, deployment.id)
    if (current?.status !== status || current.liquidatingSince !== null) return false
    const stopped = { status: 'stopped', nextRunAt: null, liquidatingSince: statusAt, liquidatingBy: SYSTEM } as const
    await deployments.change(deployment.id, {
      statusAt,
      healthProblem: broken,
      ...(sells ? stopped : { status: 'paused' as const }),
    })
    return true
  })
  if (!isChanged) return true
  const happened = sells
    ? 'Stopped by its loss limit: open orders are cancelled, and everything it holds is sold.'
    : status === 'paused'
      ? 'Broken while it is paused:'
      : `Paused by its loss limit.${off === undefined ? '' : ` Nothing is sold, because the quote of ${off} contradicts its price.`}`
  await deps.note({ ...broken, sentence: `${happened} ${broken.sentence}` })
  if (sells) await cancelOpen(deps, broker, { ...deployment, liquidatingSince: statusAt })
  return true
}

const MAX_QUOTE_DISTANCE = 0.05

/** A ticker of these whose fresh quote is far from the price that a sale would be decided by. */
export async function contradicted(
  { clock, log }: Pick<CycleDeps, 'clock' | 'log'>,
  broker: Pick<AccountSnapshot['broker'], 'quote'>,
  prices: Reconciliation['prices'],
  tickers: Iterable<string>,
): Promise<string | undefined> {
  for (const ticker of tickers) {
    const quote = await broker.quote?.(ticker).catch((error: unknown) => {
      log.debug({ err: error, ticker }, 'no quote')
      return undefined
    })
    const [middle, price] = [
      quote && isFresh(quote, clock.now().getTime()) ? middleOf(quote) : undefined,
      prices.get(ticker),
    ]
    const isFar = middle && price?.isPositive && Math.abs(middle.dividedBy(price).toNumber() - 1) > MAX_QUOTE_DISTANCE
    if (isFar) return ticker
  }
  return undefined
}

/** The loss limit that is broken. */
async function checkLosses(
  { database, clock }: Pick<CycleDeps, 'database' | 'clock'>,
  deployment: Deployment,
  reconciliation: Pick<Reconciliation, 'books' | 'prices' | 'verdict'>,
): Promise<BrokenLimit | undefined> {
  const { maxDailyLossPct, maxDrawdownPct } = deployment.settings
  const hasLimit = maxDailyLossPct !== null || maxDrawdownPct !== null
  const valuation = hasLimit ? await valuate(database, deployment, reconciliation) : undefined
  // A value that lacks a price would look like a loss.
  if (!valuation || valuation.unpriced.length > 0) return undefined
  const today = new Date(epochDayOf(clock.now().getTime()) * 86_400_000)
  const before = await database.journal.lastSnapshot(deployment.id, today)
  const highest = Math.max(PAID_IN, await database.journal.highestGrowth(deployment.id), valuation.growth)
  const broken = brokenLimit(
    { now: valuation.growth, sessionStart: before?.growth ?? PAID_IN, highest },
    { maxDailyLossPct: maxDailyLossPct ?? undefined, maxDrawdownPct: maxDrawdownPct ?? undefined },
  )
  // What books and broker do not agree on may be no loss: nothing is sold for it.
  if (broken && deployment.settings.lossAction === 'sell' && reconciliation.verdict !== 'agreed') return undefined
  // Money that moved since the deployment was read is in the books, but not in its sums: the next poll knows both.
  const current = broken && (await database.deployments.byId(deployment.id))
  return current?.totals.net.equals(deployment.totals.net) ? broken : undefined
}
