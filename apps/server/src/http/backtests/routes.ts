import * as contract from '@tradewright/contract/backtests'
import type { BacktestForm } from '@tradewright/contract/backtest-form'
import { listRuleExamples, RuleProblem } from '@tradewright/contract/rules'
import { MAX_RECENT_RUNS } from '@tradewright/core/recent-runs'
import { SavedBacktestItem } from '@tradewright/contract/saved-backtest-item'
import { Problem } from '@tradewright/core/problem'
import { describeRules } from '@tradewright/core/rules/describe'
import { rulesExamples } from '@tradewright/core/rules/examples'
import { featureName } from '@tradewright/engine/features/catalogue'
import type {
  BacktestComparison as WireComparison,
  BacktestRevisions as WireRevisions,
} from '@tradewright/contract/backtests'
import { formatDate } from '@tradewright/core/time'
import { compareBacktests, type ComparedRun } from '../../backtests/compare-backtests.ts'
import { splicedToWire } from './wire/provenance-wire.ts'
import { historyWarnings } from '../../backtests/history-warnings.ts'
import { type Revisions, revisionsOf } from '../../backtests/revisions.ts'
import { startBacktest, type BacktestRunDeps } from '../../backtests/start-backtest.ts'
import type { SavingTransaction, SeriesSource } from '../../backtests/ports.ts'
import { findBacktest, removeBacktest, renameBacktest, saveBacktest } from '../../backtests/saved-backtests.ts'
import type { ProvidersOf } from '../../market-data/providers.ts'
import { isSmall, type ReadForm, run as readNow } from './read-form-task.ts'
import { toWire as resultToWire } from './wire.ts'
import type { Handle } from '../server/handle.ts'
import { turnsPerUser } from '../../turn-queue.ts'
import { readingPlaces } from '../server/reading-places.ts'
import { problemsOfForm } from '../input/problems-of-form.ts'
import { readableRows } from '../answer/readable-rows.ts'
import { changedToWire, itemToWire, recentToWire, toWire } from './wire/saved-backtest-wire.ts'
import { disconnectSignal } from '../server/client-disconnect.ts'
import type { BacktestComparison } from '../../backtests/common-period.ts'
import { barDates } from '../answer/bar-dates.ts'
import { fullColumnToWire } from '../answer/column-wire.ts'
import { curveMetricsToWire, metricNotes } from './wire/metrics-wire.ts'

interface Deps extends BacktestRunDeps {
  readonly providersOf: ProvidersOf
  readonly saving: SavingTransaction
  readonly source: SeriesSource
  /** On a thread that does not answer requests. */
  readonly readLargeForm: (sent: Parameters<typeof readNow>[0], owner: string) => Promise<ReadForm>
}

/** A result may have tens of megabytes; a browser reads six answers at a time. */
const READ_AT_ONCE = { each: 12, all: 60 }
const MAX_WAITING = 4

/** At their blocks, where a tree was refused. */
function ruleProblemsOf(error: unknown): { rule_problems?: RuleProblem[] } {
  const parsed = RuleProblem.array().safeParse(error instanceof Problem ? error.facts?.['rule_problems'] : undefined)
  return parsed.success ? { rule_problems: parsed.data } : {}
}

