import {
  cancelOptimizationRun,
  getOptimizationRun,
  listOptimizationRuns,
  runOptimization,
} from '@tradewright/contract/optimizer'
import type { OptimizationRun } from '@tradewright/contract/optimization-run'
import type { OptimizationRequest } from '@tradewright/contract/optimizer-form'
import { setTimeout as delay } from 'node:timers/promises'
import type { Argument, Command, Invocation, Option } from '../command.ts'
import { EXIT, type ExitCode, Failure, usage } from '../failure.ts'
import { noteLines, number, percent } from '../figures.ts'
import { readJson, writeText } from '../files.ts'
import { plain, table } from '../output.ts'

/** A key has 120 calls a minute unless it was made with fewer. */
const POLL_MS = 2_000
/** A server that restarts takes the run up again. */
const MAX_LOST_POLLS = 15

const out: Option = { value: 'FILE', help: 'write the winner as a strategy for “tradewright backtest” (.json)' }
const id: Argument = { name: 'ID' }

export const optimize: Command = {
  name: 'optimize',
  summary: 'Start an optimizer run, follow it, and show what it found.',
  args: [{ name: 'FILE', isFile: true }],
  options: { detach: { help: 'start the run, print its id and exit' }, out },
  details: [
    'FILE is JSON: the body of POST /api/v1/feature-optimization (target_asset, feature_types, start_date, end_date, generations…).',
    'Ctrl-C asks the server to cancel the run. The key needs the scopes research and read.',
  ],
  examples: [
    'tradewright optimize search.json --out winner.json && tradewright backtest winner.json',
    'tradewright optimize search.json --detach',
  ],
  async run(invocation) {
    const file = readJson(invocation.args[0]!)
    if (typeof file !== 'object' || file === null || Array.isArray(file)) throw usage('A request is a JSON object.')
    const body: OptimizationRequest = { ...file, wait: false }
    const { run_id: runId } = await invocation.client().call(runOptimization, { body })
    if (invocation.flag('detach')) {
      invocation.out.result({ run_id: runId }, () => [
        `Run ${runId} has started. Follow it: tradewright optimize follow ${runId}`,
      ])
      return EXIT.ok
    }
    try {
      return show(invocation, await follow(invocation, runId))
    } catch (error) {
      if (!invocation.interrupted.aborted) throw error
      await invocation.client().call(cancelOptimizationRun, { params: { id: String(runId) } })
      throw new Failure(EXIT.interrupted, `Cancelled run ${runId}.`)
    }
  },
}

export const optimizeFollow: Command = {
  name: 'optimize follow',
  summary: 'Follow a run to its end, and show what it found. Ctrl-C leaves it running.',
  args: [id],
  options: { out },
  examples: ['tradewright optimize follow 12'],
  run: async (invocation) => show(invocation, await follow(invocation, idOf(invocation))),
}

export const optimizeResult: Command = {
  name: 'optimize result',
  summary: 'What a run found, or its progress so far.',
  args: [id],
  options: { out },
  examples: ['tradewright optimize result 12', 'tradewright optimize result 12 --json > run.json'],
  run: async (invocation) => show(invocation, await read(invocation, idOf(invocation))),
}

export const optimizeList: Command = {
  name: 'optimize list',
  summary: 'Optimizer runs, newest first.',
  args: [],
  options: {},
  examples: ['tradewright optimize list'],
  async run(invocation) {
    const answer = await invocation.client().call(listOptimizationRuns)
    const rows = answer.optimization_runs.map((run) => [
      String(run.id),
      run.paused ? 'paused' : run.status,
      run.target_asset,
      `${run.current_generation} of ${run.ga_parameters.generations}`,
      run.best_fitness === null ? 'n/a' : number(run.best_fitness, 4),
      [...(run.synthetic ? ['synthetic'] : []), ...(run.spliced_tickers?.length ? ['fallback prices'] : [])].join(', '),
      run.created_at,
    ])
    const columns = [
      { title: 'ID', align: 'right' as const },
      { title: 'Status' },
      { title: 'Target' },
      { title: 'Generation' },
      { title: 'Best fitness', align: 'right' as const },
      { title: 'Data' },
      { title: 'Started' },
    ]
    invocation.out.result(answer, () => (rows.length === 0 ? ['No runs yet.'] : table(columns, rows)))
    return EXIT.ok
  },
}

