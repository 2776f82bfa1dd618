import type { Clock } from '@tradewright/core/clock'
import type { Foundation } from '../foundation.ts'
import { serveHome } from '../http/home/routes.ts'
import type { MarketDataArea } from './market-data.ts'
import type { Handle } from '../http/server/handle.ts'
import { createAlertStore, createChecklistStore, createResultSummaryStore } from '../stores/home/home.ts'

/** Home joined to the tables of the other areas, which it only reads. */
export function serveHomeArea(
  handle: Handle,
  { database }: Pick<Foundation, 'database'>,
  { prepareFirstBacktest }: Pick<MarketDataArea, 'prepareFirstBacktest'>,
  clock: Clock,
): void {
  serveHome(handle, {
    expectFirstBacktest: prepareFirstBacktest,
    results: createResultSummaryStore(database),
    checklists: createChecklistStore(database),
    alerts: createAlertStore(database),
    clock,
  })
}
