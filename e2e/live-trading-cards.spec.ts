import * as calls from '../packages/contract/src/live-trading.ts'
import { TRADING_DAYS } from '../packages/contract/src/live-trading-fields.ts'
import { expectAccessible } from './accessible.ts'
import { card, deployButton, dialog, openMore, tab } from './live-trading-page.ts'
import { liveTradingStandIn } from './live-trading-stand-in.ts'
import { deployment } from '../apps/web/test-support/live-trading-world.ts'
import { on, refuse } from './stand-in.ts'
import { expect, test } from './story.ts'

const success = true as const

test('without deployments there is a way to the first one, and without an account to the paper one [LIVE-002..005, LIVE-007..010, LIVE-023, LIVE-024, LIVE-026, LIVE-028, LIVE-034, LIVE-037..042]', async ({
  signedIn: page,
}) => {
  await liveTradingStandIn(page, { deployments: [], accounts: [] })
  await page.goto('/live-trading')
  await expect(page.getByRole('heading', { name: 'Live Trading' })).toBeVisible()
  await expect(page.getByText('Manage your live trading deployments and deploy new strategies')).toBeVisible()
  await expect(tab(page, 'Active Deployments')).toContainText('0')
  await expect(tab(page, 'Logs')).toBeVisible()
  await expect(tab(page, 'Edit Deployment')).toBeHidden()
  await expect(page.getByText('No Active Deployments')).toBeVisible()
  await page.getByRole('button', { name: 'Deploy Your First Strategy' }).click()
  await openMore(page)
  for (const section of [
    'Trading Account',
    'Strategy Selection',
    'Strategy Options',
    'Trading Ticker Mapping',
    'Trading Configuration',
    'Trading Schedule',
    'Email Notifications',
    'Deployment Options',
  ]) {
    await expect(page.getByRole('heading', { name: section, exact: true })).toBeVisible()
  }
  await expect(page.getByRole('switch', { name: 'Start Immediately' })).not.toBeChecked()
  await expect(deployButton(page)).toBeDisabled()
  await page.getByRole('button', { name: 'Use the built-in paper account' }).click()
  await expect(page.getByRole('combobox', { name: 'Account' }).locator('option:checked')).toHaveText(
    'Paper account (Paper)',
  )
  await expectAccessible(page)
})

