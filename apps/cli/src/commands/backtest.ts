import { standInsOn } from '@tradewright/contract/backtest-figures'
import { type BacktestAnswer, BACKTEST_JOB, runBacktest } from '@tradewright/contract/backtests'
import type { JobEvent } from '@tradewright/contract/events'
import { cancelJob } from '@tradewright/contract/jobs'
import { randomUUID } from 'node:crypto'
import { extname } from 'node:path'
import type { Client } from '../client.ts'
import type { Command, Invocation } from '../command.ts'
import { EXIT, Failure, usage } from '../failure.ts'
import { backtestLines } from '../figures.ts'
import { csvOf, readJson, writeText } from '../files.ts'
import { formOfStrategy } from '../strategy-file.ts'

/** How long the run waits for the stream of its progress, which it can do without. */
const STREAM_MS = 3_000

export const backtest: Command = {
  name: 'backtest',
  summary: 'Run a backtest of a strategy and show its figures.',
  args: [{ name: 'FILE', isFile: true }],
  options: {
    set: { value: 'NAME=VALUE', repeated: true, help: 'override a setting of the file; may be repeated' },
    save: { value: 'NAME', help: 'save strategy and backtest under this name' },
    out: { value: 'FILE', repeated: true, help: 'write the whole result (.json) or the account at every bar (.csv)' },
  },
  details: [
    'FILE is JSON: a strategy or a saved backtest as the API gives it, the result of an optimizer run, a tree of rules, or the settings of the form (startDate, endDate, allocations…).',
    'Ctrl-C asks the server to cancel the run. The key needs the scope research; with read as well, progress is shown.',
  ],
  examples: [
    'tradewright backtest sixty-forty.json',
    'tradewright backtest sixty-forty.json --set startDate=2010-01-04 --out equity.csv',
    'tradewright backtest momentum.json --save "Momentum" --json | jq .metrics.sharpe',
  ],
  async run(invocation) {
    const { args, text, list, out } = invocation
    const files = list('out')
    for (const file of files) writerOf(file)
    const name = text('save')
    const form = formOfStrategy(readJson(args[0]!), {
      ...Object.fromEntries(list('set').map(settingOf)),
      ...(name !== undefined && { strategyName: name, saveStrategy: true, saveBacktest: true }),
    })
    const result = await followedRun(invocation, invocation.client(), { ...form, runId: randomUUID() })
    for (const file of files) writeText(file, writerOf(file)(result))
    out.result(result, () => [
      ...backtestLines(result, out),
      ...(result.backtest_id === null ? [] : ['', `Saved as backtest ${result.backtest_id}.`]),
      ...files.map((file) => `Wrote ${file}.`),
    ])
    return EXIT.ok
  },
}

type Form = ReturnType<typeof formOfStrategy>

async function followedRun({ out, interrupted }: Invocation, client: Client, form: Form): Promise<BacktestAnswer> {
  const left = new AbortController()
  const watched = new AbortController()
  let jobId: string | undefined
  await untilWatched(client, watched.signal, (event) => {
    if (event.kind !== BACKTEST_JOB || event.subject !== form.runId) return
    jobId = event.job_id
    if (!interrupted.aborted) out.progress(event.progress?.fraction ?? null, event.progress?.note ?? 'Waiting')
  })
  const cancel = () => {
    out.progress(null, 'Cancelling')
    // A run that is not saved ends with its connection; one that is needs to be cancelled by its id.
    if (jobId === undefined) left.abort()
    else client.call(cancelJob, { params: { id: jobId } }).catch(() => left.abort())
  }
  interrupted.addEventListener('abort', cancel, { once: true })
  try {
    if (interrupted.aborted) throw new Failure(EXIT.interrupted, 'Interrupted.')
    out.progress(null, 'Starting')
    return await client.call(runBacktest, { body: form, signal: left.signal })
  } catch (error) {
    if (!interrupted.aborted) throw error
    const isOpen = jobId === undefined && form.saveBacktest === 'true'
    throw new Failure(EXIT.interrupted, isOpen ? 'Interrupted. The run may continue on the server.' : 'Cancelled.')
  } finally {
    interrupted.removeEventListener('abort', cancel)
    watched.abort()
    out.clearProgress()
  }
}

/** Resolves when events come, or when it is clear that none will: without the scope read the run goes on unseen. */
function untilWatched(client: Client, signal: AbortSignal, onEvent: (event: JobEvent) => void): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(resolve, STREAM_MS)
    const end = () => {
      clearTimeout(late)
      resolve()
    }
    const read = async () => {
      for await (const event of client.events(signal)) {
        end()
        if (event !== 'resync' && !signal.aborted) onEvent(event)
      }
    }
    read().then(end, end)
  })
}

function settingOf(text: string): [name: string, value: string] {
  const at = text.indexOf('=')
  if (at < 1) throw usage(`--set takes NAME=VALUE, not “${text}”.`)
  return [text.slice(0, at), text.slice(at + 1)]
}

const WRITERS: Record<string, (result: BacktestAnswer) => string> = {
  '.json': (result) => `${JSON.stringify(result)}\n`,
  '.csv': ({ detailed_results: rows, synthetic, spliced_tickers: spliced }) => {
    const source = synthetic ? [['source', () => 'Synthetic sample data'] as const] : []
    const standIns = spliced.length > 0 ? [['stand_in_prices', (day: string) => standInsOn(spliced, day)] as const] : []
    const marks = [...source, ...standIns]
    return csvOf([
      ['date', 'value', 'signal', ...marks.map(([name]) => name)],
      ...rows.map(({ date, value, signal }) => [date, value, signal, ...marks.map(([, on]) => on(date.slice(0, 10)))]),
    ])
  },
}

function writerOf(file: string): (result: BacktestAnswer) => string {
  const writer = WRITERS[extname(file).toLowerCase()]
  if (!writer) throw usage(`--out takes a file that ends in .json or .csv, not ${file}.`)
  return writer
}
