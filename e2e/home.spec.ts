import { getHomeAlerts, getHomeResults } from '../packages/contract/src/home.ts'
import { listJobs } from '../packages/contract/src/jobs.ts'
import { listDeployments } from '../packages/contract/src/live-trading.ts'
import { getDeploymentsAtAGlance } from '../packages/contract/src/live-trading-watch.ts'
import { getPortfolio } from '../packages/contract/src/portfolio.ts'
import { listAccounts } from '../packages/contract/src/brokerage-accounts.ts'
import { expectAccessible, expectNoSidewaysScroll } from './accessible.ts'
import { account, portfolio } from './brokerage-stub.ts'
import { deployment } from './live-trading-world.ts'
import { on, refuse, standIn } from './stand-in.ts'
import { expect, type Page, test } from './story.ts'

const success = true as const
const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test('Home greets and links to the four places [SHELL-001, SHELL-049, SHELL-051..055]', async ({ page, person }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Hello, ${person.username}!`)
  await expect(page.getByText('Welcome to Tradewright.')).toBeVisible()
  for (const [name, path] of [
    ['Portfolio Performance', '/portfolio-performance'],
    ['Backtest Studio', '/backtest'],
    ['Strategy Hub', '/strategies'],
    ['AI Assistant', '/ai-assistant'],
  ] as const) {
    await page.goto('/')
    await page.getByRole('main').getByRole('link', { name }).click()
    await expect(page).toHaveURL(path)
  }
})

test('Home greets a user without a name as User [SHELL-050]', async ({ signedIn: page }) => {
  await page.route('**/api/user', (route) => route.fulfill({ json: { id: 1, username: '', email: '' } }))
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hello, User!')
})

test('a new account has one next step, which ends in a result and is ticked off', async ({ page, person: _person }) => {
  await page.goto('/')
  const next = panel(page, 'Run a first backtest')
  await expect(next.getByRole('link')).toHaveCount(1)
  await expect(panel(page, 'Get started').getByText('0 of 5 done')).toBeVisible()
  await expect(panel(page, 'Deployments')).toBeHidden()
  await expectAccessible(page)
  await next.getByRole('link', { name: 'Run backtest' }).click()
  await expect(page.getByRole('heading', { name: '60/40' })).toBeVisible()
  // A reload does not run it again.
  await expect(page).toHaveURL(/\/backtest\?backtest_id=\d+$/)

  await page.goto('/')
  await expect(panel(page, 'Get started').getByText('Run a first backtest (done)')).toBeAttached()
  await expect(panel(page, 'Get started').getByText('1 of 5 done')).toBeVisible()
  const save = panel(page, 'Save a strategy').getByRole('link', { name: 'Save a strategy' })
  await expect(save).toHaveAttribute('href', /^\/backtest\?backtest_id=\d+$/)
  await expect(panel(page, 'Deployments')).toBeHidden()
  await expect(panel(page, 'Best results')).toBeHidden()
  await expectAccessible(page)

  await panel(page, 'Get started').getByRole('button', { name: 'Hide this list' }).click()
  await expect(panel(page, 'Get started')).toBeHidden()
  await page.reload()
  await expect(panel(page, 'Save a strategy')).toBeVisible()
  await expect(panel(page, 'Get started')).toBeHidden()
})

test('Home fills with what the user has', async ({ page, person: _person }) => {
  const added = await page.request.post('/api/alpaca/paper-account', { data: {} })
  const { account: paper } = (await added.json()) as { account: { id: number } }
  const fields = {
    strategyName: 'Plain mix',
    strategyType: 'Asset Allocation',
    startDate: '2018-01-02',
    endDate: '2022-12-30',
    startValue: '10000',
    'ticker[]': 'SPY',
    'allocation[]': '100',
    saveStrategy: 'true',
    saveBacktest: 'true',
    backtestName: 'Plain mix, five years',
  }
  const ran = await page.request.post('/api/backtest', { multipart: fields })
  expect(ran.ok(), await ran.text()).toBe(true)
  const { strategy_id, sharpe } = (await ran.json()) as { strategy_id: number; sharpe: number }
  const form = { strategy_id, alpaca_account_id: paper.id, capital_policy_value: 1000, auto_start: true }
  const deployed = await page.request.post('/api/deployment/create', {
    data: { deployment_name: 'On paper', ...form },
  })
  expect(deployed.ok(), await deployed.text()).toBe(true)

  await page.goto('/')
  await expect(panel(page, 'Equity').getByText('$100,000.00')).toBeVisible()
  const row = page.getByRole('table', { name: 'Deployments' }).getByRole('row', { name: /On paper/ })
  for (const text of ['Running', 'Paper', '$1,000.00', '+$0.00']) await expect(row.getByText(text).last()).toBeVisible()
  await expect(row.getByText(/ ET$/).last()).toBeVisible()
  for (const name of ['Best results', 'Latest results']) {
    const result = page.getByRole('table', { name }).getByRole('row', { name: /Plain mix, five years/ })
    await expect(result.getByText(sharpe.toFixed(2).replace('-', '−'))).toBeVisible()
    await expect(result.getByText('2 Jan 2018 – 30 Dec 2022')).toBeVisible()
    await expect(result.getByTitle('Synthetic sample data')).toBeVisible()
  }
  // Nothing to show, nothing shown.
  await expect(panel(page, 'Needs attention')).toBeHidden()
  await expect(panel(page, 'Jobs in progress')).toBeHidden()
  await expect(panel(page, 'Get started').getByText('Run a deployment (done)')).toBeAttached()
  await expect(page.getByText(/The US market (opens|is open|is closed)/)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('table', { name: 'Latest results' }).getByRole('link', { name: 'Plain mix, five years' }).click()
  await expect(page.getByRole('heading', { name: 'Plain mix' }).first()).toBeVisible()

  // What was left in the Studio does not come back with a new one.
  await page.getByLabel('Strategy name').fill('Half done')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click()
  await page.getByRole('link', { name: 'New backtest' }).click()
  await expect(page.getByText('No results yet')).toBeVisible()
  await expect(page.getByLabel('Strategy name')).toHaveValue('')
  await page.reload()
  await expect(page.getByText('No results yet')).toBeVisible()
  await page.getByLabel('Strategy name').fill('Second')
  await page.getByRole('tab', { name: 'Backtest Config' }).click()
  await page.goBack()
  await expect(page.getByRole('tab', { name: 'Strategy Setup' })).toHaveAttribute('aria-selected', 'true')
})

/** A user with much going on; figures of a year ago would not show charts. */
async function stubBusyHome(page: Page): Promise<void> {
  const wave = (slope: number) => Array.from({ length: 60 }, (_, i) => 1 + slope * i + 0.05 * Math.sin(i / 4))
  const result = (id: number, name: string, changes: object) => ({
    backtest_id: id,
    name,
    strategy_name: name,
    created_at: `2026-11-1${id}T15:00:00.000Z`,
    start_date: '2006-02-07',
    end_date: '2026-11-13',
    cagr: 0.119,
    sharpe: 0.87,
    max_drawdown: -0.172,
    figure_notes: {},
    synthetic: false,
    spliced_tickers: [],
    growth: wave(0.04),
    ...changes,
  })
  const results = [
    result(3, 'Trend and momentum', {}),
    result(2, 'SPY / TLT regime switch', { cagr: 0.063, sharpe: 0.28, synthetic: true, growth: wave(0.01) }),
    result(1, 'Cash', { cagr: 0, sharpe: null, figure_notes: { sharpe: 'its returns do not vary' }, growth: [1, 1] }),
  ]
  const job = { state: 'running', created_at: '2026-11-13T21:00:00.000Z', strategy_name: null } as const
  await standIn(page, [
    on(listAccounts, () => ({ success, accounts: [account()] })),
    on(getPortfolio, () => ({ success, portfolio: portfolio() })),
    on(listDeployments, () => ({
      success,
      deployments: [
        deployment({ id: 1, deployment_name: 'Trend and momentum', total_pnl: 12_803.2, net_contributions: 50_000 }),
        deployment({ id: 2, deployment_name: 'Classic 60/40', synthetic: true, synthetic_tickers: ['AGG'] }),
        deployment({ id: 3, deployment_name: 'BTC-USD momentum', status: 'paused', total_pnl: -418.27 }),
      ],
    })),
    on(getDeploymentsAtAGlance, () => ({
      success,
      market: {
        is_open: false,
        next_open: new Date(Date.now() + 42 * 60_000).toISOString(),
        next_close: new Date(Date.now() + 432 * 60_000).toISOString(),
      },
      recent: [
        { deployment_id: 1, growth: wave(0.01).slice(0, 30) },
        { deployment_id: 2, growth: wave(0.004).slice(0, 30) },
        { deployment_id: 3, growth: wave(-0.006).slice(0, 30) },
      ],
    })),
    on(getHomeResults, () => ({ latest: results, best: results.slice(0, 2) })),
    on(getHomeAlerts, () => ({
      alerts: [
        {
          source: 'deployment' as const,
          id: 3,
          name: 'BTC-USD momentum',
          level: 'error' as const,
          text: 'Paused: the loss of the session is 5.2%, and its limit is 5%.',
          at: '2026-11-13T16:40:00.000Z',
        },
      ],
    })),
    on(listJobs, () => ({
      jobs: [
        {
          ...job,
          job_id: 'a',
          kind: 'optimizer',
          subject: '12',
          progress: { fraction: 0.3, note: 'Generation 12 of 40' },
        },
        { ...job, job_id: 'b', kind: 'data-collection', subject: 'Nightly', progress: null },
      ],
    })),
  ])
}

for (const theme of ['light', 'dark'] as const) {
  test(`a busy Home is whole on a desk and on a phone, ${theme}`, async ({ signedIn: page }) => {
    await page.emulateMedia({ colorScheme: theme })
    await stubBusyHome(page)
    for (const viewport of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(viewport)
      await page.goto('/')
      await expect(panel(page, 'Equity').getByText('$128,412.36')).toBeVisible()
      await expect(panel(page, 'Equity').getByText('−$412.50 (−0.32%)')).toBeVisible()
      await expect(panel(page, 'Deployments').getByText('+$12,803.20')).toBeVisible()
      await expect(panel(page, 'Jobs in progress').getByText('Generation 12 of 40')).toBeVisible()
      await expect(panel(page, 'Needs attention').getByText(/its limit is 5%/)).toBeVisible()
      await expect(panel(page, 'Latest results').getByTitle('n/a because its returns do not vary')).toBeVisible()
      await expectNoSidewaysScroll(page)
      await expectAccessible(page)
    }
  })
}

test('a panel that cannot be loaded says so alone, and is asked again', async ({ signedIn: page }) => {
  await stubBusyHome(page)
  let isBroken = true
  await standIn(page, [
    on(getHomeResults, () => (isBroken ? refuse('The results are away.') : { latest: [], best: [] })),
  ])
  await page.goto('/')
  const latest = panel(page, 'Latest results')
  await expect(latest.getByText('Latest results could not be loaded. The results are away.')).toBeVisible()
  await expect(panel(page, 'Equity').getByText('$128,412.36')).toBeVisible()
  await expect(panel(page, 'Deployments').getByText('+$12,803.20')).toBeVisible()
  isBroken = false
  await latest.getByRole('button', { name: 'Try again' }).click()
  await expect(latest.getByText('No result yet.')).toBeVisible()
})
