import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProgram } from '../apps/server/test-support/program.ts'
import { benchRow, median, type Bench } from './bench.ts'
import { load, type Load, type Target } from './http/load.ts'

const ROUNDS = 5
const ROUND_SECONDS = 3
const WARM_UP_SECONDS = 2

/** `GET /api/user` of the real program beside a bare server of the same framework, in turns. */
const http: Bench = {
  name: 'http',
  async run(report) {
    const dataDir = mkdtempSync(join(tmpdir(), 'tradewright-bench-'))
    const program = await startProgram({ DATA_DIR: dataDir, LOG_LEVEL: 'info' })
    try {
      const ours = await signedInTarget(program.url)
      const bare = await startBareServer(await answerOf(ours))
      const measured = await inTurns(ours, bare.target)
      bare.stop()
      for (const row of rows(measured)) report(row)
    } finally {
      await program.stop()
      rmSync(dataDir, { recursive: true, force: true })
    }
  },
}
export default http

interface Measured {
  ours: Load[]
  bare: Load[]
}

/** Each round asks both, so that other load on the machine affects both alike. */
async function inTurns(ours: Target, bare: Target): Promise<Measured> {
  for (const target of [ours, bare]) await load(target, WARM_UP_SECONDS)
  const measured: Measured = { ours: [], bare: [] }
  for (let round = 0; round < ROUNDS; round++) {
    measured.bare.push(await load(bare, ROUND_SECONDS))
    measured.ours.push(await load(ours, ROUND_SECONDS))
  }
  return measured
}

function rows({ ours, bare }: Measured) {
  const both = (figure: (load: Load) => number) => ({
    ours: median(ours.map(figure)),
    peer: { name: 'bare fastify', value: median(bare.map(figure)) },
  })
  return [
    benchRow({
      bench: 'http/rate',
      unit: 'requests/s',
      ...both((load) => load.requestsPerSecond),
      goal: { on: 'ratio', atLeast: 0.2 },
    }),
    benchRow({ bench: 'http/p50', unit: 'ms', ...both((load) => load.p50Ms) }),
    benchRow({
      bench: 'http/p99',
      unit: 'ms',
      ...both((load) => load.p99Ms),
      goal: { on: 'ratio', under: 10 },
    }),
  ]
}

async function signedInTarget(server: string): Promise<Target> {
  const answer = await fetch(`${server}/api/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'bench@example.com', password: 'a password for the bench' }),
  })
  if (!answer.ok) throw new Error(`registering answered ${answer.status}: ${await answer.text()}`)
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ')
  return { url: `${server}/api/user`, cookie }
}

async function answerOf({ url, cookie }: Target): Promise<string> {
  const answer = await fetch(url, { headers: { cookie } })
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
  return answer.text()
}

async function startBareServer(user: string): Promise<{ target: Target; stop(): void }> {
  const child = fork(join(import.meta.dirname, 'http', 'bare-server.ts'), [user])
  const [address] = (await once(child, 'message')) as [string]
  return { target: { url: `${address}/api/user`, cookie: '' }, stop: () => child.disconnect() }
}
