import { plainLine } from '@tradewright/core/plain-line'
import { Problem } from '@tradewright/core/problem'
import { epochDayOf, formatDate } from '@tradewright/core/time'
import { studyMeasureKeys, studyMeasures, type StudyMeasure } from '@tradewright/core/rules/study'
import type { StudyFigures, VariantFigures, VariantResult } from '@tradewright/engine/study/evaluate'
import { planStudy, type StudyPlan, valuesOf } from '@tradewright/engine/study/plan'
import type { KeyScope } from '@tradewright/core/key-scopes'
import type { z } from 'zod'
import { backtestFacts, type BacktestFacts } from '../assistant/tools/backtest-tools.ts'
import type { AnyTool, Caller } from '../assistant/action.ts'
import type { StoredBoard } from '../backtests/robustness/stored-board.ts'
import { type BacktestReader, findBacktest, missing } from '../backtests/saved-backtests.ts'
import { findStrategy, type StrategyDeps } from '../strategies/own-strategies.ts'
import { findStudy, type OwnStudiesDeps } from '../studies/study-job.ts'
import { backtestWords } from '../assistant/topics/backtest-topics.ts'
import { paragraphs, signedPercent, table, plain, ratio, SYNTHETIC_NOTE } from '../assistant/words.ts'
import { errorOf, statusOf } from '../jobs/job.ts'
import type { Study, StudyItem } from '../studies/study.ts'

/** A program with an API key of a user; everything it reads and starts is that user's own. */
export interface McpCaller extends Caller {
  /** Aborted when the client cancels the call. A lost connection aborts nothing: what was started goes on. */
  readonly signal: AbortSignal
  readonly key: { readonly id: string; readonly name: string; readonly scopes: readonly KeyScope[] }
  /** `fraction` from 0 to 1, or null when it cannot tell. */
  readonly onProgress: (fraction: number | null, note: string) => void
}

/** Where the whole of a result can be read, in pages. */
interface ResultLink {
  readonly uri: string
  readonly name: string
  readonly mimeType: string
}

export interface McpResult {
  /** In words: figures, verdicts, and that prices were made up where they were. */
  readonly summary?: string
  readonly data?: unknown
  readonly links?: readonly ResultLink[]
}

interface McpTool<Input = unknown> {
  readonly name: string
  readonly title: string
  /** For the model. */
  readonly description: string
  /** Any of them allows it. `trade-paper` and `trade-live` allow nothing here. */
  readonly scopes: readonly Exclude<KeyScope, 'trade-paper' | 'trade-live'>[]
  /** `proposes`: it waits for a user's answer, and changes nothing else. */
  readonly effect: 'reads' | 'computes' | 'proposes'
  readonly input: z.ZodType<Input>
  run(caller: McpCaller, input: Input): Promise<McpResult>
}

// oxlint-disable-next-line typescript/no-explicit-any
export type AnyMcpTool = McpTool<any>

export const defineMcpTool = <Input>(tool: McpTool<Input>): McpTool<Input> => tool

export const mayUse = ({ scopes }: Pick<AnyMcpTool, 'scopes'>, { key }: Pick<McpCaller, 'key'>): boolean =>
  scopes.some((scope) => key.scopes.includes(scope))

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

/** A result in words, for a reader without our charts. */
export const backtestSummary = (name: string, facts: BacktestFacts): string =>
  backtestWords(name, { ...facts, curve: [] })

export const backtestReport = (name: string, facts: BacktestFacts): string =>
  paragraphs(
    backtestSummary(name, facts),
    facts.yearly_returns.length > 0 &&
      table(
        ['Year', 'Return'],
        facts.yearly_returns.map(({ year, return: earned }) => [String(year), signedPercent(earned)]),
      ),
  )

export const studyFacts = (study: StudyItem) => ({
  study_id: study.id,
  status: statusOf(study),
  strategy: study.settings.strategyName,
  varied: study.settings.labels,
  method: study.settings.request.method,
  start_date: formatDate(study.settings.request.backtest.from),
  end_date: formatDate(study.settings.request.backtest.to),
  variants: study.settings.variants,
  evaluated: study.evaluated,
  progress: statusOf(study) === 'running' ? (study.job?.progress?.note ?? 'Waiting for its turn') : null,
  error: statusOf(study) === 'failed' ? errorOf(study) : null,
  created: study.createdAt.toISOString(),
})