export function serveBacktests(handle: Handle, deps: Deps): void {
  const reservePlace = readingPlaces(READ_AT_ONCE)
  const comparing = turnsPerUser(MAX_WAITING)
  const readForm = (userId: number, form: BacktestForm): Promise<ReadForm> | ReadForm => {
    const sent = { form, now: deps.clock.now().getTime() }
    return isSmall(form) ? readNow(sent) : deps.readLargeForm(sent, String(userId))
  }
  handle(contract.runBacktest, async ({ user, body, reply }) => {
    const { run, runId } = await readForm(user.id, body)
    const left = disconnectSignal(reply)
    const finished = await startBacktest(deps, { userId: user.id, run, runId, left, isValidated: true })
    reservePlace(user.id, reply)
    const { strategyId, backtestId, resultId, resultName, report } = finished
    const ids = { strategy_id: strategyId, backtest_id: backtestId, result_id: resultId, result_name: resultName }
    return { ...(await resultToWire(report)), ...ids }
  })
  handle(contract.checkBacktest, async ({ user, body }) => {
    try {
      const { run, warnings, reading, intraday } = await readForm(user.id, body)
      const history = historyWarnings(run, intraday, await deps.providersOf(user.id), deps.clock)
      return { warnings: [...warnings, ...history], problems: [], ...(reading && { reading }) }
    } catch (error) {
      const problems = problemsOfForm(error)
      return { warnings: [], problems, ...ruleProblemsOf(error) }
    }
  })
  handle(listRuleExamples, async () => ({
    examples: rulesExamples.map(({ key, name, description, source, tree }) => ({
      key,
      name,
      description,
      source,
      tree: { ...tree },
      reading: describeRules(tree, featureName),
    })),
  }))
  handle(contract.listBacktests, async ({ user, request: { log } }) => {
    const rows = await deps.backtests.list(user.id)
    const told = { list: 'backtests', schema: SavedBacktestItem, toWire: itemToWire, log }
    const { entries, ...leftOut } = readableRows(rows, told)
    return { backtests: entries, ...leftOut }
  })
  handle(contract.listRecentRuns, async ({ user, request: { log } }) => {
    // Saved ones take no place from the others, which can be found nowhere else.
    const lists = await Promise.all(
      [false, true].map((isSaved) => deps.backtests.recent(user.id, MAX_RECENT_RUNS, { isSaved })),
    )
    const rows = lists.flat().sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || b.id - a.id)
    const told = { list: 'recent runs', schema: contract.RecentRun, toWire: recentToWire, log }
    const { entries, ...leftOut } = readableRows(rows, told)
    return { runs: entries, ...leftOut }
  })
  handle(contract.compareBacktests, async ({ user, body, reply }) => {
    reservePlace(user.id, reply)
    const references = body.backtests.map((one) => ('id' in one ? one : { runId: one.run_id }))
    return comparisonToWire(await compareBacktests(deps, user.id, references))
  })
  handle(contract.getBacktest, async ({ user, params, reply }) => {
    reservePlace(user.id, reply)
    return toWire(await findBacktest(deps, user.id, params.id))
  })
  handle(contract.getBacktestRevisions, async ({ user, params, reply }) => {
    const asked = { userId: user.id, id: params.id, signal: disconnectSignal(reply) }
    return revisionsToWire(await comparing(user.id, () => revisionsOf(deps, asked)))
  })
  handle(contract.saveBacktest, async ({ user, params, body }) => {
    const { name, save_strategy: savesStrategy, save_backtest: savesBacktest } = body
    return changedToWire(await saveBacktest(deps, user.id, params.id, { name, savesStrategy, savesBacktest }))
  })
  handle(contract.renameBacktest, async ({ user, params, body }) =>
    changedToWire(await renameBacktest(deps, user.id, params.id, body.name)),
  )
  handle(contract.deleteBacktest, async ({ user, params }) => {
    await removeBacktest(deps, user.id, params.id)
    return { success: true as const }
  })
}

function revisionsToWire({ dataAt, reason, series }: Revisions): WireRevisions {
  const sum = (count: 'values' | 'revised' | 'removed' | 'added') =>
    series.reduce((total, one) => total + one[count], 0)
  const changed = series.flatMap(({ firstDay, ...one }) =>
    firstDay === undefined ? [] : [{ ...one, first_date: formatDate(firstDay) }],
  )
  return {
    data_at: dataAt === undefined ? null : new Date(dataAt).toISOString(),
    reason: reason ?? null,
    values: sum('values'),
    revised: sum('revised'),
    removed: sum('removed'),
    added: sum('added'),
    series: changed.toSorted((a, b) => b.revised + b.removed + b.added - (a.revised + a.removed + a.added)),
  }
}

const comparisonToWire = (comparison: BacktestComparison<ComparedRun>): WireComparison => ({
  start_date: formatDate(comparison.period.from),
  end_date: formatDate(comparison.period.to),
  start_ticker: comparison.startTicker ?? null,
  end_ticker: comparison.endTicker ?? null,
  compared: comparison.compared.map(({ id, name, holdings, result, ownPeriod, curve, metrics }) => ({
    id,
    name,
    holdings,
    rebalance_frequency: result.settings.rebalanceFrequency,
    own_start_date: formatDate(ownPeriod.from),
    own_end_date: formatDate(ownPeriod.to),
    metrics: curveMetricsToWire(metrics),
    figure_notes: metricNotes(metrics, ['curve']),
    risk_free: result.riskFree,
    dates: barDates({ granularity: result.settings.granularity, timestamps: curve.timestamps }),
    growth: fullColumnToWire(curve.growth),
    synthetic: result.synthetic,
    spliced_tickers: splicedToWire(result.spliced),
  })),
})
