import { kindNamed } from '@tradewright/core/strategy-kinds'
import { LONGEST_PERIOD_START } from '../../../strategy-form/dates.ts'
import { nextKey } from '../../../strategy-form/tickers/allocation-rows.ts'
import { leverAll, leveragedTicker, sharedLeverage } from '../../../strategy-form/tickers/leverage.ts'
import type { TickerRow } from '../../../strategy-form/tickers/ticker-row.ts'
import type { BacktestForm } from '../form/form.ts'
import type { PortfolioColumn, PortfolioTable } from './portfolio-columns.ts'
import type { PlannedRun } from './run-on-common-period.ts'

/** With the benchmark, as many as one comparison takes. */
export const MAX_PORTFOLIOS = 5

export const BENCHMARK = 'SPY'

const titleOf = ({ name }: PortfolioColumn, position: number): string => name.trim() || `Portfolio ${position + 1}`

/**
 * The form with a second portfolio beside the one it has. SPY is the benchmark and the period the longest one, unless they
 * were chosen already, or run with.
 */
export function withTable(form: BacktestForm): Partial<BacktestForm> {
  const shared = sharedLeverage(form.allocations)
  // Rows that differ in leverage keep it in their tickers: a column has one leverage.
  const rows = form.allocations.map(({ key, ticker, leverage }) => ({
    key,
    ticker: shared === undefined ? leveragedTicker(ticker, leverage) : ticker,
  }))
  const first: PortfolioColumn = {
    key: 0,
    name: form.strategyName,
    weights: Object.fromEntries(form.allocations.map(({ key, allocation }) => [key, allocation])),
    rebalanceFrequency: form.rebalanceFrequency,
    leverage: shared ?? '',
  }
  return {
    portfolios: addColumn({ rows, columns: [first] }),
    referenceTicker: form.referenceTicker || BENCHMARK,
    startDate: form.isPeriodChosen ? form.startDate : LONGEST_PERIOD_START,
  }
}

/** A new column begins with the weights of the one before it, which is then changed. */
export function addColumn({ rows, columns }: PortfolioTable): PortfolioTable {
  const last = columns.at(-1)
  const added: PortfolioColumn = {
    key: nextKey(columns),
    name: '',
    weights: { ...last?.weights },
    rebalanceFrequency: last?.rebalanceFrequency ?? 'yearly',
    leverage: last?.leverage ?? '',
  }
  return { rows, columns: [...columns, added] }
}

/** With one column left, the form of one portfolio is back. */
export function removeColumn(form: BacktestForm, key: number): Partial<BacktestForm> {
  if (!form.portfolios) return {}
  const columns = form.portfolios.columns.filter((column) => column.key !== key)
  const [only, ...others] = columns
  if (!only || others.length > 0) return { portfolios: { ...form.portfolios, columns } }
  return {
    portfolios: null,
    strategyName: only.name,
    rebalanceFrequency: only.rebalanceFrequency,
    allocations: leverAll(holdingsOf(form.portfolios, only), only.leverage),
  }
}

/** What a portfolio holds: rows with a weight other than 0. A weight that is half typed stays, for the server to judge. */
export function holdingsOf({ rows }: Pick<PortfolioTable, 'rows'>, { weights }: PortfolioColumn): TickerRow[] {
  return rows.flatMap(({ key, ticker }) => {
    const allocation = weights[key] ?? ''
    const isHeld = allocation !== '' && Number(allocation) !== 0
    return isHeld ? [{ key, ticker, allocation }] : []
  })
}

const NOT_SAVED = { backtestName: '', saveStrategy: false, saveBacktest: false } as const

/** The form of each portfolio, to be run by itself and saved afterwards; none for a form of one portfolio. */
export function portfolioForms(form: BacktestForm): BacktestForm[] {
  const table = form.portfolios
  if (!table || !kindNamed(form.strategyType).isFixed) return []
  return table.columns.map((column) => formOf(form, table, column))
}

const formOf = (form: BacktestForm, table: PortfolioTable, column: PortfolioColumn): BacktestForm => ({
  ...form,
  portfolios: null,
  strategyName: column.name,
  ...NOT_SAVED,
  rebalanceFrequency: column.rebalanceFrequency,
  allocations: leverAll(holdingsOf(table, column), column.leverage),
})

/** All of the benchmark, bought once and held; null without one. */
function benchmarkForm(form: BacktestForm): BacktestForm | null {
  const ticker = leveragedTicker(form.referenceTicker, form.referenceLeverage)
  if (!ticker) return null
  return {
    ...form,
    portfolios: null,
    strategyName: ticker,
    ...NOT_SAVED,
    allocations: [{ key: 0, ticker, allocation: 100 }],
    rebalanceFrequency: 'none',
    rebalanceBandPct: '',
    referenceTicker: '',
    referenceBacktestId: '',
  }
}

/** What one press runs: every portfolio and the benchmark, which is measured like them. */
export function plannedRuns(form: BacktestForm): PlannedRun[] {
  const portfolios = portfolioForms(form).map((one, position) => ({
    title: titleOf(form.portfolios!.columns[position]!, position),
    isBenchmark: false,
    form: one,
  }))
  const benchmark = portfolios.length > 0 ? benchmarkForm(form) : null
  return benchmark ? [...portfolios, { title: benchmark.strategyName, isBenchmark: true, form: benchmark }] : portfolios
}
