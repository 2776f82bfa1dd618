import * as contract from '@tradewright/contract/home'
import type { Clock } from '@tradewright/core/clock'
import { type Figure, isAvailable } from '@tradewright/engine/performance/figure'
import {
  ownAlerts,
  homeResults,
  type ReadSummary,
  hideChecklist,
  ownChecklist,
  type Alert,
  type AlertStore,
  type Checklist,
  type ChecklistStore,
  type ResultSummaryStore,
} from '../../home/home.ts'
import { readableRows } from '../answer/readable-rows.ts'
import { splicedToWire } from '../backtests/wire/provenance-wire.ts'
import type { Handle } from '../server/handle.ts'

interface HomeDeps {
  readonly results: ResultSummaryStore
  readonly checklists: ChecklistStore
  readonly alerts: AlertStore
  readonly clock: Clock
  /** Home offers a first backtest: what can be prepared for it may be. */
  readonly expectFirstBacktest: (userId: number) => void
}

const LIMITS = { results: contract.HOME_RESULTS, points: contract.HOME_CURVE_POINTS }

export function serveHome(handle: Handle, deps: HomeDeps): void {
  handle(contract.getHomeResults, async ({ user, request: { log } }) => {
    const { latest, best } = await homeResults(deps, user.id, LIMITS)
    const told = { list: 'results', schema: contract.HomeResult, toWire: resultToWire, log }
    const [newest, highest] = [readableRows(latest, told), readableRows(best, told)]
    const leftOut = Math.max(newest.left_out ?? 0, highest.left_out ?? 0)
    return { latest: newest.entries, best: highest.entries, ...(leftOut > 0 && { left_out: leftOut }) }
  })
  handle(contract.getHomeAlerts, async ({ user }) => ({ alerts: (await ownAlerts(deps, user.id)).map(alertToWire) }))
  handle(contract.getChecklist, async ({ user }) => {
    const checklist = await ownChecklist(deps, user.id)
    if (!checklist.done.includes('backtest')) deps.expectFirstBacktest(user.id)
    return checklistToWire(checklist)
  })
  handle(contract.hideChecklist, async ({ user, body }) =>
    checklistToWire(await hideChecklist(deps, user.id, body.hidden)),
  )
}

function resultToWire({ summary }: ReadSummary): contract.HomeResult {
  if (summary instanceof Error) throw summary
  return {
    backtest_id: summary.id,
    name: summary.name,
    strategy_name: summary.strategyName,
    created_at: summary.createdAt.toISOString(),
    start_date: summary.from,
    end_date: summary.to,
    cagr: valueOrNull(summary.cagr),
    sharpe: valueOrNull(summary.sharpe),
    max_drawdown: summary.maxDrawdown,
    figure_notes: { ...noteOf('cagr', summary.cagr), ...noteOf('sharpe', summary.sharpe) },
    synthetic: summary.synthetic,
    spliced_tickers: splicedToWire(summary.spliced),
    growth: [...summary.growth],
  }
}

const valueOrNull = (figure: Figure): number | null => (isAvailable(figure) ? figure : null)
const noteOf = (name: string, figure: Figure): Record<string, string> =>
  isAvailable(figure) ? {} : { [name]: figure.notAvailable }

const alertToWire = ({ source, id, name, level, text, at }: Alert): contract.HomeAlert => ({
  source,
  id,
  name,
  level,
  text,
  at: at?.toISOString() ?? null,
})

const checklistToWire = ({ done, isHidden }: Checklist): contract.Checklist => ({
  done: contract.CHECKLIST_STEPS.filter((step) => done.includes(step)),
  hidden: isHidden,
})
