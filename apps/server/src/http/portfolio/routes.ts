import * as contract from '@tradewright/contract/portfolio'
import { activitiesOf, type PortfolioDeps, portfolioOf } from '../../portfolio/own-portfolio.ts'
import { tradesToWire, transactionsToWire } from '../live-trading/activity-wire.ts'
import type { CustomHostOf } from '../brokerage/wire.ts'
import type { Handle } from '../server/handle.ts'
import { portfolioToWire } from './wire.ts'

const success = true as const

export function servePortfolio(handle: Handle, deps: PortfolioDeps & { customHostOf: CustomHostOf }): void {
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
}
