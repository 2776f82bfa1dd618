import { Decimal } from '@tradewright/core/decimal'
import { usd } from '@tradewright/core/money'
import { dayStamp, type EpochDay, epochDayOf, formatDate, HOUR } from '@tradewright/core/time'
import { type CashActivity, isDistribution } from '@tradewright/engine/trading/account-activity'
import { type Books, sliceOfDeployment } from '@tradewright/engine/trading/ledger/books'
import { deploymentIdOf, type Party } from '@tradewright/engine/trading/ledger/entry'
import { type Deployment, type DividendDue } from '../../deployment.ts'
import type { LiveStores } from '../../ports/database.ts'
import { tradedTickers } from '../../traded-tickers.ts'
import type { BrokerageAccountRef, CycleDeps, Reconciliation } from '../types.ts'

/** A dividend is paid no later than this after its ex-date; one that is due for longer is not coming. */
const LONGEST_WAIT = 120

/** Before any exchange opens on the day: who sells after that has held the shares before the ex-date. */
const beforeOpenOf = (exDay: EpochDay): Date => new Date(dayStamp(exDay) + 9 * HOUR)

type LookUpDeps = Pick<CycleDeps, 'database' | 'log'> & {
  readonly signalService: Pick<CycleDeps['signalService'], 'dividends'>
}

/** Activities with the ex-dates of new dividends, by the market data where the broker does not say. */
export async function withExDays(
  { database, signalService, log }: LookUpDeps,
  { accountId, userId }: BrokerageAccountRef,
  activities: readonly CashActivity[],
): Promise<readonly CashActivity[]> {
  const unknown = activities.filter((one) => isDistribution(one) && one.ticker !== undefined && one.exDay === undefined)
  if (unknown.length === 0) return activities
  const seen = await database.books.seen(
    accountId,
    unknown.map(({ id }) => `activity:${id}`),
  )
  const found = new Map<string, EpochDay>()
  for (const activity of unknown.filter(({ id }) => !seen.has(`activity:${id}`))) {
    const { id, ticker, day } = activity
    const listed = await signalService.dividends(userId, ticker!, day - LONGEST_WAIT, day).catch((error: unknown) => {
      log.warn({ err: error, ticker }, 'the ex-date of a dividend could not be looked up')
      return []
    })
    const alike = listed.filter(({ amount }) => isAlike(activity, amount))
    const newest = (alike.length > 0 ? alike : listed).at(-1)
    if (newest) found.set(id, newest.exDay)
  }
  return activities.map((activity) => {
    const exDay = found.get(activity.id)
    return exDay === undefined ? activity : Object.assign({}, activity, { exDay })
  })
}

const isAlike = ({ perShare }: CashActivity, amount: number): boolean =>
  perShare !== undefined && Math.abs(Math.abs(perShare) - amount) <= amount * 0.01

/** Whom a distribution is for: those who held the shares, or owed them, before its ex-date. */
export async function entitledTo(
  { books, deployments }: LiveStores,
  accountId: number,
  activity: CashActivity,
): Promise<Books> {
  const { ticker, day } = activity
  if (ticker === undefined || !isDistribution(activity)) return books.books(accountId)
  const present = await deployments.onAccount(accountId)
  const exDay = activity.exDay ?? oldestDue(present, ticker, day)
  if (exDay === undefined) return books.books(accountId)
  const held = await books.heldAt(accountId, ticker, beforeOpenOf(exDay))
  const ids = new Set(present.map(({ id }) => id))
  const entitled = new Map<Party, Decimal>()
  for (const [party, { positions }] of held) {
    const id = deploymentIdOf(party)
    // What a deleted deployment would get is the account's.
    const owner = id === undefined || ids.has(id) ? party : 'unallocated'
    entitled.set(owner, (entitled.get(owner) ?? Decimal.zero).plus(positions.get(ticker)!))
  }
  return new Map(
    [...entitled].map(([party, quantity]) => [
      party,
      { cash: Decimal.zero, positions: new Map(quantity.isZero ? [] : [[ticker, quantity]]) },
    ]),
  )
}

const oldestDue = (all: readonly Deployment[], ticker: string, day: EpochDay): EpochDay | undefined =>
  all
    .flatMap(({ dividendsDue = [] }) => dividendsDue)
    .filter((due) => due.ticker === ticker && due.exDay <= day)
    .map(({ exDay }) => exDay)
    .sort((a, b) => a - b)[0]

/** Taxes and fees of dividends settle nothing. */
const PAYS = /^(DIV|DIVCGL|DIVCGS|DIVROC|DIVTXEX|CGD)$/

