import type { MarketData } from '../../backtest/market-data.ts'
import {
  reportNested,
  chooseForWindow,
  type NestedChoice,
  nestedRequest,
  type NestedWindow,
  nestedWindows,
} from '../nested-report.ts'
import { planSearch } from '../plan.ts'
import { prepareSearch } from '../prepare.ts'
import type { SearchRequest } from '../request.ts'
import { evaluateHere, rulesOf, runSearch } from '../search.ts'

export async function searchWindow(
  request: SearchRequest,
  data: MarketData,
  window: NestedWindow,
): Promise<NestedChoice> {
  const plan = planSearch(nestedRequest(request, window))
  const prepared = prepareSearch(plan, data)
  const history = await runSearch(plan, prepared, {
    evaluateAll: async (individuals) => evaluateHere(plan, prepared, individuals),
  })
  return chooseForWindow(prepared.searches, rulesOf(plan), history, window)
}

/** The whole of a nested walk-forward on one thread. */
export async function nestedRun(request: SearchRequest, data: MarketData) {
  const { searches } = prepareSearch(planSearch(request), data)
  const windows = nestedWindows(searches, request.nestedWindows!)
  const choices: NestedChoice[] = []
  for (const window of windows) choices.push(await searchWindow(request, data, window))
  return { searches, windows, choices, report: reportNested(searches, choices, windows.length)! }
}