test('cards show each deployment and offer what its state allows [LIVE-011..021, LIVE-102..107, LIVE-175, LIVE-178, LIVE-180]', async ({
  signedIn: page,
}) => {
  const world = await liveTradingStandIn(page, {
    deployments: [
      deployment(),
      deployment({
        id: 2,
        deployment_name: 'Always',
        status: 'paused',
        paper_trading: false,
        total_pnl: -418.27,
        trading_days: [...TRADING_DAYS],
        bypass_market_hours: true,
        trading_frequency_type: 'continuous',
        capital_policy: 'percent_of_account',
        capital_policy_value: 40,
        ticker_mapping: {},
      }),
      deployment({
        id: 3,
        deployment_name: 'Idle',
        status: 'stopped',
        trading_days: ['Monday', 'Friday'],
        synthetic: true,
        synthetic_tickers: ['AGG', 'TLT'],
      }),
    ],
    recent: [{ deployment_id: 1, growth: [1, 1.02, 1.0745] }],
  })
  await page.goto('/live-trading')
  await expect(page.getByText(/^US market closed · opens (Mon 16 Nov, )?9:30 AM ET$/)).toBeVisible()
  await expect(card(page, 'Idle').getByText('Synthetic sample data: AGG, TLT')).toBeVisible()
  await expect(page.getByText('Synthetic sample data')).toHaveCount(1)
  const running = card(page, 'Regime switch, core')
  for (const text of ['SPY / TLT regime switch', 'Main account', 'Paper', 'Running', '$25,000.00', '$1,240.18']) {
    await expect(running.getByText(text, { exact: true }).first()).toBeVisible()
  }
  for (const text of ['End-of-day, 30 minutes before close', 'Market Hours Only', 'Weekdays only', '+$1,862.44']) {
    await expect(running.getByText(text)).toBeVisible()
  }
  await expect(running.getByText('+$1,862.44')).toHaveAttribute('data-direction', 'gain')
  await expect(running.getByRole('button', { name: 'Edit' })).toBeDisabled()
  await expect(running.getByRole('button', { name: 'Edit' })).toHaveAttribute('title', 'Stop deployment first to edit')
  await expect(running.getByRole('button', { name: 'Delete' })).toBeHidden()
  await expect(running.getByText('Growth, 30 days')).toBeVisible()
  const paused = card(page, 'Always')
  await expect(paused.getByText('Growth, 30 days')).toBeHidden()
  for (const text of ['Every 60 minutes', '24/7 Trading', 'Every day', '40% of account', 'Live money', '−$418.27']) {
    await expect(paused.getByText(text)).toBeVisible()
  }
  await expect(paused.getByText('−$418.27')).toHaveAttribute('data-direction', 'loss')
  await expect(card(page, 'Idle').getByText('Mon, Fri')).toBeVisible()
  await expectAccessible(page)

  await expect(paused.getByText('Daily bars: checked on business days, in market hours')).toBeVisible()
  await running.getByRole('button', { name: 'Check now' }).click()
  await expect(page.getByText('Nothing was sent: the market is closed.')).toBeVisible()
  await expect(page.getByText('Next check Mon, 9:30 AM ET.')).toBeVisible()
  await expect(paused.getByRole('button', { name: 'Check now' })).toBeHidden()

  await running.getByRole('button', { name: 'Pause' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Deployment pause successful' })).toBeVisible()
  await running.getByRole('button', { name: 'Resume' }).click()
  await expect(running.getByText('Running')).toBeVisible()
  await running.getByRole('button', { name: 'Stop' }).click()
  await expect(dialog(page)).toContainText('Are you sure you want to stop this deployment?')
  await expect(dialog(page).getByRole('radio', { name: 'Keep positions' })).toBeChecked()
  await dialog(page).getByRole('button', { name: 'Stop deployment' }).click()
  await expect(dialog(page)).toBeHidden()
  await expect(running.getByText('Stopped')).toBeVisible()
  expect(world.asked.map(({ body }) => body['action'])).toEqual(['pause', 'resume', 'stop'])

  await running.getByRole('button', { name: 'Delete' }).click()
  await expect(dialog(page)).toContainText('removes its model files, logs and trade history and cannot be undone')
  await dialog(page).getByRole('button', { name: 'Delete deployment' }).click()
  await expect(page.getByText('Deployment deleted, its capital is free again.')).toBeVisible()
  await expect(running).toBeHidden()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByText('Deployment deleted, its capital is free again.')).toBeHidden()
})

test('a stop says what becomes of short positions, and asks before they are left open', async ({ signedIn: page }) => {
  const short = deployment({ short_positions: [{ symbol: 'TLT', quantity: 33 }] })
  const world = await liveTradingStandIn(page, { deployments: [short] })
  await page.goto('/live-trading')
  await card(page, 'Regime switch, core').getByRole('button', { name: 'Stop' }).click()
  await expect(dialog(page)).toContainText('Short positions stay open: 33 TLT owed.')
  await expect(dialog(page)).toContainText('Borrowed shares are bought back: 33 TLT.')
  const stop = dialog(page).getByRole('button', { name: 'Stop deployment' })
  await expect(stop).toBeDisabled()
  await expectAccessible(page)
  await dialog(page).getByRole('radio', { name: 'Cancel and sell everything' }).check()
  await expect(dialog(page).getByRole('button', { name: 'Stop and sell everything' })).toBeEnabled()
  await dialog(page).getByRole('radio', { name: 'Keep positions' }).check()
  await dialog(page).getByRole('checkbox', { name: 'Leave the short positions open' }).check()
  await stop.click()
  await expect(dialog(page)).toBeHidden()
  expect(world.asked.map(({ body }) => [body['action'], body['positions']])).toEqual([['stop', 'keep']])
})

test('what fails is told in the words of the server [LIVE-176, LIVE-177, LIVE-179, LIVE-181]', async ({
  signedIn: page,
}) => {
  await liveTradingStandIn(page, { deployments: [deployment({ status: 'stopped' })] }, () => [
    on(calls.controlDeployment, () => refuse('The account is not verified yet.', { status: 409 })),
    on(calls.deleteDeployment, () => refuse('An order is still open.', { status: 409 })),
    on(calls.getDeployment, () => refuse('It is gone.', { status: 404 })),
  ])
  await page.goto('/live-trading')
  const stopped = card(page, 'Regime switch, core')
  await stopped.getByRole('button', { name: 'Start' }).click()
  await expect(page.getByRole('alert')).toContainText('Failed to start deployment: The account is not verified yet.')
  await stopped.getByRole('button', { name: 'Edit' }).click()
  await expect(page.getByRole('alert')).toContainText('Failed to load deployment: It is gone.')
  await stopped.getByRole('button', { name: 'Delete' }).click()
  await dialog(page).getByRole('button', { name: 'Delete deployment' }).click()
  await expect(page.getByRole('alert')).toContainText('Failed to delete deployment: An order is still open.')
})

test('a list that cannot be loaded is no empty list, and everything can be stopped all the same [LIVE-176]', async ({
  signedIn: page,
}) => {
  let isIll = true
  let refusals = 0
  const world = await liveTradingStandIn(page, {}, (known) => [
    on(calls.listDeployments, () => {
      if (!isIll) return { success, deployments: known.deployments }
      refusals += 1
      return refuse('The database is away.', { status: 409 })
    }),
  ])
  await page.goto('/live-trading')
  await expect(page.getByText('Could not load, try again.')).toBeVisible()
  await expect(page.getByText('No Active Deployments')).toBeHidden()
  await page.getByRole('button', { name: 'Emergency stop, all' }).click()
  const before = refusals
  await dialog(page).getByRole('button', { name: 'Stop all at once' }).click()
  await expect(page.getByText('Stopped 1 deployment and cancelled 2 orders.')).toBeVisible()
  // The stop asks for the list again: were that answered, there would be nothing to press.
  await expect.poll(() => refusals).toBeGreaterThan(before)
  isIll = false
  await page.getByRole('button', { name: 'Try again' }).click()
  const shown = card(page, world.deployments[0]?.deployment_name ?? '')
  await expect(shown).toBeVisible()
  await expect(page.getByText('These figures are from')).toBeHidden()
  isIll = true
  await shown.getByRole('button', { name: 'Pause' }).click()
  await expect(page.getByText('These figures are from')).toBeVisible()
  await expect(page.getByText('The database is away.')).toBeVisible()
  await expect(shown).toBeVisible()
})

test('a deployment that cannot be read leaves the others on the screen, and the page says so', async ({
  signedIn: page,
}) => {
  const unreadable = deployment({ id: 2, deployment_name: 'Unreadable', created_at: 'once upon a time' })
  await liveTradingStandIn(page, { deployments: [deployment(), unreadable] })
  await page.goto('/live-trading')
  await expect(card(page, 'Regime switch, core')).toBeVisible()
  await expect(page.getByText('Unreadable')).toHaveCount(0)
  const notice = page.getByRole('status').filter({ hasText: 'Deployments: 1 of 2 entries could not be read' })
  await expect(notice).toContainText('Sums and counts do not include them.')
  await notice.getByRole('button', { name: 'Dismiss' }).click()
  await expect(notice).toBeHidden()
})
