import { listAccounts } from '@tradewright/contract/brokerage-accounts'
import { getUser } from '@tradewright/contract/auth'
import { getHomeAlerts, getHomeResults } from '@tradewright/contract/home'
import { listJobs } from '@tradewright/contract/jobs'
import { listDeployments } from '@tradewright/contract/live-trading'
import { getDeploymentsAtAGlance } from '@tradewright/contract/live-trading-watch'
import { getPortfolio } from '@tradewright/contract/portfolio'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { account, portfolio } from '../../../test-support/brokerage.ts'
import { deployment } from '../../../test-support/live-trading-world.ts'
import {
  expectAccessible,
  expectAddress,
  expectNoSidewaysScroll,
  look,
  LOOKS,
  openScreen,
  postToServer,
  reloadScreen,
  signIn,
  signInAsNew,
  standIn,
} from '../../../test-support/screen.tsx'
import { on, refuse } from '../../../test-support/served.ts'

const success = true as const
const panel = (name: string) => page.getByRole('region', { name, exact: true })

test('Home greets and links to the four places [SHELL-001, SHELL-049, SHELL-051..055]', async () => {
  const person = await signInAsNew()
  openScreen('/')
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent(`Hello, ${person.username}!`)
  await expect.element(page.getByText('Welcome to Tradewright.')).toBeVisible()
  for (const [name, path] of [
    ['Portfolio Performance', '/portfolio-performance'],
    ['Backtest Studio', '/backtest'],
    ['Strategy Hub', '/strategies'],
    ['AI Assistant', '/ai-assistant'],
  ] as const) {
    openScreen('/')
    await page.getByRole('main').getByRole('link', { name }).click()
    await expectAddress(path)
  }
})

test('Home greets a user without a name as User [SHELL-050]', async () => {
  await signIn()
  standIn([on(getUser, () => ({ id: 1, username: '', email: '' }))])
  openScreen('/')
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Hello, User!')
})

test('a new account has one next step, which ends in a result and is ticked off', async () => {
  await signInAsNew()
  openScreen('/')
  const next = panel('Run a first backtest')
  await expect.element(panel('Get started').getByText('0 of 5 done')).toBeVisible()
  await expect.element(next.getByRole('link')).toHaveLength(1)
  await expect.element(panel('Deployments')).not.toBeInTheDocument()
  await expectAccessible()
  await next.getByRole('link', { name: 'Run backtest' }).click()
  await expect.element(page.getByRole('heading', { name: '60/40' })).toBeVisible()
  // A reload does not run it again.
  await expectAddress(/^\/backtest\?backtest_id=\d+$/)

  openScreen('/')
  await expect.element(panel('Get started').getByText('Run a first backtest (done)')).toBeInTheDocument()
  await expect.element(panel('Get started').getByText('1 of 5 done')).toBeVisible()
  const save = panel('Save a strategy').getByRole('link', { name: 'Save a strategy' })
  await expect.element(save).toHaveAttribute('href', expect.stringMatching(/^\/backtest\?backtest_id=\d+$/))
  await expect.element(panel('Deployments')).not.toBeInTheDocument()
  await expect.element(panel('Best results')).not.toBeInTheDocument()
  await expectAccessible()

  await panel('Get started').getByRole('button', { name: 'Hide this list' }).click()
  await expect.element(panel('Get started')).not.toBeInTheDocument()
  reloadScreen()
  await expect.element(panel('Save a strategy')).toBeVisible()
  await expect.element(panel('Get started')).not.toBeInTheDocument()
})

