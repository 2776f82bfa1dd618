// A backup of an instance that trades at a broker is restored elsewhere while the instance goes on: the real programs and
// commands, and a stand-in of Alpaca that both reach, each at an address of its own.
import { execFile } from 'node:child_process'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Decimal } from '@tradewright/core/decimal'
import { expect, it, onTestFinished } from 'vitest'
import { type Environment, type RunningProgram, startProgram } from '../../test-support/program.ts'
import { startEmptyProviders } from '../../test-support/providers-at.ts'
import { startAlpacaStandIn, STAND_IN_KEYS } from '../../test-support/stand-ins/alpaca/alpaca.ts'
import { startYahooStandIn } from '../../test-support/stand-ins/yahoo.ts'
import { temporaryFolder } from '../../test-support/temporary-folder.ts'

/** Several polls of live trading. */
const WATCH_MS = 30_000
const PATIENCE = { timeout: 120_000, interval: 200 }
const USER = { username: 'ann', password: 'correct horse battery' }
/** Coins are traded at any hour, so that it does not matter when this runs. */
const STRATEGY = {
  name: 'Coins',
  strategy_type: 'Asset Allocation',
  config: {
    allocations: [{ ticker: 'BTC-USD', allocation: 100 }],
    startDate: '2020-01-02',
    endDate: '2025-12-31',
    dataProvider: 'yahoo',
    dataGranularity: 'daily',
  },
}

it('neither trades nor cancels, whatever its owner asks for, while the original goes on', async () => {
  const { alpaca, original, ann, deployment, newDeployment, restore } = await tradingInstance()
  const copy = await restore()
  expect(copy.said).toContain('1 deployment that ran waits')
  const there = await session(await copy.start(), '/api/login')
  await pause(WATCH_MS)
  expect(copy.requests, 'of the broker, by itself').toEqual([])
  expect(JSON.stringify(await there.get(`/api/deployment/${deployment}/overview`))).toContain('restored')

  const asked: [string, object?][] = [
    [`/api/deployment/${deployment}/check`, {}],
    [`/api/deployment/${deployment}/contributions`, { amount: 500, contribution_type: 'CONTRIBUTION' }],
    [`/api/deployment/${deployment}/accept-broker`, {}],
    [`/api/deployment/${deployment}/control`, { action: 'pause' }],
    [`/api/deployment/${deployment}/control`, { action: 'resume' }],
    ['/api/deployment/create', newDeployment],
    [`/api/deployment/${deployment}/emergency-stop`, {}],
    ['/api/deployment/emergency-stop', {}],
    [`/api/deployment/${deployment}/control`, { action: 'stop', positions: 'sell' }],
  ]
  for (const [path, body] of asked) {
    await there.send('POST', path, body)
    await pause(6_000)
    expect(copy.changes(), path).toEqual([])
  }
  await there.send('DELETE', `/api/deployment/${deployment}/delete`)
  await pause(WATCH_MS)
  expect(copy.changes()).toEqual([])
  expect(alpaca.account.orders.map(({ status }) => status)).toEqual(['new'])

  alpaca.account.trade('BTC/USD', '50000')
  await expect.poll(() => ann.overview(deployment), PATIENCE).toContain('"filled"')
  expect(original.output()).not.toContain('"level":50')
})

it('takes the place of the original when it is let', async () => {
  const { alpaca, original, deployment, restore } = await tradingInstance()
  const copy = await restore()
  await original.stop('SIGTERM')
  alpaca.account.trade('BTC/USD', '50000')
  const program = await copy.start()
  const there = await session(program, '/api/login')
  await pause(WATCH_MS / 2)
  expect(copy.requests).toEqual([])
  expect(await copy.run('restore', '--trade')).toContain('1')
  // What was executed meanwhile is booked, and new money is traded once.
  await expect.poll(() => there.overview(deployment), PATIENCE).toContain('"filled"')
  await there.post(`/api/deployment/${deployment}/contributions`, { amount: 500, contribution_type: 'CONTRIBUTION' })
  await expect
    .poll(async () => {
      await there.send('POST', `/api/deployment/${deployment}/check`, {})
      return alpaca.account.orders.length
    }, PATIENCE)
    .toBe(2)
  expect(copy.changes()).toEqual(['POST /v2/orders'])
})

it('knows what the broker did after the backup, and buys nothing again', async () => {
  const { alpaca, original, ann, deployment, archive, restoreFrom, check } = await tradingInstance({ isOrdered: false })
  await archive()
  await check()
  alpaca.account.trade('BTC/USD', '50000')
  await expect.poll(() => ann.overview(deployment), PATIENCE).toContain('"filled"')
  // Its disk is lost.
  await original.stop('SIGKILL')
  const copy = await restoreFrom()
  expect(await copy.run('restore', '--compare')).toMatch(
    /Mine \(account \d+\): 1 order taken over from the broker\.\n.*buy BTC-USD/,
  )
  expect(await copy.run('restore', '--trade')).toContain('1 deployment that the restore held back may trade')
  const there = await session(await copy.start(), '/api/login')
  await pause(WATCH_MS)
  await there.send('POST', `/api/deployment/${deployment}/check`, {})
  await pause(WATCH_MS / 2)
  expect(copy.changes()).toEqual([])
  expect(alpaca.account.orders).toHaveLength(1)
  const overview = await there.overview(deployment)
  expect(overview).toContain('"filled"')
  expect(overview).toContain('"light":"green"')
})

