import * as contract from '@tradewright/contract/portfolio'
import * as lots from '@tradewright/contract/tax-lots'
import { Decimal } from '@tradewright/core/decimal'
import { activitiesOf, portfolioOf } from '../../portfolio/own-portfolio.ts'
import type { ClosingPrices } from '../../portfolio/benchmarks.ts'
import { statementOf } from '../../portfolio/statement.ts'
import { type LotDeps, lotsOf, saleLotsOf, setLotMethod, setSaleLots } from '../../portfolio/tax-lots.ts'
import { tradesToWire, transactionsToWire } from '../live-trading/activity-wire.ts'
import type { CustomHostOf } from '../brokerage/wire.ts'
import type { Handle } from '../server/handle.ts'
import { saleLotsToWire, taxLotsToWire } from './lots-wire.ts'
import { statementToWire } from './statement-wire.ts'
import { portfolioToWire } from './wire.ts'

const success = true as const

interface Deps extends LotDeps {
  readonly customHostOf: CustomHostOf
  readonly closingPrices: ClosingPrices
}

export function servePortfolio(handle: Handle, deps: Deps): void {
  handle(contract.getPortfolio, async ({ user, query }) => {
    const view = await portfolioOf(deps, user.id, {
      accountId: query.account_id,
      forceRefresh: query.force_refresh,
      filter: query.filter_type,
      startDate: query.start_date ?? undefined,
      endDate: query.end_date ?? undefined,
      maySynthetic: query.synthetic_benchmarks,
      activities: contract.PORTFOLIO_ACTIVITIES,
    })
    return { success, portfolio: portfolioToWire(view, deps.customHostOf) }
  })
  handle(contract.listActivities, async ({ user, query }) => {
    const { account_id: accountId, page, page_size: pageSize } = query
    const kind = query.kind === 'trades' ? 'trades' : 'cash'
    const found = await activitiesOf(deps, user.id, { accountId, kind, page, pageSize })
    return {
      success,
      trades: tradesToWire(found.activities),
      transactions: transactionsToWire(found.activities),
      total: kind === 'trades' ? found.tradesCount : found.transactionsCount,
      page,
      page_size: pageSize,
      activities_complete: found.areActivitiesComplete,
    }
  })
  handle(lots.getTaxLots, async ({ user, query }) => ({
    success,
    tax: taxLotsToWire(await lotsOf(deps, user.id, query.account_id, { year: query.year, shown: lots.LOTS_SHOWN })),
  }))
  handle(lots.setLotMethod, async ({ user, body }) => {
    await setLotMethod(deps, user.id, body.account_id, body.method)
    return { success }
  })
  handle(lots.getSaleLots, async ({ user, query }) => ({
    success,
    ...saleLotsToWire(await saleLotsOf(deps, user.id, query.account_id, query.sale_id)),
  }))
  handle(lots.setSaleLots, async ({ user, body }) => {
    const chosen = body.lots.map(({ purchase_id, qty }) => ({ purchaseId: purchase_id, quantity: Decimal.parse(qty) }))
    await setSaleLots(deps, user.id, body.account_id, body.sale_id, chosen)
    return { success }
  })
  handle(lots.getStatement, async ({ user, query }) => {
    const [year, month] = query.month.split('-').map(Number) as [number, number]
    const statement = await statementOf(deps, user.id, query.account_id, { year, month, shown: lots.LOTS_SHOWN })
    return { success, statement: statementToWire(statement, query.month) }
  })
}
