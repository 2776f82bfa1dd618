import { Problem } from '@tradewright/core/problem'
import type { EpochDay } from '@tradewright/core/time'
import { Decimal } from '@tradewright/core/decimal'
import type { LotMethod } from '@tradewright/engine/trading/lots/lot'
import type { LotChoice } from '@tradewright/engine/trading/lots/ticker-lots'
import type { BrokerageAccount } from '../brokerage/account.ts'
import { newYorkDay } from './account-figures.ts'
import type { LotFile, LotAnswers, LotQuestions, LotRecords, SaleLots, ShownLots, LotOrder } from './lots-task.ts'
import { chosenAccount, type PortfolioDeps, snapshotFor } from './own-portfolio.ts'
import type { TakenSnapshot } from './ports.ts'

/** Lots need all activities at once. */
const MAX_ACTIVITIES = 100_000

/** Computes on a thread of its own, in the turn of the user: the records take memory from the moment they are read. */
type ComputeLots = <Kind extends keyof LotQuestions>(
  userId: number,
  readRecords: () => Promise<LotRecords>,
  kind: Kind,
  question: LotQuestions[Kind],
) => Promise<LotAnswers[Kind]>

export interface LotDeps extends PortfolioDeps {
  readonly computeLots: ComputeLots
}

export interface LotAccount {
  readonly account: BrokerageAccount
  readonly taken: TakenSnapshot
  /** False until every activity of the broker has been collected. */
  readonly isComplete: boolean
}

export interface AccountLots extends LotAccount {
  readonly method: LotMethod
  /** None before all activities are known: half a history would give wrong lots. */
  readonly shown: ShownLots | undefined
  readonly today: EpochDay
}

export async function lotAccountOf(deps: PortfolioDeps, userId: number, accountId: number): Promise<LotAccount> {
  const account = await chosenAccount(deps, userId, accountId)
  const { taken } = await snapshotFor(deps, account, false)
  const [trades, cash] = await Promise.all([
    deps.store.progress(account.id, 'trades'),
    deps.store.progress(account.id, 'cash'),
  ])
  return { account, taken, isComplete: trades.isComplete && cash.isComplete }
}

export const lotRecordsOf =
  ({ store }: PortfolioDeps, { account, taken: { snapshot, takenAt } }: LotAccount) =>
  async (): Promise<LotRecords> => {
    const { method, choices } = await store.lotRules(account.id)
    const activities: string[] = []
    let count = 0
    for await (const portion of store.everyActivity(account.id)) {
      count += portion.length
      if (count > MAX_ACTIVITIES) {
        throw new Problem('invalid', 'lots.too-many', 'The account has too many activities for tax lots.')
      }
      activities.push(JSON.stringify(portion))
    }
    return {
      activities,
      positions: snapshot.positions.map(({ ticker, quantity, averageEntryPrice }) => ({
        ticker,
        quantity,
        averageEntryPrice,
      })),
      takenOn: newYorkDay(takenAt),
      cash: snapshot.account.cash,
      method,
      choices: [...(choices ?? [])].map(([sale, lots]) => [
        sale,
        lots.map(({ purchaseId, quantity }) => ({ purchaseId, quantity: String(quantity) })),
      ]),
    }
  }

export async function lotsOf(
  deps: LotDeps,
  userId: number,
  accountId: number,
  question: LotQuestions['lots'],
): Promise<AccountLots> {
  const found = await lotAccountOf(deps, userId, accountId)
  const { method } = await deps.store.lotRules(found.account.id)
  const shown = found.isComplete
    ? await deps.computeLots(userId, lotRecordsOf(deps, found), 'lots', question)
    : undefined
  return { ...found, method, shown, today: newYorkDay(deps.clock.now()) }
}

/** The lines of a CSV file, in portions; none before all activities are known. */
export async function lotFileOf(
  deps: LotDeps,
  userId: number,
  accountId: number,
  file: LotFile,
): Promise<readonly string[]> {
  const found = await lotAccountOf(deps, userId, accountId)
  return found.isComplete ? deps.computeLots(userId, lotRecordsOf(deps, found), 'file', { file }) : []
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

export async function saleLotsOf(deps: LotDeps, userId: number, accountId: number, saleId: string): Promise<SaleLots> {
  const found = await lotAccountOf(deps, userId, accountId)
  const sale = await deps.computeLots(userId, lotRecordsOf(deps, found), 'sale', { saleId })
  if (!sale) throw new Problem('missing', 'lots.no-sale', 'There is no such sale.')
  return sale
}

const sum = (amounts: readonly Decimal[]): Decimal => amounts.reduce((total, each) => total.plus(each), Decimal.zero)

/** The rest of a sale that is not chosen takes the oldest. */
export async function setSaleLots(
  deps: LotDeps,
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

interface Services {
  readonly run: (order: LotOrder, owner: string) => Promise<unknown>
  /** Does a user's work when their earlier ones are done. */
  readonly turns: <Result>(userId: number, work: () => Promise<Result>) => Promise<Result>
}

export const createComputeLots =
  ({ run, turns }: Services): ComputeLots =>
  (userId, readRecords, kind, question) =>
    turns(userId, async () => {
      const records = await readRecords()
      const order = { kind, records, ...question } as unknown as LotOrder
      return withDecimals(await run(order, String(userId))) as never
    })

/** What comes from a thread has lost its classes. */
function withDecimals(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withDecimals)
  if ('billionths' in value) return new Decimal(value.billionths as bigint)
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withDecimals(each)]))
}
