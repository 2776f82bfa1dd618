import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { chromium, type Browser } from '@playwright/test'
import { NOWHERE, providersAt } from '../../apps/server/test-support/providers-at.ts'
import { startApp } from '../../e2e/app.ts'
import { chromiumLaunch } from '../../e2e/chromium.ts'
import { benchRow, median, type Bench } from '../bench.ts'

const ROUNDS = 3
/** A person reads Home before they click; the program and the page use the time to load what comes next. */
const READING_MS = 3000

/**
 * The first backtest of a new account in a program that has just started, on a machine without internet: from the click on
 * Home until its answer is there and until its figures are painted.
 */
const firstResult: Bench = {
  name: 'first-result',
  async run(report) {
    const browser = await chromium.launch(await chromiumLaunch())
    const silent = await startSilentHost()
    try {
      for (const [network, url] of [
        ['calls are refused', NOWHERE],
        ['calls are dropped', silent.url],
      ] as const) {
        const rounds: Times[] = []
        for (let round = 0; round < ROUNDS; round++) rounds.push(await firstBacktest(browser, url))
        const goal = { on: 'ours', under: 2000 } as const
        const name = `first-result/${network}`
        const middle = (key: keyof Times) => median(rounds.map((times) => times[key]))
        report(benchRow({ bench: `${name}, sent`, ours: middle('sent'), unit: 'ms' }))
        report(benchRow({ bench: `${name}, answered`, ours: middle('answered'), unit: 'ms', goal }))
        report(benchRow({ bench: `${name}, painted`, ours: middle('painted'), unit: 'ms' }))
      }
    } finally {
      await silent.close()
      await browser.close()
    }
  },
}
export default firstResult

/** Milliseconds since the click. */
interface Times {
  sent: number
  answered: number
  painted: number
}

async function firstBacktest(browser: Browser, providerUrl: string): Promise<Times> {
  const app = await startApp(providersAt(providerUrl))
  // Without a graphics processor, motion would take the processor that the program needs.
  const context = await browser.newContext({
    baseURL: app.url,
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  })
  try {
    const page = await context.newPage()
    await page.goto('/register')
    await page.getByLabel('Username').fill('bench')
    await page.getByLabel('Password', { exact: true }).fill('blue canoe on a quiet lake')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Run backtest' }).waitFor()
    await page.waitForTimeout(READING_MS)
    return await page.evaluate(clickAndWait)
  } finally {
    await context.close()
    await app.stop()
  }
}

/** Runs in the browser. */
async function clickAndWait(): Promise<Times> {
  const link = [...document.querySelectorAll('a')].find(({ textContent }) => textContent.includes('Run backtest'))!
  const clicked = performance.now()
  link.click()
  const painted = await new Promise<number>((resolve) => {
    const look = () => {
      const headings = [...document.querySelectorAll('[aria-label="Results"] :is(h1, h2, h3)')]
      const isThere = headings.some(({ textContent }) => textContent === '60/40')
      if (isThere) setTimeout(() => resolve(performance.now()))
      else requestAnimationFrame(look)
    }
    look()
  })
  const calls = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
  const call = calls.find(({ name }) => new URL(name).pathname === '/api/backtest')!
  return { sent: call.startTime - clicked, answered: call.responseEnd - clicked, painted: painted - clicked }
}

/** An address that never answers a connection: its queue of connections is full, so that the system drops further ones. */
async function startSilentHost(): Promise<{ url: string; close(): Promise<void> }> {
  const code = `
    const { parentPort } = require('node:worker_threads')
    const server = require('node:net').createServer().listen({ host: '127.0.0.1', port: 0, backlog: 1 }, () => {
      parentPort.postMessage(server.address().port)
      setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0), 50)
    })`
  const thread = new Worker(code, { eval: true })
  const [port] = (await once(thread, 'message')) as [number]
  await new Promise((resolve) => setTimeout(resolve, 200))
  const sockets: Socket[] = []
  for (let count = 0; count < 4; count++) sockets.push(connect(port, '127.0.0.1').on('error', () => {}))
  await new Promise((resolve) => setTimeout(resolve, 200))
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await thread.terminate()
    },
  }
}
