import { plainLine } from '@tradewright/core/plain-line'
import { Problem } from '@tradewright/core/problem'
import { epochDayOf, formatDate } from '@tradewright/core/time'
import { backtestFacts } from '../assistant/tools/backtest-facts.ts'
import type { AnyTool, Caller } from '../assistant/tool.ts'
import type { StoredBoard } from '../backtests/robustness/stored-board.ts'
import { type BacktestReader, findBacktest, missing } from '../backtests/saved-backtests.ts'
import { findStrategy, type StrategyDeps } from '../strategies/own-strategies.ts'
import { findStudy, type OwnStudiesDeps } from '../studies/own-studies.ts'
import { backtestReport } from './backtest-report.ts'
import { studyOutcome, variantLines } from './study-report.ts'
import type { ResultLink } from './tool.ts'

export interface ResourceDeps extends BacktestReader, StrategyDeps, Pick<OwnStudiesDeps, 'studies'> {
  /** The assistant's tool that reads an optimizer run. */
  readonly readRun: AnyTool
  /** A robustness report as the API answers it. */
  readonly boardOf: (board: StoredBoard) => unknown
}

interface ResourceText {
  readonly mimeType: string
  readonly text: string
}

/** Rows of a table that one reading gives. */
const PAGE_ROWS = 1_000
const MAX_BACKTESTS = 50
const MAX_STUDIES = 20

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
export const boardLink = (id: number): ResultLink => ({
  uri: uriOf(`backtests/${id}/robustness`),
  name: `Robustness report of backtest ${id}`,
  mimeType: JSON_TYPE,
})
export const runLink = (id: number): ResultLink => ({
  uri: uriOf(`optimizer-runs/${id}`),
  name: `Optimizer run ${id}`,
  mimeType: JSON_TYPE,
})
export const studyLink = (id: number): ResultLink => ({
  uri: uriOf(`parameter-studies/${id}`),
  name: `Parameter study ${id}`,
  mimeType: JSON_TYPE,
})
export const variantsLink = (id: number): ResultLink => ({
  uri: uriOf(`parameter-studies/${id}/variants?page=1`),
  name: `Variants of parameter study ${id}`,
  mimeType: CSV_TYPE,
})

interface Asked {
  readonly caller: Caller
  readonly id: number
  readonly page: number
}

interface ResourceKind {
  readonly name: string
  readonly description: string
  readonly mimeType: string
  /** Present where the resource is a table, which is read by pages. */
  readonly hasPages?: true
  readonly read: (deps: ResourceDeps, asked: Asked) => Promise<string>
}

