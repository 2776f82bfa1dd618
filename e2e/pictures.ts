// Takes the pictures of README and guide from the running program, into docs/images.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type Page } from '@playwright/test'
import { startApp } from './app.ts'
import { chromiumLaunch } from './chromium.ts'
import { importPrices, send } from './pictured-market.ts'

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'docs', 'images')
const MAX_BYTES = 150_000
const QUALITIES = [0.9, 0.8, 0.7, 0.6, 0.5]

const PERIOD = { startDate: '2005-01-03', endDate: '2025-08-29' }

const app = await startApp()
const browser = await chromium.launch(await chromiumLaunch())
try {
  const context = await browser.newContext({
    baseURL: app.url,
    viewport: { width: 1440, height: 900 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: 'America/New_York',
    serviceWorkers: 'block',
  })
  const page = await context.newPage()
  const password = 'blue canoe on a quiet lake'
  await send(page, '/api/register', { data: { username: 'maria', email: 'maria', password } })
  await importPrices(page)
  await deploy(page)
  await pictureOfStudio(page, await runBacktests(page))
  await pictureOfOptimizer(page)
  await pictureOfDeployment(page)
  await pictureOfHome(page)
} finally {
  await browser.close()
  await app.stop()
}

/** Strategies for the lists of Home; answers the last one, which the picture shows. */
async function runBacktests(page: Page): Promise<number> {
  const portfolios: Record<string, Record<string, number>> = {
    'Stocks and gold': { SPY: 75, GLD: 25 },
    'All Weather': { SPY: 30, TLT: 40, IEF: 15, GLD: 7.5, DBC: 7.5 },
    '60/40': { SPY: 60, AGG: 40 },
  }
  let last = 0
  for (const [strategyName, allocation] of Object.entries(portfolios)) {
    const form = new FormData()
    const fields = { ...PERIOD, strategyName, strategyType: 'Asset Allocation', startValue: '10000', cashflow: '0' }
    const choices = {
      cashflowFreq: 'Yearly',
      adjustInflation: 'false',
      investDividends: 'true',
      dataProvider: 'auto',
      dataGranularity: 'daily',
      allowMixedPrices: 'false',
      referenceTicker: 'SPY',
      rebalanceFrequency: 'yearly',
      saveStrategy: 'true',
      saveBacktest: 'true',
      backtestName: strategyName,
    }
    for (const [name, value] of Object.entries({ ...fields, ...choices })) form.append(name, value)
    for (const [ticker, percent] of Object.entries(allocation)) {
      form.append('ticker[]', ticker)
      form.append('allocation[]', String(percent))
    }
    const answer = await send(page, '/api/backtest', { multipart: form })
    last = (answer as { backtest_id: number }).backtest_id
  }
  return last
}

/** Trades on paper while the other pictures are taken. Tickers without an imported history have fresh prices. */
async function deploy(page: Page): Promise<void> {
  const allocations = [
    { ticker: 'VTI', allocation: 60 },
    { ticker: 'LQD', allocation: 40 },
  ]
  const config = { allocations, ...PERIOD, dataProvider: 'auto' }
  const saved = await send(page, '/api/strategies', {
    data: { name: 'Two funds', strategy_type: 'Asset Allocation', config },
  })
  const added = await send(page, '/api/alpaca/paper-account', { data: {} })
  await send(page, '/api/deployment/create', {
    data: {
      deployment_name: 'Two funds on paper',
      strategy_id: (saved as { id: number }).id,
      alpaca_account_id: (added as { account: { id: number } }).account.id,
      capital_policy_value: 25_000,
      auto_start: true,
      check_frequency_minutes: 5,
    },
  })
}

async function pictureOfStudio(page: Page, backtestId: number): Promise<void> {
  await page.goto(`/backtest?backtest_id=${backtestId}`)
  await page.getByRole('region', { name: 'Full Results', exact: true }).waitFor({ timeout: 60_000 })
  await page.getByRole('button', { name: 'Run backtest' }).waitFor()
  await take(page, 'studio-result')
}

/** A search that ends within a minute: the verdict is what the picture is about. */
async function pictureOfOptimizer(page: Page): Promise<void> {
  const started = await send(page, '/api/feature-optimization', {
    data: {
      target_asset: 'SPY',
      related_assets: ['TLT', 'GLD', 'QQQ', 'EFA'],
      feature_types: [1, 7],
      feature_configs: { '1': { window: [1, 5, 20] }, '7': { window: [7, 14] } },
      target_id: 1,
      start_date: '2012-01-03',
      end_date: PERIOD.endDate,
      population_size: 20,
      generations: 8,
      max_features: 4,
      n_estimators: 20,
      walk_forward_enabled: true,
      evaluation_metric: 'sharpe',
    },
  })
  await page.goto(`/optimizer?run=${(started as { run_id: number }).run_id}`)
  await page.getByText('How much of this is luck?').waitFor({ timeout: 300_000 })
  // The form and the curves come after the first paint.
  await page.getByRole('button', { name: 'Run optimization' }).waitFor()
  await page.getByRole('region', { name: 'Is it better than holding?' }).locator('canvas').first().waitFor()
  await take(page, 'optimizer-verdict')
}

async function pictureOfDeployment(page: Page): Promise<void> {
  await page.goto('/live-trading')
  await page.getByRole('link', { name: 'Two funds on paper' }).click()
  await page.getByRole('heading', { level: 1, name: 'Two funds on paper' }).waitFor()
  // Outside of market hours it has nothing but its next check, and the replay of the last month.
  const traded = page.getByRole('table', { name: 'Positions' }).getByText('VTI').waitFor({ timeout: 420_000 })
  const isClosed = page.getByText(/^in \d+ h \d+ min$/).waitFor({ timeout: 420_000 })
  await Promise.race([traded, isClosed]).catch(() => undefined)
  await page
    .getByText('Decisions and orders of the replay')
    .waitFor({ timeout: 60_000 })
    .catch(() => undefined)
  await take(page, 'deployment')
}

async function pictureOfHome(page: Page): Promise<void> {
  await page.goto('/')
  await page.getByText('Best results').waitFor()
  await take(page, 'home')
}

/** As WebP, which the browser itself can write, in the best quality that stays below the limit. */
async function take(page: Page, name: string): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => window.scrollTo(0, 0))
  const png = (await page.screenshot()).toString('base64')
  const writer = await browser.newPage()
  for (const quality of QUALITIES) {
    const webp = Buffer.from(await writer.evaluate(toWebp, { png, quality }), 'base64')
    if (webp.length > MAX_BYTES) continue
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${name}.webp`), webp)
    process.stdout.write(`docs/images/${name}.webp, ${Math.round(webp.length / 1000)} kB\n`)
    await writer.close()
    return
  }
  throw new Error(`The picture ${name} is larger than ${MAX_BYTES} bytes in every quality.`)
}

/** Runs in the browser. */
async function toWebp({ png, quality }: { png: string; quality: number }): Promise<string> {
  const image = new Image()
  image.src = `data:image/png;base64,${png}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = image.width
  canvas.height = image.height
  canvas.getContext('2d')!.drawImage(image, 0, 0)
  return canvas.toDataURL('image/webp', quality).split(',')[1]!
}
