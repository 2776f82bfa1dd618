import type { SystemHealth } from '@tradewright/contract/health'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { launchProgram } from '../test-support/launched-program.ts'
import { readyDataDir } from '../test-support/ready-data-dir.ts'

/** The launcher's children are found in /proc. */
const isPossible = existsSync(`/proc/${process.pid}/task/${process.pid}/children`)

it.skipIf(!isPossible)(
  'goes on with a paper deployment by itself after its database and then the program were killed',
  { timeout: 240_000 },
  async () => {
    const folder = readyDataDir()
    const program = launchProgram('apps/server/src/main.ts', { DATA_DIR: folder, PORT: '0', RESTART_MAX_MS: '500' })
    onTestFinished(async () => void (await program.stop()))
    const addresses = () => [...program.output().matchAll(/running at (\S+)/g)].map(([, address]) => address!)
    await expect.poll(addresses).toHaveLength(1)
    const address = addresses()[0]!
    const user = await deployedToPaper(address)
    const health = () => user.get<SystemHealth>('/api/health').catch(() => undefined)
    /** The runner has polled since then, and the deployment is its own. */
    const goesOn = async (since: number) => {
      const found = await health()
      const beat = Date.parse(found?.live_trading.last_beat_at ?? '') || 0
      return found?.live_trading.running === 1 && found.live_trading.unattended === 0 && beat > since
    }
    await expect.poll(() => goesOn(0)).toBe(true)

    process.kill(databaseProcess(folder), 'SIGKILL')
    const databaseKilledAt = Date.now()
    await expect.poll(() => goesOn(databaseKilledAt)).toBe(true)
    expect((await health())!.database.restarts.count).toBe(1)

    process.kill(program.pid()!, 'SIGKILL')
    const programKilledAt = Date.now()
    await expect.poll(() => goesOn(programKilledAt)).toBe(true)
    const { restarts, last_end } = (await health())!.process
    expect([restarts, last_end?.reason]).toEqual([1, 'killed by SIGKILL'])
    expect(addresses()).toEqual([address, address])
    expect(program.output()).toContain('ended unexpectedly (killed by SIGKILL). Starting it again')
  },
)

/** A new user with a running deployment on the built-in paper broker. */
async function deployedToPaper(address: string) {
  const call = async <Answer>(method: string, path: string, body?: object, token = ''): Promise<Answer> => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    const answer = await fetch(address + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as Answer
  }
  const credentials = { username: 'trader', password: 'correct horse battery' }
  const { token } = await call<{ token: string }>('POST', '/api/register', credentials)
  const post = <Answer>(path: string, body: object) => call<Answer>('POST', path, body, token)
  const allocations = [
    { ticker: 'SPY', allocation: 60 },
    { ticker: 'TLT', allocation: 40 },
  ]
  const config = { allocations, startDate: '2022-01-03', endDate: '2026-11-13', dataProvider: 'sample' }
  const strategy = { name: 'Sixty forty', strategy_type: 'Asset Allocation', config }
  const { id: strategyId } = await post<{ id: number }>('/api/strategies', strategy)
  const { account } = await post<{ account: { id: number } }>('/api/alpaca/paper-account', {})
  await post('/api/deployment/create', {
    deployment_name: 'Core',
    strategy_id: strategyId,
    alpaca_account_id: account.id,
    capital_policy_value: 1000,
    auto_start: true,
  })
  return { get: <Answer>(path: string) => call<Answer>('GET', path, undefined, token) }
}

function databaseProcess(folder: string): number {
  return Number(readFileSync(join(folder, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
}