function idOf({ args }: Invocation): number {
  if (!/^\d{1,15}$/.test(args[0]!)) throw usage(`“${args[0]}” is not the id of a run.`)
  return Number(args[0])
}

const read = (invocation: Invocation, runId: number): Promise<OptimizationRun> =>
  invocation.client().call(getOptimizationRun, { params: { id: String(runId) }, signal: invocation.interrupted })

async function follow(invocation: Invocation, runId: number): Promise<OptimizationRun> {
  const { out, interrupted } = invocation
  const client = invocation.client()
  const query = { after_generation: '200' }
  for (let lost = 0; ;) {
    try {
      const run = await client.call(getOptimizationRun, { params: { id: String(runId) }, query, signal: interrupted })
      lost = 0
      if (run.status !== 'running' && run.status !== 'cancel_requested') break
      out.progress(run.progress?.fraction ?? null, run.paused ? 'Paused' : progressNote(run))
    } catch (error) {
      const isAway = error instanceof Failure && error.exit === EXIT.away
      if (!isAway || ++lost > MAX_LOST_POLLS) throw error
      out.progress(null, 'The server cannot be reached; trying again')
    }
    try {
      await delay(POLL_MS, undefined, { signal: interrupted })
    } catch {
      throw new Failure(EXIT.interrupted, `Interrupted. Run ${runId} continues.`)
    }
  }
  out.clearProgress()
  return read(invocation, runId)
}

function progressNote({ progress }: OptimizationRun): string {
  if (!progress) return 'Waiting'
  const { generation, generations, best_fitness: best } = progress
  const found = best === null ? '' : `, best ${number(best, 4)}`
  return `generation ${generation} of ${generations}${found}  ${progress.note}`
}

function show({ out, text }: Invocation, run: OptimizationRun): ExitCode {
  const { results } = run
  const file = text('out')
  if (file !== undefined && results) writeText(file, `${JSON.stringify(results.optimized_strategy, null, 2)}\n`)
  out.result(run, () => {
    const title = out.paint('bold', `Run ${run.id} (${plain(run.target_asset)}): ${run.paused ? 'paused' : run.status}`)
    const error = run.error_message === null ? [] : [plain(run.error_message)]
    if (!results) return [title, ...error, ...(run.progress ? [plain(progressNote(run))] : [])]
    const { best_performance: best, luck } = results
    const figure = (value: number | null, write: (known: number) => string) => (value === null ? 'n/a' : write(value))
    return [
      title,
      ...error,
      ...table(
        [{ title: '' }, { title: '', align: 'right' }, { title: '' }],
        [
          ['Best fitness', number(results.best_fitness, 4), ''],
          ['Accuracy', figure(best.accuracy, percent), ''],
          ['CAGR', figure(best.cagr, percent), ''],
          ['Sharpe', figure(best.sharpe, (value) => number(value, 2)), ''],
          ['Evaluations', number(results.total_evaluations, 0), ''],
          ['Hold-out', figure(luck.hold_out.value, (value) => number(value, 4)), luck.hold_out.verdict_text],
        ],
      ),
      '',
      out.paint('bold', 'Features'),
      ...results.best_features.map(({ label }) => `  ${plain(label)}`),
      '',
      plain(luck.summary.sentence),
      ...noteLines(results, out),
      ...(file === undefined ? [] : ['', `Wrote ${file}.`]),
    ]
  })
  return run.status === 'failed' || run.status === 'abandoned' ? EXIT.negative : EXIT.ok
}
