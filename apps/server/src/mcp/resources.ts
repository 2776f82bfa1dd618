import { plainLine } from '@tradewright/core/plain-line'
import { Problem } from '@tradewright/core/problem'
import { epochDayOf, formatDate } from '@tradewright/core/time'
import { backtestFacts } from '../assistant/tools/backtest-facts.ts'
import type { AnyTool, Caller } from '../assistant/tool.ts'
import { type BacktestReader, findBacktest } from '../backtests/saved-backtests.ts'
import { findStrategy, type StrategyDeps } from '../strategies/own-strategies.ts'
import { backtestReport } from './backtest-report.ts'
import type { ResultLink } from './tool.ts'

export interface ResourceDeps extends BacktestReader, StrategyDeps {
  /** The assistant's tool that reads an optimizer run. */
  readonly readRun: AnyTool
}

interface ResourceText {
  readonly mimeType: string
  readonly text: string
}

/** Rows of a curve that one reading gives. */
const PAGE_ROWS = 1_000
const LISTED = 50

const uriOf = (path: string): string => `tradewright://${path}`

const JSON_TYPE = 'application/json'
const CSV_TYPE = 'text/csv'
const MARKDOWN_TYPE = 'text/markdown'

export const backtestLink = (id: number, name: string): ResultLink => ({
  uri: uriOf(`backtests/${id}`),
  name: plainLine(name, 100),
  mimeType: JSON_TYPE,
})
export const curveLink = (id: number): ResultLink => ({
  uri: uriOf(`backtests/${id}/curve?page=1`),
  name: `Curve of backtest ${id}`,
  mimeType: CSV_TYPE,
})
export const runLink = (id: number): ResultLink => ({
  uri: uriOf(`optimizer-runs/${id}`),
  name: `Optimizer run ${id}`,
  mimeType: JSON_TYPE,
})

/** Addresses with a blank; one more kind of resource is one more entry here and in `readResource`. */
export const RESOURCE_TEMPLATES = [
  { uriTemplate: uriOf('backtests/{id}'), name: 'Backtest', mimeType: JSON_TYPE, description: 'Figures and checks.' },
  {
    uriTemplate: uriOf('backtests/{id}/report'),
    name: 'Report of a backtest',
    mimeType: MARKDOWN_TYPE,
    description: 'The result in words and tables.',
  },
  {
    uriTemplate: uriOf('backtests/{id}/curve{?page}'),
    name: 'Curve of a backtest',
    mimeType: CSV_TYPE,
    description: `Date and account value, ${PAGE_ROWS} rows a page, from page 1.`,
  },
  {
    uriTemplate: uriOf('optimizer-runs/{id}'),
    name: 'Optimizer run',
    mimeType: JSON_TYPE,
    description: 'Its outcome.',
  },
  { uriTemplate: uriOf('strategies/{id}'), name: 'Strategy', mimeType: JSON_TYPE, description: 'Its settings.' },
] as const

/** The newest results. */
export async function listResources({ backtests }: ResourceDeps, { userId }: Pick<Caller, 'userId'>) {
  const runs = await backtests.recent(userId, LISTED)
  return runs.map(({ id, name }) => backtestLink(id, name))
}

export async function readResource(deps: ResourceDeps, caller: Caller, uri: string): Promise<ResourceText> {
  const parsed = URL.parse(uri)
  const [, kind, digits = '', part = ''] =
    /^tradewright:\/\/([a-z-]+)\/(\d{1,9})(?:\/([a-z]+))?$/.exec(uri.split('?', 1)[0]!) ?? []
  const id = Number(digits)
  if (kind === 'backtests') {
    const { name, report } = await findBacktest(deps, caller.userId, id)
    if (part === '') return json({ backtest_id: id, name, ...backtestFacts(report) })
    if (part === 'report') return { mimeType: MARKDOWN_TYPE, text: backtestReport(name, backtestFacts(report)) }
    if (part === 'curve') return curvePage(report.result.curve, Number(parsed?.searchParams.get('page') ?? '1'))
  }
  if (kind === 'optimizer-runs' && part === '') return json(await deps.readRun.run(caller, { run_id: id }))
  if (kind === 'strategies' && part === '') {
    const { name, type, description, config } = await findStrategy(deps, caller.userId, id)
    return json({ strategy_id: id, name, type, description, settings: config })
  }
  throw new Problem('missing', 'resource.missing', 'There is no such resource.')
}

const json = (value: unknown): ResourceText => ({ mimeType: JSON_TYPE, text: JSON.stringify(value) })

interface Curve {
  readonly timestamps: ArrayLike<number | null>
  readonly values: ArrayLike<number | null>
}

function curvePage({ timestamps, values }: Curve, page: number): ResourceText {
  const pages = Math.max(1, Math.ceil(values.length / PAGE_ROWS))
  if (!Number.isInteger(page) || page < 1 || page > pages) {
    throw new Problem('missing', 'resource.page', `The curve has pages 1 to ${pages}.`)
  }
  const rows = ['date,value']
  for (let row = (page - 1) * PAGE_ROWS; row < Math.min(values.length, page * PAGE_ROWS); row++) {
    const [stamp, value] = [timestamps[row], values[row]]
    if (typeof stamp === 'number' && typeof value === 'number') rows.push(`${formatDate(epochDayOf(stamp))},${value}`)
  }
  return { mimeType: CSV_TYPE, text: `# page ${page} of ${pages}\n${rows.join('\n')}\n` }
}
