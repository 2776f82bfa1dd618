// `npm run looks -- <folder> [scene …]`: opens every plot and table of a result, of the optimizer, of portfolio construction,
// of Settings and of the operator's page with data in it, at both widths and in both themes, and takes a picture of each
// card, to be looked at. Prints what a program can see: sideways scrolling, texts that are cut off, violations of axe.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { type BrowserContext, chromium, type Locator, type Page } from '@playwright/test'
import { constructionMethods } from '../packages/core/src/construction-catalogue.ts'
import { startApp } from './app.ts'
import { type BacktestFields, MODEL_FIELDS, savedBacktest } from './backtest-page.ts'
import { chromiumLaunch } from './chromium.ts'
import { importPrices, send } from './pictured-market.ts'

const LOOKS = [
  { name: 'desk-light', colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  { name: 'desk-dark', colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  { name: 'phone-light', colorScheme: 'light', viewport: { width: 390, height: 844 } },
  { name: 'phone-dark', colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const
const PASSWORD = 'blue canoe on a quiet lake'
const PERIOD = { startDate: '2003-01-02', endDate: '2025-08-29', dataProvider: 'auto' }
const ENDS_WITHIN_MS = 600_000

interface Scene {
  readonly name: string
  /** Makes what the scene shows; gives its address. */
  readonly make: (page: Page) => Promise<string>
  /** What is on the page when it can be looked at. */
  readonly seen: (page: Page) => Promise<unknown>
  /** Other states of a card, each a picture of its own. */
  readonly states?: (page: Page) => AsyncGenerator<readonly [name: string, card: Locator]>
}

const SCENES: readonly Scene[] = [
  {
    name: 'allocation',
    make: async (page) => {
      const id = await backtest(page, {
        ...PERIOD,
        strategyName: 'Spliced mix',
        strategyType: 'Asset Allocation',
        referenceTicker: 'SPY',
        adjustInflation: 'false',
        cashflow: '-400',
        cashflowFreq: 'Yearly',
        rebalanceFrequency: 'yearly',
        'ticker[]': ['SPY', 'AGG?FB=TLT', 'GLD?FB=SPY', 'DBC?FB=GLD?FB=SPY'],
        'allocation[]': ['50', '30', '10', '10'],
      })
      await board(page, id)
      return `/backtest?backtest_id=${id}`
    },
    seen: async (page) => {
      await page.getByRole('region', { name: /^In crises How/ }).waitFor({ timeout: ENDS_WITHIN_MS })
      await regress(page)
    },
    async *states(page) {
      const card = page.getByRole('region', { name: 'Rolling figures' })
      for (const figure of ['Volatility', 'Beta', 'Drawdown', 'Sharpe']) {
        await card.getByRole('combobox', { name: 'Figure' }).selectOption(figure)
        await page.waitForTimeout(300)
        yield [`rolling-${figure.toLowerCase()}`, card] as const
      }
    },
  },
  {
    name: 'real',
    make: async (page) => {
      const id = await backtest(page, {
        ...PERIOD,
        strategyName: 'Real returns',
        strategyType: 'Asset Allocation',
        referenceTicker: 'SPY',
        adjustInflation: 'true',
        cashflow: '-1200',
        cashflowFreq: 'Yearly',
        rebalanceFrequency: 'monthly',
        'ticker[]': ['SPY', 'TLT'],
        'allocation[]': ['60', '40'],
      })
      await board(page, id)
      return `/backtest?backtest_id=${id}&section=periods`
    },
    seen: (page) => page.getByRole('region', { name: /^In crises How/ }).waitFor({ timeout: ENDS_WITHIN_MS }),
  },
  {
    name: 'short',
    make: async (page) => {
      const id = await backtest(page, {
        ...PERIOD,
        startDate: '2025-06-30',
        strategyName: 'Two months',
        strategyType: 'Asset Allocation',
        'ticker[]': ['SPY'],
        'allocation[]': ['100'],
      })
      await board(page, id)
      return `/backtest?backtest_id=${id}&section=robustness`
    },
    seen: (page) => page.getByRole('heading', { name: 'Cannot be told' }).waitFor({ timeout: ENDS_WITHIN_MS }),
  },
  {
    name: 'model',
    make: async (page) => {
      const id = await backtest(page, {
        ...MODEL_FIELDS,
        ...PERIOD,
        startDate: '2012-01-03',
        referenceTicker: 'SPY',
        'signal0_ticker[]': ['AGG?FB=TLT'],
      })
      await board(page, id)
      return `/backtest?backtest_id=${id}&section=robustness`
    },
    seen: (page) => page.getByRole('region', { name: 'Cross-validation paths' }).waitFor({ timeout: ENDS_WITHIN_MS }),
  },
  {
    name: 'optimizer',
    make: async (page) => {
      const started = await send(page, '/api/feature-optimization', {
        data: {
          target_asset: 'SPY',
          related_assets: ['TLT', 'GLD'],
          feature_types: [1, 7],
          feature_configs: { '1': { window: [1, 5, 20] }, '7': { window: [7, 14] } },
          target_id: 1,
          start_date: '2012-01-03',
          end_date: PERIOD.endDate,
          population_size: 10,
          generations: 4,
          max_features: 4,
          n_estimators: 10,
          walk_forward_enabled: true,
          nested_walk_forward: true,
          nested_windows: 6,
          evaluation_metric: 'sharpe',
        },
      })
      return `/optimizer?run=${(started as { run_id: number }).run_id}`
    },
    seen: (page) =>
      page.getByRole('region', { name: 'Nested walk-forward', exact: true }).waitFor({ timeout: ENDS_WITHIN_MS }),
  },
  {
    name: 'construction',
    make: async (page) => {
      const started = await send(page, '/api/portfolio-constructions', {
        data: {
          backtest: {
            ...PERIOD,
            strategyName: 'Seven funds',
            strategyType: 'Asset Allocation',
            'ticker[]': ['SPY', 'EFA', 'EEM', 'VNQ', 'TLT', 'GLD?FB=SPY', 'AGG?FB=TLT'],
            'allocation[]': ['30', '10', '10', '10', '20', '10', '10'],
          },
          methods: constructionMethods.map(({ id }) => ({ id })),
          max_pct: 50,
          turnover_pct: 30,
          groups: [{ name: 'Stocks', tickers: ['SPY', 'EFA', 'EEM'], min_pct: 20, max_pct: 70 }],
          views: [{ ticker: 'EEM', against: 'SPY', expected_pct: 2, confidence_pct: 50, since: '2010-01-04' }],
        },
      })
      return `/backtest?construct=${(started as { construction: { id: number } }).construction.id}`
    },
    seen: (page) => page.getByRole('table', { name: 'Portfolios out of sample' }).waitFor({ timeout: ENDS_WITHIN_MS }),
  },
  {
    name: 'settings',
    make: async (page) => {
      await send(page, '/api/alpaca/paper-account', { data: {} })
      await send(page, '/api/keys', { data: { name: 'Notebook', scopes: ['read'], password: PASSWORD } })
      const topic = { kind: 'ntfy', name: 'Phone', settings: { server: 'https://ntfy.sh', topic: 'savings-8f3k' } }
      await page.request.post('/api/alerts/channels', { data: topic })
      const id = await backtest(page, {
        ...PERIOD,
        strategyName: 'Shared',
        strategyType: 'Asset Allocation',
        'ticker[]': ['SPY'],
        'allocation[]': ['100'],
      })
      await send(page, `/api/backtests/${id}/links`, { data: {} })
      return '/settings'
    },
    seen: (page) => page.getByRole('region', { name: 'System Health' }).waitFor(),
  },
  {
    name: 'admin',
    make: async (page) => {
      for (const days of [7, 30]) {
        await page.request.post('/api/operator/invitations', { data: { days } })
      }
      for (const username of ['anna', 'a-user-with-a-rather-long-name@example.com']) {
        const visitor = await page.context().browser()!.newContext({ baseURL: app.url })
        await visitor.request.post('/api/register', { data: { username, email: username, password: PASSWORD } })
        await visitor.close()
      }
      const failing = { ...PERIOD, strategyName: 'Fails', strategyType: 'Asset Allocation' }
      await backtest(page, { ...failing, 'ticker[]': ['NOSUCHTICKER'], 'allocation[]': ['100'] }).catch(() => undefined)
      return '/admin'
    },
    seen: (page) => page.getByText('a-user-with-a-rather-long-name@example.com').first().waitFor(),
  },
]

const [folder, ...wanted] = process.argv.slice(2)
if (!folder) throw new Error('npm run looks -- <folder for the pictures> [scene …]')
mkdirSync(folder, { recursive: true })
const app = await startApp()
const browser = await chromium.launch(await chromiumLaunch())
try {
  const owner = await browser.newContext({ baseURL: app.url })
  const page = await owner.newPage()
  await send(page, '/api/register', { data: { username: 'maria', email: 'maria', password: PASSWORD } })
  await importPrices(page)
  for (const scene of SCENES) {
    if (wanted.length > 0 && !wanted.includes(scene.name)) continue
    const address = await scene.make(page)
    for (const look of LOOKS) {
      const context = await browser.newContext({
        ...look,
        baseURL: app.url,
        storageState: await owner.storageState(),
        reducedMotion: 'reduce',
        locale: 'en-US',
        timezoneId: 'America/New_York',
        serviceWorkers: 'block',
      })
      await show(context, scene, address, look.name)
      await context.close()
    }
  }
} finally {
  await browser.close()
  await app.stop()
}

async function show(context: BrowserContext, scene: Scene, address: string, look: string): Promise<void> {
  const page = await context.newPage()
  await page.goto(address)
  await scene.seen(page)
  const folded = page.locator('main section button[aria-expanded="false"]').filter({ hasText: /^Show$/, visible: true })
  while ((await folded.count()) > 0) await folded.first().click()
  // Plots below the fold draw when they come into sight.
  await page.evaluate(async () => {
    for (let top = 0; top < document.documentElement.scrollHeight; top += 600) {
      window.scrollTo(0, top)
      await new Promise((resolve) => setTimeout(resolve, 30))
    }
    window.scrollTo(0, 0)
  })
  await page.waitForLoadState('networkidle')
  const cards = page.locator('main section[aria-labelledby]:not(:has(section[aria-labelledby]))')
  const names = new Set<string>()
  for (const card of await cards.all()) {
    if (!(await card.isVisible())) continue
    const title = (await card.getByRole('heading').first().textContent()) ?? 'card'
    const name = title
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .slice(0, 40)
    const file = `${scene.name}.${names.has(name) ? `${name}-${names.size}` : name}.${look}.png`
    names.add(name)
    writeFileSync(join(folder!, file), await card.screenshot({ animations: 'disabled' }))
  }
  for await (const [name, card] of scene.states?.(page) ?? []) {
    writeFileSync(join(folder!, `${scene.name}.${name}.${look}.png`), await card.screenshot({ animations: 'disabled' }))
  }
  writeFileSync(join(folder!, `${scene.name}.page.${look}.png`), await page.screenshot({ fullPage: true }))
  const lines = [...(await problemsOf(page)), `${names.size} cards`]
  process.stdout.write(lines.map((line) => `${scene.name} ${look}: ${line}\n`).join(''))
}

async function problemsOf(page: Page): Promise<string[]> {
  const found = await page.evaluate(() => {
    const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth
    const cut = [...document.querySelectorAll<HTMLElement>('main *')].filter((element) => {
      const { overflowX, textOverflow } = getComputedStyle(element)
      if (overflowX === 'visible' || overflowX === 'auto' || overflowX === 'scroll') return false
      return element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1 && textOverflow !== 'ellipsis'
    })
    const described = cut.map((element) => `${element.className}: ${(element.textContent ?? '').slice(0, 80)}`)
    return [...(wide > 0 ? [`scrolls sideways by ${wide}px`] : []), ...described.map((one) => `cut off: ${one}`)]
  })
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .analyze()
  return [
    ...found,
    ...violations.map(({ id, nodes }) => `axe ${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`),
  ]
}

function backtest(page: Page, fields: BacktestFields): Promise<number> {
  return savedBacktest(page, { startValue: '10000', ...fields })
}

async function board(page: Page, id: number): Promise<void> {
  await send(page, `/api/backtests/${id}/robustness`, { data: {} })
  const deadline = Date.now() + ENDS_WITHIN_MS
  for (;;) {
    const answer = await page.request.get(`/api/backtests/${id}/robustness`)
    const { board: found, job } = (await answer.json()) as { board: object | null; job: object | null }
    if (found && !job) return
    if (Date.now() > deadline) throw new Error('the board did not end')
    await page.waitForTimeout(500)
  }
}

async function regress(page: Page): Promise<void> {
  const card = page.getByRole('region', { name: 'Factor regression' })
  const fold = card.getByRole('button', { name: /^Show / })
  if (await fold.isVisible()) await fold.click()
  await card.getByRole('button', { name: 'Run regression' }).click()
  await card.getByRole('table', { name: 'Factor regression' }).waitFor({ timeout: ENDS_WITHIN_MS })
}