test('Home fills with what the user has', async () => {
  await signInAsNew()
  const added = await postToServer('/api/alpaca/paper-account', {})
  const fields = new FormData()
  for (const [name, value] of Object.entries({
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
  }))
    fields.append(name, value)
  const { strategy_id, sharpe } = await postToServer('/api/backtest', fields)
  await postToServer('/api/deployment/create', {
    deployment_name: 'On paper',
    strategy_id,
    alpaca_account_id: (added['account'] as { id: number }).id,
    capital_policy_value: 1000,
    auto_start: true,
  })

  openScreen('/')
  await expect.element(panel('Equity').getByText('$100,000.00')).toBeVisible()
  const row = page.getByRole('table', { name: 'Deployments' }).getByRole('row', { name: /On paper/ })
  for (const text of ['Running', 'Paper', '$1,000.00', '$0.00'])
    await expect.element(row.getByText(text).last()).toBeVisible()
  await expect.element(row.getByText('$0.00').last()).toHaveAttribute('data-direction', 'gain')
  await expect.element(row.getByText(/ ET$/).last()).toBeVisible()
  for (const name of ['Best results', 'Latest results']) {
    const result = page.getByRole('table', { name }).getByRole('row', { name: /Plain mix, five years/ })
    await expect.element(result.getByText(Number(sharpe).toFixed(2).replace('-', '−'))).toBeVisible()
    await expect.element(result.getByText('2 Jan 2018 – 30 Dec 2022')).toBeVisible()
    await expect.element(result.getByTitle('Synthetic sample data')).toBeVisible()
  }
  // Nothing to show, nothing shown.
  await expect.element(panel('Needs attention')).not.toBeInTheDocument()
  await expect.element(panel('Jobs in progress')).not.toBeInTheDocument()
  await expect.element(panel('Get started').getByText('Run a deployment (done)')).toBeInTheDocument()
  await expect.element(page.getByText(/The US market (opens|is open|is closed)/)).toBeVisible()
  await expectAccessible()
  await page.getByRole('table', { name: 'Latest results' }).getByRole('link', { name: 'Plain mix, five years' }).click()
  await expect.element(page.getByRole('heading', { name: 'Plain mix' }).first()).toBeVisible()

  // What was left in the Studio does not come back with a new one.
  await page.getByLabelText('Strategy name').fill('Half done')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click()
  await page.getByRole('link', { name: 'New backtest' }).click()
  await expect.element(page.getByText('No results yet')).toBeVisible()
  await expect.element(page.getByLabelText('Strategy name')).toHaveValue('')
  reloadScreen()
  await expect.element(page.getByText('No results yet')).toBeVisible()
  await page.getByLabelText('Strategy name').fill('Second')
  await page.getByRole('tab', { name: 'Backtest Config' }).click()
  history.back()
  await expect.element(page.getByRole('tab', { name: 'Strategy Setup' })).toHaveAttribute('aria-selected', 'true')
})

/** A user with much going on; figures of a year ago would not show charts. */
function stubBusyHome(): void {
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
  standIn([
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
      deployments: [],
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

test.each(LOOKS)('a busy Home is whole in $colorScheme at $viewport.width', async (wanted) => {
  await signIn()
  await look(wanted)
  stubBusyHome()
  openScreen('/')
  await expect.element(panel('Equity').getByText('$128,412.36')).toBeVisible()
  await expect.element(panel('Equity').getByText('−$412.50 (−0.32%)')).toBeVisible()
  await expect.element(panel('Deployments').getByText('+$12,803.20')).toBeVisible()
  await expect.element(panel('Jobs in progress').getByText('Generation 12 of 40')).toBeVisible()
  await expect.element(panel('Needs attention').getByText(/its limit is 5%/)).toBeVisible()
  await expect.element(panel('Latest results').getByTitle('n/a because its returns do not vary')).toBeVisible()
  await expectNoSidewaysScroll()
  await expectAccessible()
})

test('a panel that cannot be loaded says so alone, and is asked again', async () => {
  await signIn()
  stubBusyHome()
  let isBroken = true
  standIn([on(getHomeResults, () => (isBroken ? refuse('The results are away.') : { latest: [], best: [] }))])
  openScreen('/')
  const latest = panel('Latest results')
  await expect.element(latest.getByText('Latest results could not be loaded. The results are away.')).toBeVisible()
  await expect.element(panel('Equity').getByText('$128,412.36')).toBeVisible()
  await expect.element(panel('Deployments').getByText('+$12,803.20')).toBeVisible()
  isBroken = false
  await latest.getByRole('button', { name: 'Try again' }).click()
  await expect.element(latest.getByText('No result yet.')).toBeVisible()
})
