// Two web processes behind a balancer are restarted in turn under load. Needs Debian's haproxy.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { allocationForm, formData } from '../../../test-support/backtest-form.ts'
import { type RunningProgram, startProgram } from '../../../test-support/program.ts'
import { temporaryFolder } from '../../../test-support/temporary-folder.ts'
import { createTestDatabase } from '../../../test-support/test-database.ts'
import { freePort } from '../../free-port.ts'

const hasBalancer = spawnSync('haproxy', ['-v']).status === 0
const USERS = 8
const ROUNDS = 3
const DRAIN_SECONDS = 3
/**
 * How often the balancer asks: three refusals at /ready take a process out, since one of a busy process may only be
 * late.
 */
const CHECK_INTERVAL_MS = 500

it.skipIf(!hasBalancer)('answers every request while both web processes are restarted in turn', async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database.close())
  const ports = [await freePort(), await freePort()]
  const programs = await Promise.all(ports.map((port) => startWeb(database.url, port)))
  onTestFinished(async () => void (await Promise.all(programs.map((program) => program.stop('SIGKILL')))))
  const balancer = await startBalancer(ports)
  onTestFinished(() => void balancer.process.kill('SIGKILL'))
  await untilReady(balancer.url)
  const load = new Load(balancer.url)
  await load.begin()
  const restarts: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, port] of ports.entries()) {
      await load.untilAnswered(100)
      const began = performance.now()
      expect(await programs[at]!.stop('SIGTERM')).toBe(0)
      programs[at] = await startWeb(database.url, port)
      await untilReady(programs[at].url)
      // Before the other one goes.
      await balancer.untilSendingTo(port)
      restarts.push((performance.now() - began) / 1000)
    }
  }
  await load.end()
  const longest = Math.max(...restarts).toFixed(1)
  // oxlint-disable-next-line no-console -- the figure of docs/scaling.md
  console.log(
    `${restarts.length} restarts (the longest ${longest} s): ${load.answered} requests answered, ${load.failures.length} failed`,
  )
  expect(load.failures).toEqual([])
  expect(load.backtests).toBeGreaterThan(0)
})

const startWeb = (url: string, port: number): Promise<RunningProgram> =>
  startProgram({
    PORT: String(port),
    DATA_DIR: temporaryFolder(),
    DATABASE_URL: url,
    APP_SECRET: 'a secret that only tests know',
    COMPUTE_THREADS: '1',
    DRAIN_SECONDS: String(DRAIN_SECONDS),
    FINISH_SECONDS: '60',
  })

/** A balancer that tries nothing twice: what fails, fails. */
async function startBalancer(
  ports: readonly number[],
): Promise<{ url: string; process: ChildProcess; untilSendingTo(port: number): Promise<void> }> {
  const [port, ownPort] = [await freePort(), await freePort()]
  const file = join(temporaryFolder(), 'haproxy.cfg')
  writeFileSync(
    file,
    `defaults
  mode http
  retries 0
  timeout connect 5s
  timeout client 120s
  timeout server 120s
  timeout check 5s
frontend own
  bind 127.0.0.1:${ownPort}
  stats enable
  stats uri /
frontend web
  bind 127.0.0.1:${port}
  default_backend web
backend web
  balance roundrobin
  option httpchk
  http-check send meth GET uri /ready hdr Host localhost
  default-server check inter ${CHECK_INTERVAL_MS}ms fall 3 rise 1
${ports.map((one) => `  server web-${one} 127.0.0.1:${one}`).join('\n')}
`,
  )
  const process = spawn('haproxy', ['-db', '-f', file], { stdio: 'inherit' })
  const isSendingTo = async (one: number): Promise<boolean> => {
    const answer = await fetch(`http://127.0.0.1:${ownPort}/;csv`)
    return new RegExp(`^web,web-${one},.*,UP,`, 'm').test(await answer.text())
  }
  return {
    url: `http://127.0.0.1:${port}`,
    process,
    untilSendingTo: (one) => expect.poll(() => isSendingTo(one), { timeout: 60_000, interval: 50 }).toBe(true),
  }
}

async function untilReady(url: string): Promise<void> {
  const isReady = () =>
    fetch(`${url}/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  await expect.poll(isReady, { timeout: 60_000, interval: 50 }).toBe(true)
}

/** Users who read, write and run backtests on and on. */
class Load {
  readonly #url: string
  readonly #ending = new AbortController()
  #working: Promise<unknown> = Promise.resolve()
  readonly failures: string[] = []
  answered = 0
  backtests = 0

  constructor(url: string) {
    this.#url = url
  }

  async begin(): Promise<void> {
    const cookies = await Promise.all(Array.from({ length: USERS }, (_, i) => this.#register(`user-${i}`)))
    this.#working = Promise.all(cookies.map((cookie, i) => this.#work(cookie, i)))
  }

  async end(): Promise<void> {
    this.#ending.abort()
    await this.#working
  }

  async untilAnswered(more: number): Promise<void> {
    const goal = this.answered + more
    while (this.answered < goal) await pause(20)
  }

  async #register(username: string): Promise<string> {
    const answer = await fetch(`${this.#url}/api/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password: 'a password of the campaign' }),
    })
    expect(answer.status).toBe(200)
    return answer.headers
      .getSetCookie()
      .map((line) => line.split(';', 1)[0])
      .join('; ')
  }

  async #work(cookie: string, user: number): Promise<void> {
    for (let i = 0; !this.#ending.signal.aborted; i++) {
      await this.#send('GET', '/api/strategies', cookie)
      const list = { name: `list ${user} ${i}`, list_type: 'target', tickers: ['SPY'] }
      const kept = await this.#send('POST', '/api/ticker-lists', cookie, list)
      // A user may have 200 of them.
      if (kept) await this.#send('DELETE', `/api/ticker-lists/${idOf(kept)}`, cookie)
      await this.#send('GET', '/', cookie)
      if (i % 10 === user) {
        await this.#send('POST', '/api/backtest', cookie, formData(allocationForm))
        this.backtests++
      }
      await pause(20)
    }
  }

  async #send(method: string, path: string, cookie: string, body?: object | FormData): Promise<string | undefined> {
    const isForm = body instanceof FormData
    try {
      const answer = await fetch(`${this.#url}${path}`, {
        method,
        headers: { cookie, ...(body && !isForm && { 'content-type': 'application/json' }) },
        ...(body && { body: isForm ? body : JSON.stringify(body) }),
      })
      const text = await answer.text()
      if (answer.ok) {
        this.answered++
        return text
      }
      this.failures.push(`${method} ${path} answered ${answer.status}: ${text.slice(0, 200)}`)
    } catch (error) {
      this.failures.push(`${method} ${path}: ${String((error as Error).cause ?? error)}`)
    }
    return undefined
  }
}

const idOf = (answer: string): number => (JSON.parse(answer) as { list: { id: number } }).list.id
