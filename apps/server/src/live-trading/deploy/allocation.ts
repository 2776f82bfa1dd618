import { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import { Problem } from '@tradewright/core/problem'
import { countsAsAllocated } from '@tradewright/engine/trading/deployment-status'
import { type Books, type PriceOf, sliceOfDeployment, valueOf } from '@tradewright/engine/trading/ledger/books'
import type { Deployment } from '../deployment.ts'

/** How many percent of an account its active deployments use. */
export function percentAllocated(
  deployments: readonly Deployment[],
  books: Books,
  equity: Usd,
  priceOf: PriceOf,
): Decimal {
  return deployments
    .filter(({ status }) => countsAsAllocated(status))
    .map((deployment) => percentOf(deployment, books, equity, priceOf))
    .reduce((sum, pct) => sum.plus(pct), Decimal.zero)
}

/** How many percent of an account stopped deployments kept: what is neither allocated nor available. */
export function percentKept(deployments: readonly Deployment[], books: Books, equity: Usd, priceOf: PriceOf): Decimal {
  return deployments
    .filter(({ status }) => !countsAsAllocated(status))
    .map(({ id }) => valuePercent(id, books, equity, priceOf))
    .reduce((sum, pct) => sum.plus(pct), Decimal.zero)
}

/** A percent is its target; an amount is what it is worth now. */
export function percentOf(deployment: Deployment, books: Books, equity: Usd, priceOf: PriceOf): Decimal {
  if (deployment.capitalPolicy === 'percent_of_account') return deployment.capitalPolicyValue
  return valuePercent(deployment.id, books, equity, priceOf)
}

const valuePercent = (id: number, books: Books, equity: Usd, priceOf: PriceOf): Decimal =>
  equity.isPositive
    ? valueOf(sliceOfDeployment(books, id), priceOf).times(Decimal.parse('100')).dividedBy(equity)
    : Decimal.zero

const MAX_PERCENT = Decimal.parse('100.0001')

export function refuseOverAllocation(wanted: 'deploy' | 'start', current: Decimal, added: Decimal): void {
  const total = current.plus(added)
  if (!MAX_PERCENT.isBelow(total)) return
  throw new Problem(
    'invalid',
    'deployment.allocation',
    `Cannot ${wanted}: account allocation would reach ${percent(total)}%. Current active deployments are using ${percent(current)}%.`,
  )
}

const percent = (value: Decimal): string => String(value.rounded(2))