/** By the address, with `{id}` in its place. One more kind of resource is one more entry. */
const RESOURCES: Readonly<Record<string, ResourceKind>> = {
  'backtests/{id}': {
    name: 'Backtest',
    description: 'Figures and checks.',
    mimeType: JSON_TYPE,
    read: async (deps, { caller, id }) => {
      const { name, report } = await findBacktest(deps, caller.userId, id)
      return JSON.stringify({ backtest_id: id, name, ...backtestFacts(report) })
    },
  },
  'backtests/{id}/report': {
    name: 'Report of a backtest',
    description: 'The result as text and tables.',
    mimeType: MARKDOWN_TYPE,
    read: async (deps, { caller, id }) => {
      const { name, report } = await findBacktest(deps, caller.userId, id)
      return backtestReport(name, backtestFacts(report))
    },
  },
  'backtests/{id}/curve': {
    name: 'Curve of a backtest',
    description: `Date and account value, ${PAGE_ROWS} rows a page, from page 1.`,
    mimeType: CSV_TYPE,
    hasPages: true,
    read: async (deps, { caller, id, page }) => {
      const { report } = await findBacktest(deps, caller.userId, id)
      return pageOf('curve', { head: 'date,value', lines: curveLines(report.result.curve) }, page)
    },
  },
  'backtests/{id}/robustness': {
    name: 'Robustness report of a backtest',
    description: 'Every check with its figures and what its chart shows.',
    mimeType: JSON_TYPE,
    read: async ({ backtests, boardOf }, { caller, id }) => {
      const { board } = (await backtests.findBoard(caller.userId, id)) ?? missing()
      if (board) return JSON.stringify({ backtest_id: id, ...(boardOf(board) as object) })
      throw new Problem('missing', 'robustness.missing', 'The robustness checks of this backtest have not been run.')
    },
  },
  'optimizer-runs/{id}': {
    name: 'Optimizer run',
    description: 'Its outcome.',
    mimeType: JSON_TYPE,
    read: async ({ readRun }, { caller, id }) => JSON.stringify(await readRun.run(caller, { run_id: id })),
  },
  'parameter-studies/{id}': {
    name: 'Parameter study',
    description: 'Its status; its best variant and how much of it may be luck.',
    mimeType: JSON_TYPE,
    read: async (deps, { caller, id }) => {
      const study = await findStudy(deps, caller.userId, id)
      return JSON.stringify(studyOutcome(study, study.outcome ? await deps.studies.results(id) : []))
    },
  },
  'parameter-studies/{id}/variants': {
    name: 'Variants of a parameter study',
    description: `Numbers and figures of each variant, ${PAGE_ROWS} rows a page, from page 1.`,
    mimeType: CSV_TYPE,
    hasPages: true,
    read: async (deps, { caller, id, page }) => {
      const study = await findStudy(deps, caller.userId, id)
      return pageOf('study', variantLines(study, study.outcome ? await deps.studies.results(id) : []), page)
    },
  },
  'strategies/{id}': {
    name: 'Strategy',
    description: 'Its settings.',
    mimeType: JSON_TYPE,
    read: async (deps, { caller, id }) => {
      const { name, type, description, config } = await findStrategy(deps, caller.userId, id)
      return JSON.stringify({ strategy_id: id, name, type, description, settings: config })
    },
  },
}

export const RESOURCE_TEMPLATES = Object.entries(RESOURCES).map(
  ([path, { name, description, mimeType, hasPages }]) => ({
    uriTemplate: uriOf(hasPages ? `${path}{?page}` : path),
    name,
    description,
    mimeType,
  }),
)

/** The newest results. */
export async function listResources({ backtests, studies }: ResourceDeps, { userId }: Pick<Caller, 'userId'>) {
  const [runs, studied] = await Promise.all([backtests.recent(userId, MAX_BACKTESTS), studies.list(userId)])
  return [
    ...runs.map(({ id, name }) => backtestLink(id, name)),
    ...studied.slice(0, MAX_STUDIES).map(({ id }) => studyLink(id)),
  ]
}

export async function readResource(deps: ResourceDeps, caller: Caller, uri: string): Promise<ResourceText> {
  const [, kind = '', digits = '', part = ''] =
    /^tradewright:\/\/([a-z-]+)\/(\d{1,9})(\/[a-z]+)?$/.exec(uri.split('?', 1)[0]!) ?? []
  const path = `${kind}/{id}${part}`
  const resource = Object.hasOwn(RESOURCES, path) ? RESOURCES[path] : undefined
  if (!resource) throw new Problem('missing', 'resource.missing', 'There is no such resource.')
  const page = Number(URL.parse(uri)?.searchParams.get('page') ?? '1')
  return { mimeType: resource.mimeType, text: await resource.read(deps, { caller, id: Number(digits), page }) }
}

interface Curve {
  readonly timestamps: ArrayLike<number | null>
  readonly values: ArrayLike<number | null>
}

const curveLines = ({ timestamps, values }: Curve): string[] =>
  Array.from(values).flatMap((value, row) => {
    const stamp = timestamps[row]
    return typeof stamp === 'number' && typeof value === 'number' ? [`${formatDate(epochDayOf(stamp))},${value}`] : []
  })

function pageOf(what: string, { head, lines }: { head: string; lines: readonly string[] }, page: number): string {
  const pages = Math.max(1, Math.ceil(lines.length / PAGE_ROWS))
  if (!Number.isInteger(page) || page < 1 || page > pages) {
    throw new Problem('missing', 'resource.page', `The ${what} has pages 1 to ${pages}.`)
  }
  const rows = [head, ...lines.slice((page - 1) * PAGE_ROWS, page * PAGE_ROWS)]
  return `# page ${page} of ${pages}\n${rows.join('\n')}\n`
}
