import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test'
import { startApp } from '../../e2e/app.ts'
import { chromiumLaunch } from '../../e2e/chromium.ts'
import { SCREENS } from '../../apps/web/test-support/screens.ts'
import { benchRow, median, type Bench } from '../bench.ts'

const FIRST_VISITS = 5
const ROUNDS = 3
/** A processor as slow as that of an old phone. */
const SLOW_DOWN = 4
const SETTLED_MS = 1500

/** What a person waits for in a real browser whose processor is slowed down. */
const screens: Bench = {
  name: 'screens',
  async run(report) {
    const app = await startApp()
    const browser = await chromium.launch(await chromiumLaunch())
    try {
      const visits: number[] = []
      for (let visit = 0; visit < FIRST_VISITS; visit++) visits.push(await firstVisit(browser, app.url))
      const goal = { on: 'ours', under: 1500 } as const
      report(benchRow({ bench: 'screens/first visit to sign-in', ours: median(visits), unit: 'ms', goal }))

      const page = await signedIn(browser, app.url)
      const short = { on: 'ours', under: 200 } as const
      for (const [path, [first, ...again]] of await routeChanges(page)) {
        report(benchRow({ bench: `screens/to ${path}, its code included`, ours: first!, unit: 'ms' }))
        report(benchRow({ bench: `screens/to ${path}`, ours: median(again), unit: 'ms', goal: short }))
      }

      const rows = await openLargeResult(page)
      const { slowest, control, count } = await interactions(page)
      const name = `screens/${count} interactions on ${rows.toLocaleString('en-US')} rows, slowest: ${control}`
      report(benchRow({ bench: name, ours: slowest, unit: 'ms to next paint', goal: short }))
    } finally {
      await browser.close()
      await app.stop()
    }
  },
}
export default screens

async function slowPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOW_DOWN })
  return page
}

/** From the start of the navigation until the form is there and the page's thread is free for what is typed. */
async function firstVisit(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext({ baseURL: url })
  const page = await slowPage(context)
  await page.addInitScript(() => {
    const observer = new MutationObserver(() => {
      if (!document.querySelector('input[type=password]')) return
      observer.disconnect()
      requestIdleCallback(() => Object.assign(window, { interactiveAt: performance.now() }))
    })
    observer.observe(document, { childList: true, subtree: true })
  })
  await page.goto('/login')
  const read = await page.waitForFunction(() => (window as { interactiveAt?: number }).interactiveAt)
  const milliseconds = await read.jsonValue()
  await context.close()
  return milliseconds!
}

async function signedIn(browser: Browser, url: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 }, locale: 'en-US' })
  const page = await slowPage(context)
  const data = { username: 'bench', email: 'bench@example.com', password: 'blue canoe on a quiet lake' }
  const answer = await page.request.post('/api/register', { data })
  if (!answer.ok()) throw new Error(`register: ${answer.status()} ${await answer.text()}`)
  await page.goto('/')
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

/** Each screen from its neighbour in the navigation: the first time its code is loaded. */
async function routeChanges(page: Page): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>()
  for (let round = 0; round <= ROUNDS; round++) {
    for (const { path } of [...SCREENS.slice(1), SCREENS[0]!]) {
      await page.waitForTimeout(SETTLED_MS)
      times.set(path, [...(times.get(path) ?? []), await page.evaluate(changeRoute, path)])
    }
  }
  return times
}

/** Runs in the browser: from the click until another heading is painted. */
async function changeRoute(path: string): Promise<number> {
  const link = document.querySelector<HTMLElement>(`nav a[href="${path}"]`)!
  const before = document.querySelector('h1')
  const start = performance.now()
  link.click()
  return new Promise((resolve) => {
    const look = () => {
      const heading = document.querySelector('h1')
      const isThere = heading !== null && heading !== before && location.pathname === path
      if (isThere) setTimeout(() => resolve(performance.now() - start))
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
}

/** A year of minutes; returns how many rows the result has. */
async function openLargeResult(page: Page): Promise<number> {
  const form = new FormData()
  const fields = {
    strategyName: 'Minutes',
    strategyType: 'Asset Allocation',
    startDate: '2024-01-02',
    endDate: '2025-01-08',
    startValue: '10000',
    cashflow: '0',
    cashflowFreq: 'Yearly',
    adjustInflation: 'false',
    investDividends: 'true',
    dataProvider: 'sample',
    dataGranularity: 'minute',
    allowMixedPrices: 'false',
    referenceTicker: 'SPY',
    rebalanceFrequency: 'yearly',
    saveStrategy: 'true',
    saveBacktest: 'true',
    backtestName: 'Minutes',
    'ticker[]': 'SPY',
    'allocation[]': '100',
  }
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  const answer = await page.request.post('/api/backtest', { multipart: form, timeout: 300_000 })
  if (!answer.ok()) throw new Error(`backtest: ${answer.status()} ${await answer.text()}`)
  const { backtest_id: id, detailed_results: rows } = (await answer.json()) as {
    backtest_id: number
    detailed_results: unknown[]
  }
  await page.goto(`/backtest?backtest_id=${id}`)
  await page.getByRole('region', { name: 'Full Results', exact: true }).waitFor({ timeout: 180_000 })
  return rows.length
}

interface Interaction {
  duration: number
  /** What was pressed, by its text. */
  control: string
}

/** Everything on the result that opens, switches or presses, by pointer and then by keyboard. */
async function interactions(page: Page): Promise<{ slowest: number; control: string; count: number }> {
  await page.waitForTimeout(SETTLED_MS)
  await page.evaluate(() => {
    const measured: Interaction[] = []
    Object.assign(window, { measured })
    const textOf = (target: Node | null | undefined) => {
      const control = target instanceof Element ? target.closest('button, summary, [role]') : null
      return control?.ariaLabel || control?.textContent || 'page'
    }
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEventTiming & { interactionId: number })[]) {
        if (entry.interactionId === 0) continue
        measured.push({ duration: entry.duration, control: `${textOf(entry.target)} (${entry.name})` })
      }
    }).observe({ type: 'event', durationThreshold: 16, buffered: false } as PerformanceObserverInit)
  })
  const results = page.getByRole('region', { name: 'Results', exact: true })
  const controls = results.locator('[role=tab], [aria-pressed], [aria-expanded], [role=switch], summary')
  const count = await controls.count()
  for (let index = 0; index < count; index++) {
    for (const press of ['click', 'Enter'] as const) {
      const control = controls.nth(index)
      if (!(await control.isVisible()) || !(await control.isEnabled())) continue
      await control.scrollIntoViewIfNeeded()
      if (press === 'click') await control.click()
      else await control.press('Enter')
      await page.waitForTimeout(300)
      await page.keyboard.press('Escape')
    }
  }
  await page.waitForTimeout(SETTLED_MS)
  const measured = await page.evaluate(() => (window as unknown as { measured: Interaction[] }).measured)
  const none: Interaction = { duration: 0, control: 'none' }
  const slowest = measured.reduce((worst, one) => (one.duration > worst.duration ? one : worst), none)
  return {
    slowest: slowest.duration,
    control: slowest.control.replaceAll('\n', ' ').slice(0, 60),
    count: measured.length,
  }
}
