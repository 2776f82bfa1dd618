import type { BacktestResult } from '@tradewright/contract/backtest-result'
import { allMetrics, type Metric, wireKeyOf } from '@tradewright/core/metric-catalogue'
import { type Output, plain, table } from './output.ts'

const GROUPS: [group: Metric['group'], title: string][] = [
  ['return', 'Return'],
  ['risk', 'Risk'],
  ['reference', 'Against the reference'],
  ['trading', 'Trading'],
]

const UNITS: Record<Metric['unit'], (value: number) => string> = {
  percent: (value) => percent(value),
  'signed percent': (value) => `${value > 0 ? '+' : ''}${percent(value)}`,
  ratio: (value) => number(value, 2),
  times: (value) => number(value, 2),
  dollars: (value) => dollars(value),
  count: (value) => number(value, 0),
  days: (value) => `${number(value, 0)} days`,
}

export const number = (value: number, decimals: number): string =>
  value.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
export const percent = (fraction: number): string => `${number(fraction * 100, 2)}%`
export const dollars = (value: number): string => `${value < 0 ? '-' : ''}$${number(Math.abs(value), 2)}`

/** Every figure of a result with its note, and what its reader should know about the data. */
export function backtestLines(result: BacktestResult, out: Output): string[] {
  const { strategy_name: name, strategy_type: type, actual_start_date: start, actual_end_date: end } = result
  const figures = GROUPS.map(([group, title]) => ({
    title,
    rows: allMetrics.filter((metric) => metric.group === group).flatMap((metric) => rowOf(metric, result)),
  })).filter(({ rows }) => rows.length > 0)
  const rows = figures.flatMap((group) => group.rows)
  const aligned = table([{ title: '' }, { title: '', align: 'right' }, { title: '' }], rows)
  const lineOf = (row: Row) => aligned[rows.indexOf(row)]!
  return [
    out.paint('bold', `${plain(name) || 'Backtest'} (${type}), ${start} to ${end}`),
    ...figures.flatMap((group) => ['', out.paint('bold', group.title)].concat(group.rows.map(lineOf))),
    ...noteLines(result, out),
  ]
}

export function noteLines(
  { synthetic, synthetic_tickers: tickers, notes }: Pick<BacktestResult, 'synthetic' | 'synthetic_tickers' | 'notes'>,
  out: Output,
): string[] {
  const madeUp = `Synthetic data: the prices of ${tickers.join(', ')} are made up by the sample market.`
  const all = [...(synthetic ? [madeUp] : []), ...notes]
  return all.length === 0 ? [] : ['', ...all.map((note) => out.paint('yellow', `! ${plain(note)}`))]
}

type Row = [label: string, value: string, note: string]

function rowOf(metric: Metric, { metrics, figure_notes: reasons }: BacktestResult): Row[] {
  const wireKey = wireKeyOf(metric)
  const value: unknown = (metrics as Record<string, unknown>)[wireKey]
  const { label, note = '' } = metric
  if (typeof value === 'number') return [[label, UNITS[metric.unit](value), note]]
  if (value === null || value === undefined) {
    const reason = reasons[`metrics.${wireKey}`] ?? reasons[wireKey]
    // Without a reference the result has no such figures, and their reasons are all the same.
    return metric.group === 'reference' || metric.value === 'month ends' ? [] : [[label, 'n/a', reason ?? '']]
  }
  const { depth, return: gain, ...at } = value as Record<string, unknown>
  if (typeof depth === 'number')
    return [[label, percent(depth), `${text(at['peak_date'])} to ${text(at['trough_date'])}`]]
  if (typeof gain === 'number') return [[label, UNITS[metric.unit](gain), whenOf(at)]]
  return []
}

const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

const whenOf = ({ date, year, month }: Record<string, unknown>): string =>
  text(date) || [text(year), text(month).padStart(2, '0')].filter((part) => part !== '00').join('-')