/** An instance that trades, with one order that waits at the broker, or not yet. */
async function tradingInstance({ isOrdered = true } = {}) {
  const alpaca = await startAlpacaStandIn(() => Date.now())
  const [providers, yahoo] = [await startEmptyProviders(), await startYahooStandIn(() => Date.now())]
  onTestFinished(async () => void (await Promise.all([alpaca.close(), providers.close(), yahoo.close()])))
  alpaca.account.prices.set('BTC/USD', Decimal.parse('50000'))
  const settings = {
    LOG_LEVEL: 'info',
    ...providers.environment,
    YAHOO_URL: yahoo.url,
    BACKUP_PASSPHRASE: 'of the campaign only',
  }
  const ours = { ...settings, DATA_DIR: temporaryFolder(), ALPACA_PAPER_URL: alpaca.url }
  const original = await started(ours)
  const ann = await session(original, '/api/register')
  const { account } = await ann.post<{ account: { id: number } }>('/api/alpaca/accounts', {
    account_name: 'Mine',
    api_key: STAND_IN_KEYS.keyId,
    api_secret: STAND_IN_KEYS.secretKey,
  })
  const { id: strategy } = await ann.post<{ id: number }>('/api/strategies', STRATEGY)
  const newDeployment = {
    deployment_name: 'Coins',
    strategy_id: strategy,
    alpaca_account_id: account.id,
    capital_policy_value: 1000,
    rebalance_threshold: 5,
    check_frequency_minutes: 1440,
    bypass_market_hours: true,
    trading_days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
    auto_start: true,
  }
  const made = await ann.post<{ deployment: { id: number } }>('/api/deployment/create', newDeployment)
  const deployment = made.deployment.id
  const check = async () => {
    await ann.post(`/api/deployment/${deployment}/check`, {})
    await expect.poll(() => alpaca.account.orders.length, PATIENCE).toBe(1)
  }
  if (isOrdered) await check()

  const file = join(temporaryFolder(), 'backup.tar.gz')
  const archive = () => command(ours, 'backup', '--to', file, '--secrets')
  const restoreFrom = async () => {
    const proxy = await recordingProxy(alpaca.url)
    const theirs = { ...settings, DATA_DIR: temporaryFolder(), ALPACA_PAPER_URL: proxy.url }
    const said = await command(theirs, 'restore', '--from', file)
    return {
      said,
      start: () => started(theirs),
      run: (...words: string[]) => command(theirs, ...words),
      requests: proxy.requests,
      /** What changes something at the broker. */
      changes: () => proxy.requests.filter((line) => !line.startsWith('GET ')),
    }
  }
  const restore = async () => {
    await archive()
    return restoreFrom()
  }
  const another = { ...newDeployment, deployment_name: 'Another' }
  return { alpaca, original, ann, deployment, newDeployment: another, restore, archive, restoreFrom, check }
}

async function started(settings: Environment): Promise<RunningProgram> {
  const program = await startProgram(settings)
  onTestFinished(async () => void (await program.stop('SIGTERM')))
  return program
}

async function command(settings: Environment, ...words: string[]): Promise<string> {
  const [name, ...args] = words
  const env = { PATH: process.env['PATH'], ...settings, LOG_LEVEL: 'error' }
  const file = join(import.meta.dirname, `${name}.ts`)
  return (await promisify(execFile)(process.execPath, [file, ...args], { env })).stdout
}

async function recordingProxy(target: string): Promise<{ url: string; requests: string[] }> {
  const requests: string[] = []
  const forward = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    requests.push(`${incoming.method} ${incoming.url!.replace(/\?.*/, '')}`)
    const body = Buffer.concat(await incoming.toArray())
    const { host: _host, connection: _connection, 'content-length': _length, ...headers } = incoming.headers
    const answer = await fetch(target + incoming.url, {
      method: incoming.method!,
      headers: headers as Record<string, string>,
      ...(body.length > 0 && { body }),
    })
    outgoing.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' })
    outgoing.end(Buffer.from(await answer.arrayBuffer()))
  }
  const server = createServer((incoming, outgoing) => void forward(incoming, outgoing).catch(() => outgoing.destroy()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

async function session({ url }: RunningProgram, way: '/api/register' | '/api/login') {
  let token: string | undefined
  const send = async (method: string, path: string, body?: object) => {
    const answer = await fetch(url + path, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, text: await answer.text() }
  }
  const post = async <Answer>(path: string, body: object): Promise<Answer> => {
    const { status, text } = await send('POST', path, body)
    expect(status, `${path}: ${text}`).toBe(200)
    return JSON.parse(text) as Answer
  }
  const get = async (path: string) => (await send('GET', path)).text
  ;({ token } = await post<{ token: string }>(way, way === '/api/login' ? { ...USER, email: USER.username } : USER))
  return { send, post, get, overview: (id: number) => get(`/api/deployment/${id}/overview`) }
}