/** What was due for it is paid. */
export async function settleDue(
  { books, deployments }: LiveStores,
  accountId: number,
  activity: CashActivity,
): Promise<void> {
  const { ticker, day, at, type } = activity
  if (ticker === undefined || !PAYS.test(type)) return
  const present = await deployments.onAccount(accountId)
  const exDay = activity.exDay ?? oldestDue(present, ticker, day)
  if (exDay === undefined) return
  await books.see(
    accountId,
    present.map(({ id }) => ({ key: dueKey(id, ticker, exDay), at: new Date(at) })),
  )
  for (const { id, dividendsDue = [] } of present) {
    const left = dividendsDue.filter((due) => due.ticker !== ticker || due.exDay !== exDay)
    if (left.length < dividendsDue.length) await deployments.change(id, { dividendsDue: left })
  }
}

const dueKey = (deploymentId: number, ticker: string, exDay: EpochDay): string =>
  `due:${deploymentId}:${ticker}:${formatDate(exDay)}`

/** How many days after its ex-date a dividend may become known. */
const KNOWN_AFTER = 10

type AccrueDeps = Pick<CycleDeps, 'database' | 'clock' | 'log' | 'deploymentLog'> & {
  readonly signalService: Pick<CycleDeps['signalService'], 'dividends'>
}

/** The same for deployments of the account that do not run: what they hold goes ex as well. */
export async function accrueForOthers(
  deps: AccrueDeps,
  { accountId }: Pick<Deployment, 'accountId'>,
  reconciliation: Pick<Reconciliation, 'account' | 'books' | 'prices'>,
  sessionClose: Date,
): Promise<void> {
  if (!reconciliation.account.paysDividendsLater) return
  for (const one of await deps.database.deployments.onAccount(accountId))
    if (one.status !== 'running' && sliceOfDeployment(reconciliation.books, one.id).positions.size > 0)
      await accrueDividends(deps, one, reconciliation, sessionClose)
}

/**
 * Dividends whose ex-date has come count from then on, although their broker pays them later: the price fell by them.
 * Each is an entry of the ledger that moves nothing; the payment moves the cash.
 */
export async function accrueDividends(
  deps: AccrueDeps,
  deployment: Deployment,
  { account, books, prices }: Pick<Reconciliation, 'account' | 'books' | 'prices'>,
  sessionClose: Date,
): Promise<void> {
  if (!account.paysDividendsLater) return
  const { id, userId, accountId, createdAt } = deployment
  const last = epochDayOf(sessionClose.getTime())
  const first = Math.max(last - KNOWN_AFTER, epochDayOf(createdAt.getTime()) + 1)
  const tickers = new Set([...tradedTickers(deployment), ...sliceOfDeployment(books, id).positions.keys()])
  const listed: (DividendDue & { readonly perShare: number })[] = []
  for (const ticker of tickers) {
    const known = await deps.signalService.dividends(userId, ticker, first, last).catch((error: unknown) => {
      deps.log.warn({ err: error, ticker }, 'dividends could not be looked up')
      return []
    })
    listed.push(...known.map(({ exDay, amount }) => ({ ticker, exDay, perShare: amount, amount: Decimal.zero })))
  }
  if (listed.length === 0) return
  await deps.database.transaction(async (stores) => {
    const current = (await stores.deployments.lockAll([id])).get(id)
    await stores.books.lock(accountId)
    if (!current) return
    const due = (current.dividendsDue ?? []).filter(({ exDay }) => last - exDay <= LONGEST_WAIT)
    for (const { ticker, exDay, perShare } of listed) {
      const held = sliceOfDeployment(await stores.books.heldAt(accountId, ticker, beforeOpenOf(exDay)), id)
      const quantity = held.positions.get(ticker)
      const amount = quantity?.times(Decimal.fromNumber(perShare)).rounded(2)
      const key = dueKey(id, ticker, exDay)
      const at = deps.clock.now()
      if (!quantity || !amount || amount.isZero || !(await stores.books.see(accountId, [{ key, at }])).has(key))
        continue
      due.push({ ticker, exDay, amount })
      const note = `Dividend of ${ticker} due: ${usd(amount)} for ${String(quantity)} shares held before ${formatDate(exDay)}, paid later`
      const entry = { key, at: at.getTime(), deploymentId: id, legs: [], amount: Decimal.zero, note }
      await stores.books.post(accountId, [{ ...entry, type: 'DIVIDEND', direction: 'none' }], prices)
      deps.deploymentLog.write(id, 'INFO', `Status: ${note}`)
    }
    if (due.length !== (current.dividendsDue ?? []).length) await stores.deployments.change(id, { dividendsDue: due })
  })
}
