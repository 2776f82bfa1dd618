import { execFileSync } from 'node:child_process'
import { appendFileSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { type RunningProgram, startProgram } from '../test-support/program.ts'
import { startEmptyProviders } from '../test-support/providers-at.ts'
import { temporaryFolder } from '../test-support/temporary-folder.ts'

const MEGABYTE = 1024 ** 2

/** A disk of 200 MB of its own, or why this machine has none. */
function smallDisk(): string | undefined {
  const folder = temporaryFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=200m,mode=0777', 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  onTestFinished(() => void execFileSync('umount', ['-l', folder]))
  return folder
}

const freeMegabytes = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder)
  return (bavail * bsize) / MEGABYTE
}

async function newUser({ url }: RunningProgram, username: string) {
  const cookies: string[] = []
  const ask = async (method: string, path: string, body?: object | FormData) => {
    const isForm = body instanceof FormData
    const answer = await fetch(url + path, {
      method,
      headers: { cookie: cookies.join('; '), ...(body && !isForm && { 'content-type': 'application/json' }) },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    })
    const set = answer.headers.getSetCookie().map((line) => line.split(';', 1)[0]!)
    if (path === '/api/register') cookies.push(...set)
    return { status: answer.status, json: await answer.json() }
  }
  const made = await ask('POST', '/api/register', { username, password: 'correct horse battery staple' })
  expect(made.status, JSON.stringify(made.json)).toBe(200)
  return {
    get: (path: string) => ask('GET', path),
    post: (path: string, body: object | FormData = {}) => ask('POST', path, body),
  }
}

const allocation = {
  startDate: '2016-01-04',
  endDate: '2025-12-31',
  dataProvider: 'sample',
  allocations: [{ ticker: 'BTC-USD', allocation: 100 }],
}
const saved = (name: string) => ({ name, strategy_type: 'Asset Allocation', config: allocation })

function prices(ticker: string, days: number): FormData {
  const form = new FormData()
  form.set('ticker', ticker)
  const rows = Array.from({ length: days }, (_, i) => {
    const day = new Date(Date.UTC(1950, 0, 1) + i * 86_400_000).toISOString().slice(0, 10)
    return `${day},${10 + Math.random() * 90},${10 + Math.random() * 90},${10 + Math.random() * 90}`
  })
  form.set('file', new Blob([`date,close,a,b\n${rows.join('\n')}\n`]), 'prices.csv')
  return form
}

it('holds others up in nothing while one account fills the disk, and is well again when there is room', async (context) => {
  const folder = smallDisk()
  if (folder === undefined) {
    context.skip('Mounting a small disk takes rights that this user does not have.')
    return
  }
  const providers = await startEmptyProviders()
  onTestFinished(() => providers.close())
  const program = await startProgram({ ...providers.environment, DATA_DIR: join(folder, 'data') })
  onTestFinished(async () => void (await program.stop()))
  const operator = await newUser(program, 'operator')
  const trader = await newUser(program, 'trader')
  const greedy = await newUser(program, 'greedy')
  const { account } = (await trader.post('/api/alpaca/paper-account')).json as { account: { id: number } }
  const { id: strategy } = (await trader.post('/api/strategies', saved('Coins'))).json as { id: number }
  const deployed = await trader.post('/api/deployment/create', {
    deployment_name: 'Coins',
    strategy_id: strategy,
    alpaca_account_id: account.id,
    capital_policy_value: 1_000,
    check_frequency_minutes: 15,
    trading_days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
    bypass_market_hours: true,
    auto_start: true,
  })
  expect(deployed.status, JSON.stringify(deployed.json)).toBe(200)
  const { deployment_id: deployment } = deployed.json as { deployment_id: number }

  const refused: string[] = []
  const acknowledged: string[] = []
  let rounds = 0
  let isTakenByOthers = false
  const over = new AbortController()
  const others = (async () => {
    const well = async (what: string, call: ReturnType<typeof trader.get>) => {
      const { status, json } = await call
      // Another program took the last byte, and the reserve is not given back yet: nothing can be written until then.
      if (what === 'save' && isTakenByOthers && status === 503) return status
      if (status >= 400) refused.push(`${what}: ${status} ${JSON.stringify(json)}`)
      return status
    }
    while (!over.signal.aborted) {
      rounds += 1
      const name = `Strategy ${rounds}`
      if ((await well('save', trader.post('/api/strategies', saved(name)))) === 200) acknowledged.push(name)
      await well('list', trader.get('/api/deployment/list'))
      await well('stop', trader.post(`/api/deployment/${deployment}/emergency-stop`))
      await well('start', trader.post(`/api/deployment/${deployment}/control`, { action: 'start' }))
      await well('health', trader.get('/health'))
      await wait(100)
    }
  })()
  const untilRounds = async (more: number) => {
    const goal = rounds + more
    await expect.poll(() => rounds, { timeout: 60_000 }).toBeGreaterThanOrEqual(goal)
  }
  await untilRounds(3)
  const reserve = join(folder, 'data', 'disk-reserve')
  await expect.poll(() => statSync(reserve, { throwIfNoEntry: false })?.size, { timeout: 60_000 }).toBe(48 * MEGABYTE)

  // What lies there already, so that a few imports reach the floor of 40 MB.
  const ballast = join(folder, 'ballast')
  const leave = (file: string, megabytes: number) => {
    writeFileSync(file, '')
    try {
      while (freeMegabytes(folder) > megabytes) appendFileSync(file, Buffer.alloc(MEGABYTE / 4))
    } catch {
      // Full to the last byte.
    }
  }
  leave(ballast, 46)
  const fill = (i: number) => greedy.post('/api/data-collector/import', prices(`G${i}`, 27_000))
  let full = await fill(0)
  for (let i = 1; full.status === 200 && i < 100; i++) full = await fill(i)
  expect([full.status, JSON.stringify(full.json)]).toEqual([413, expect.stringContaining('nearly full')])
  await untilRounds(5)
  const inbox = async () => {
    const { alerts } = (await operator.get('/api/alerts/inbox')).json as { alerts: { kind: string; state: string }[] }
    return alerts.map(({ kind, state }) => `${kind} ${state}`)
  }
  await expect.poll(inbox).toEqual(['disk_low open'])
  const rest = join(folder, 'of-another-program')
  isTakenByOthers = true
  leave(rest, 0)
  await expect.poll(() => statSync(reserve, { throwIfNoEntry: false })).toBeUndefined()
  await untilRounds(2)
  isTakenByOthers = false
  await untilRounds(10)

  for (const file of [rest, ballast]) rmSync(file)
  await expect.poll(inbox, { timeout: 20_000 }).toEqual(['disk_low over'])
  expect((await fill(0)).status).toBe(200)
  await untilRounds(5)
  over.abort()
  await others
  expect(refused).toEqual([])
  const { strategies } = (await trader.get('/api/strategies')).json as { strategies: { name: string }[] }
  expect(acknowledged.filter((name) => !strategies.some((one) => one.name === name))).toEqual([])
  const overview = await trader.get(`/api/deployment/${deployment}/overview`)
  expect(overview.status).toBe(200)
})
