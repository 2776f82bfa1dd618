import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startEmbeddedPostgres } from '../../apps/server/src/adapters/postgres/embedded-postgres.ts'
import { startProgram, type RunningProgram } from '../../apps/server/test-support/program.ts'
import { type Bench, benchRow, median } from '../bench.ts'
import { REPEATS } from '../models/timing.ts'

/** The default run with walk-forward, through the call that the browser makes. */
const form = {
  target_asset: 'SPY',
  related_assets: ['QQQ', 'TLT', 'GLD'],
  feature_types: ['percent_change', 'sma', 'ema', 'price_sma_ratio', 'rsi', 'volatility', 'z_score', 'momentum'],
  target_id: 1,
  start_date: '2022-01-03',
  end_date: '2023-12-29',
  walk_forward_enabled: true,
  window_sizes: [5, 10, 14, 20, 30],
  data_provider: 'sample',
}

const bench: Bench = {
  name: 'optimizer-workers',
  async run(report) {
    const folder = mkdtempSync(join(tmpdir(), 'tradewright-bench-'))
    const database = await startEmbeddedPostgres(join(folder, 'database'))
    const environment = { DATABASE_URL: database.url, DATA_DIR: join(folder, 'data'), APP_SECRET: 'only for measuring' }
    const web = await startProgram({ ...environment, RUN_JOBS: 'off' })
    const workers: ChildProcess[] = []
    try {
      const token = await signUp(web)
      workers.push(await startWorker(environment, 0))
      const alone = await typicalSeconds(web, token)
      workers.push(await startWorker(environment, 1))
      const together = await typicalSeconds(web, token)
      const name = 'optimizer-workers/default run, walk-forward, '
      report(benchRow({ bench: `${name}one worker of one thread`, ours: alone, unit: 's' }))
      report(
        benchRow({
          bench: `${name}a second worker on the other core`,
          ours: alone / together,
          unit: 'times',
          goal: { on: 'ours', atLeast: 1.7 },
        }),
      )
    } finally {
      for (const worker of workers) worker.kill()
      await web.stop()
      await database.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

export default bench

async function signUp({ url }: RunningProgram): Promise<string> {
  const answer = await post(`${url}/api/register`, { username: 'bench', password: 'correct horse battery' })
  return ((await answer.json()) as { token: string }).token
}

/** The median of a few runs, after one that does not count, as on servers that have been used. */
async function typicalSeconds(web: RunningProgram, token: string): Promise<number> {
  await secondsOf(web, token)
  const seconds: number[] = []
  while (seconds.length < REPEATS) seconds.push(await secondsOf(web, token))
  return median(seconds)
}

/** Time at work as the run itself tells it, without waiting for a worker or for prices. */
async function secondsOf({ url }: RunningProgram, token: string): Promise<number> {
  const answer = await post(`${url}/api/feature-optimization`, form, token)
  const body = (await answer.json()) as { results?: { runtime_seconds: number }; error?: string }
  if (!body.results) throw new Error(`the run failed: ${body.error}`)
  return body.results.runtime_seconds
}

const post = (url: string, body: object, token?: string): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  })

/** Bound to one core where the system can do that. */
async function startWorker(environment: Record<string, string>, core: number): Promise<ChildProcess> {
  const program = [process.execPath, fileURLToPath(new URL('../../apps/server/src/worker.ts', import.meta.url))]
  const canBind = core < availableParallelism() && spawnSync('taskset', ['-c', '0', 'true']).status === 0
  const [command, ...rest] = canBind ? ['taskset', '-c', String(core), ...program] : program
  const worker = spawn(command!, rest, {
    env: { PATH: process.env['PATH'] ?? '', LOG_LEVEL: 'warn', COMPUTE_THREADS: '1', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  worker.stdout.on('data', (text: Buffer) => (output += text.toString()))
  while (!output.includes('taking jobs')) {
    if (worker.exitCode !== null) throw new Error('a worker ended before it took a job')
    await pause(50)
  }
  return worker
}