/** How it stands and what came out, without the figures of each variant. */
export function studyOutcome(study: Study, results: readonly VariantResult[]) {
  if (!study.outcome) return { ...studyFacts(study), result: null }
  const { report, notes } = study.outcome
  const plan = planStudy(study.settings.request)
  const { luck, period } = report
  const best = resultAt(plan, results, report.best)
  return {
    ...studyFacts(study),
    result: {
      measure: plan.request.measure,
      best: best && { numbers: numbersOf(plan, report.best!), ...parts(best) },
      present: 'problem' in report.present ? null : parts(report.present),
      holding: report.holding && { tickers: report.holdingTickers, ...parts(report.holding) },
      median: report.median,
      above_holding: report.aboveHolding,
      trials: report.trials,
      failed: report.failed,
      failure: report.failure,
      luck: luck.summary,
      checks: { deflated: luck.deflated, hold_out: luck.holdOut, neighbourhood: luck.neighbourhood },
      actual_start_date: formatDate(period.from),
      actual_end_date: formatDate(period.to),
      hold_out_from: period.holdOutFrom === null ? null : formatDate(period.holdOutFrom),
      synthetic: report.synthetic,
      notes,
    },
  }
}

export function studySummary(study: Study, results: readonly VariantResult[]): string {
  const { status, evaluated, variants, progress, error } = studyFacts(study)
  const name = `Parameter study ${study.id} of “${plain(study.settings.strategyName)}”`
  if (status === 'running')
    return `${name} is under way: ${evaluated} of ${variants} variants. ${progress ?? ''}`.trim()
  if (status === 'failed') return `${name} failed. ${error ?? ''}`.trim()
  if (!study.outcome) return `${name} was cancelled after ${evaluated} of ${variants} variants.`
  const { report, notes } = study.outcome
  const plan = planStudy(study.settings.request)
  const best = resultAt(plan, results, report.best)
  const rows: [string, Omit<VariantFigures, 'activeSharpe'> | null][] = [
    ['Best variant', best],
    ['Your numbers', 'problem' in report.present ? null : report.present],
    [`Always holding ${plain(report.holdingTickers.join(', '))}`, report.holding],
  ]
  const { summary, deflated, holdOut, neighbourhood } = report.luck
  return paragraphs(
    `${name}: ${report.trials} variants, best by ${studyMeasures[plan.request.measure].label} in-sample.`,
    report.synthetic && SYNTHETIC_NOTE,
    `**${summary.words}.** ${summary.sentence}`,
    best !== null &&
      table(
        ['Number', 'Best', 'Yours'],
        numbersOf(plan, report.best!).map(({ label, value }, i) => [
          plain(label),
          String(value),
          String(plan.numbers[i]!.value),
        ]),
      ),
    ...(['inSample', 'holdOut'] as const).map(
      (part) =>
        rows.some(([, figures]) => figures?.[part]) &&
        table(
          [part === 'inSample' ? 'In-sample' : 'Hold-out', ...studyMeasureKeys.map((key) => studyMeasures[key].label)],
          rows.map(([label, figures]) => [label].concat(studyMeasureKeys.map((key) => figure(key, figures?.[part])))),
        ),
    ),
    [deflated, holdOut, neighbourhood].map(({ words, sentence }) => `- **${words}.** ${sentence}`).join('\n'),
    report.failure !== null && `${report.failed} variants could not be run: ${plain(report.failure)}`,
    notes.map((note) => `- ${plain(note)}`).join('\n'),
  )
}

/** A head and a line for each variant, in the order of the plan. */
function variantLines(study: Study, results: readonly VariantResult[]): { head: string; lines: string[] } {
  const plan = planStudy(study.settings.request)
  const columns = studyMeasureKeys.flatMap((key) => [`in_sample_${key}`, `hold_out_${key}`])
  return {
    head: [...plan.numbers.map(({ path }) => path), ...columns].join(','),
    lines: results.map((result, place) => {
      const figures = 'problem' in result ? null : result
      const values = studyMeasureKeys.flatMap((key) => [figures?.inSample[key], figures?.holdOut?.[key]])
      return [...valuesOf(plan, plan.cells[place]!), ...values.map((value) => value ?? '')].join(',')
    }),
  }
}

const numbersOf = (plan: StudyPlan, cell: number) => {
  const values = valuesOf(plan, cell)
  return plan.numbers.map(({ path, label }, i) => ({ path, label, value: values[i]! }))
}

function resultAt({ cells }: StudyPlan, results: readonly VariantResult[], cell: number | null): VariantFigures | null {
  const result = cell === null ? undefined : results[cells.indexOf(cell)]
  return result === undefined || 'problem' in result ? null : result
}

const parts = ({ inSample, holdOut }: Omit<VariantFigures, 'activeSharpe'>) => ({
  in_sample: inSample,
  hold_out: holdOut,
})

const figure = (key: StudyMeasure, figures: StudyFigures | null | undefined): string =>
  (studyMeasures[key].isPercent ? signedPercent : ratio)(figures?.[key])
