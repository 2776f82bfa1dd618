import { Decimal } from '@tradewright/core/decimal'
import { type Usd, usd } from '@tradewright/core/money'
import { Problem } from '@tradewright/core/problem'
import { sliceOf, valueOf } from '@tradewright/engine/trading/ledger/books'
import { contribution, disallocation, withdrawal } from '@tradewright/engine/trading/ledger/capital-entries'
import { randomUUID } from 'node:crypto'
import { findDeployment } from '../control.ts'
import { reconcile } from '../cycle/reconcile/reconcile.ts'
import { recordNote } from '../cycle/record-note.ts'
import { type Deployment, deploymentMissing } from '../deployment.ts'
import type { LiveDeps } from '../deps.ts'
import type { LiveStores } from '../ports/database.ts'
import { refuseLessThanCents } from './cents.ts'
import { withEntries } from './totals.ts'

interface CapitalChange {
  readonly type: 'CONTRIBUTION' | 'WITHDRAWAL'
  /** As it was typed. */
  readonly amount: string
  readonly note: string | undefined
}

export async function changeCapital(
  deps: LiveDeps,
  userId: number,
  id: number,
  change: CapitalChange,
): Promise<Deployment> {
  const amount = positiveAmount(change.amount)
  const known = await findDeployment(deps, userId, id)
  if (known.capitalPolicy !== 'fixed_contribution') {
    throw new Problem(
      'conflict',
      'capital.policy',
      'This deployment is rebalanced to its percent of the account; manual contributions are disabled.',
    )
  }
  if (change.type === 'CONTRIBUTION') await freshCash(deps, known)
  const at = deps.clock.now()
  const changed = await deps.database.transaction(async (stores) => {
    const deployment = await lockQuiet(stores, userId, id)
    const state = await stores.books.lock(deployment.accountId)
    const books = await stores.books.books(deployment.accountId)
    const head = { key: `capital:${randomUUID()}`, at: at.getTime(), deploymentId: id, note: change.note }
    const entry =
      change.type === 'CONTRIBUTION'
        ? contribution(head, amount, sliceOf(books, 'unallocated').cash)
        : withdrawal(head, amount, await stores.books.slice(deployment.accountId, id), (ticker) =>
            state?.prices.get(ticker),
          )
    const posted = await stores.books.post(deployment.accountId, [entry], state?.prices ?? new Map<string, Usd>())
    await stores.deployments.change(id, { totals: withEntries(deployment.totals, posted) })
    return (await stores.deployments.find(userId, id))!
  })
  const sentence =
    change.type === 'CONTRIBUTION'
      ? `Contribution of ${usd(amount)}. ${investedWhen(changed)}`
      : `Withdrawal of ${usd(amount)}.`
  await recordNote(deps, changed, { code: 'capital-changed', level: 'info', sentence })
  return changed
}

const investedWhen = ({ status }: Deployment): string =>
  `It is invested at the ${status === 'running' ? 'next run' : 'first run after the deployment is started again'}.`

interface Disallocated {
  readonly pct: Decimal
  readonly amount: Usd
  readonly newTotal: Usd
}

const HUNDRED = Decimal.parse('100')

/** In kind: a percent of cash and of every position becomes the account's. A percent of the account shrinks alike. */
export async function disallocateCapital(
  deps: LiveDeps,
  userId: number,
  id: number,
  pctText: string,
  note: string | undefined,
): Promise<Disallocated> {
  const pct = percentage(pctText)
  const at = deps.clock.now()
  const outcome = await deps.database.transaction(async (stores) => {
    const deployment = await lockQuiet(stores, userId, id)
    const state = await stores.books.lock(deployment.accountId)
    const prices = state?.prices ?? new Map<string, Usd>()
    const priceOf = (ticker: string) => prices.get(ticker)
    const slice = await stores.books.slice(deployment.accountId, id)
    const entry = disallocation(
      { key: `capital:${randomUUID()}`, at: at.getTime(), deploymentId: id, note },
      pct,
      slice,
      priceOf,
    )
    const posted = await stores.books.post(deployment.accountId, [entry], prices)
    const left = HUNDRED.minus(pct)
    await stores.deployments.change(id, {
      totals: withEntries(deployment.totals, posted),
      ...(deployment.capitalPolicy === 'percent_of_account' && {
        capitalPolicyValue: deployment.capitalPolicyValue.times(left).dividedBy(HUNDRED),
      }),
    })
    const newTotal = valueOf(await stores.books.slice(deployment.accountId, id), priceOf)
    return { deployment, result: { pct, amount: entry.amount, newTotal } }
  })
  const { amount, newTotal } = outcome.result
  const sentence = `Disallocated ${String(pct)}% (${usd(amount)}); ${usd(newTotal)} remain.`
  await recordNote(deps, outcome.deployment, { code: 'capital-disallocated', level: 'info', sentence })
  return outcome.result
}

/** Money that orders are about to spend or bring cannot be moved at the same time. */
async function lockQuiet(stores: LiveStores, userId: number, id: number): Promise<Deployment> {
  const deployment = await stores.deployments.lock(userId, id)
  if (!deployment) throw deploymentMissing()
  const open = await stores.orders.unsettled(deployment.accountId)
  if (open.some(({ deploymentId }) => deploymentId === id)) {
    throw new Problem('conflict', 'capital.orders', 'Orders are being executed. Please try again in a moment.')
  }
  return deployment
}

async function freshCash(deps: LiveDeps, { userId, accountId }: Deployment): Promise<void> {
  try {
    await reconcile(deps, await deps.brokerFor(userId, accountId), { accountId, userId })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new Problem('unavailable', 'capital.cash', 'Unable to fetch Alpaca cash balance right now.', { cause: error })
  }
}

function positiveAmount(text: string): Usd {
  const amount = decimalOrNone(text)
  if (!amount?.isPositive) {
    throw new Problem('invalid', 'capital.amount', 'Please enter a positive contribution amount.')
  }
  refuseLessThanCents('The amount', amount)
  return amount
}

function percentage(text: string): Decimal {
  const pct = decimalOrNone(text)
  if (!pct) throw new Problem('invalid', 'capital.disallocation', 'Please enter a valid percentage between 1 and 100.')
  return pct
}

/** More digits than any account has are a typing error. */
const AMOUNT = /^[+-]?\d{1,15}(\.\d+)?$/

function decimalOrNone(text: string): Decimal | undefined {
  const trimmed = text.trim()
  return AMOUNT.test(trimmed) ? Decimal.parse(trimmed) : undefined
}
