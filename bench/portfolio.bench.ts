import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningProgram, startProgram } from '../apps/server/test-support/program.ts'
import { STAND_IN_KEYS, startAlpacaStandIn } from '../apps/server/test-support/stand-ins/alpaca/alpaca.ts'
import { startYahooStandIn } from '../apps/server/test-support/stand-ins/yahoo.ts'
import { benchRow, median, type Bench } from './bench.ts'
import { fillAccount } from './portfolio/busy-account.ts'

const CACHED_OPENINGS = 15

/** Opens the portfolio of an account with ten years of history and 50,000 activities: cold, and from what is kept. */
const portfolio: Bench = {
  name: 'portfolio',
  async run(report) {
    const dataDir = mkdtempSync(join(tmpdir(), 'tradewright-bench-'))
    const alpaca = await startAlpacaStandIn(() => Date.now())
    const yahoo = await startYahooStandIn(() => Date.now())
    fillAccount(alpaca, Date.now())
    const program = await startProgram({ DATA_DIR: dataDir, ALPACA_PAPER_URL: alpaca.url, YAHOO_URL: yahoo.url })
    try {
      const open = await connected(program.url)
      const before = residentMegabytes(program)
      const under = (limit: number) => ({ on: 'ours', under: limit }) as const
      report(benchRow({ bench: 'portfolio/cold', ours: await open(), unit: 'ms', goal: under(3_000) }))
      const cached: number[] = []
      for (let i = 0; i < CACHED_OPENINGS; i++) cached.push(await open())
      report(benchRow({ bench: 'portfolio/cached', ours: median(cached), unit: 'ms', goal: under(500) }))
      report(benchRow({ bench: 'portfolio/cached worst', ours: Math.max(...cached), unit: 'ms', goal: under(500) }))
      const after = residentMegabytes(program)
      if (before !== undefined && after !== undefined) {
        report(benchRow({ bench: 'portfolio/memory', ours: after - before, unit: 'MB', goal: under(300) }))
      }
    } finally {
      await program.stop()
      await alpaca.close()
      await yahoo.close()
      rmSync(dataDir, { recursive: true, force: true })
    }
  },
}
export default portfolio

/** A user whose account is connected and who has not opened it yet; each call opens the portfolio. */
async function connected(server: string): Promise<() => Promise<number>> {
  const post = async (path: string, body: object, cookie = '') => {
    const headers = { 'content-type': 'application/json', cookie }
    const answer = await fetch(`${server}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return answer
  }
  const registered = await post('/api/register', {
    username: 'bench@example.com',
    password: 'a password for the bench',
  })
  const cookie = registered.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ')
  const keys = { api_key: STAND_IN_KEYS.keyId, api_secret: STAND_IN_KEYS.secretKey }
  await post('/api/alpaca/accounts', { account_name: 'Busy', ...keys }, cookie)
  return async () => {
    const began = performance.now()
    const answer = await fetch(`${server}/api/alpaca/portfolio`, { headers: { cookie } })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`the portfolio answered ${answer.status}: ${text.slice(0, 500)}`)
    return performance.now() - began
  }
}

/** The program's resident memory; undefined where the system does not tell. */
function residentMegabytes({ process: { pid } }: RunningProgram): number | undefined {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes) / 1024
  } catch {
    return undefined
  }
}
