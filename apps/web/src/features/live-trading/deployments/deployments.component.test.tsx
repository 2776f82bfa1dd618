import * as calls from '@tradewright/contract/live-trading'
import { TRADING_DAYS } from '@tradewright/contract/live-trading-fields'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import {
  card,
  deployButton,
  dialog,
  openMore,
  standInLiveTrading,
  tab,
} from '../../../../test-support/live-trading-page.ts'
import { deployment } from '../../../../test-support/live-trading-world.ts'
import { expectAccessible, expectNoSidewaysScroll, openScreen, signIn } from '../../../../test-support/screen.tsx'
import { on, refuse } from '../../../../test-support/served.ts'

const success = true as const

test('without deployments there is a way to the first one, and without an account to the paper one [LIVE-002..005, LIVE-007..010, LIVE-023, LIVE-024, LIVE-026, LIVE-028, LIVE-034, LIVE-037..042]', async () => {
  await signIn()
  standInLiveTrading({ deployments: [], accounts: [] })
  openScreen('/live-trading')
  await expect.element(page.getByRole('heading', { name: 'Live Trading' })).toBeVisible()
  await expect.element(page.getByText('Manage your live trading deployments and deploy new strategies')).toBeVisible()
  await expect.element(tab('Active Deployments')).toMatchTextContent('0')
  await expect.element(tab('Logs')).toBeVisible()
  await expect.element(tab('Edit Deployment')).not.toBeInTheDocument()
  await expect.element(page.getByText('No Active Deployments')).toBeVisible()
  await page.getByRole('button', { name: 'Deploy Your First Strategy' }).click()
  await openMore()
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
    await expect.element(page.getByRole('heading', { name: section, exact: true })).toBeVisible()
  }
  await expect.element(page.getByRole('switch', { name: 'Start Immediately' })).not.toBeChecked()
  await expect.element(deployButton()).toBeDisabled()
  await page.getByRole('button', { name: 'Use the built-in paper account' }).click()
  await expect.element(page.getByRole('combobox', { name: 'Account' })).toHaveDisplayValue('Paper account (Paper)')
  await expectAccessible()
})

test('cards show each deployment and offer what its state allows [LIVE-011..021, LIVE-102..107, LIVE-175, LIVE-178, LIVE-180]', async () => {
  await signIn()
  const world = standInLiveTrading({
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
  openScreen('/live-trading')
  await expect.element(page.getByText(/^US market closed · opens (Mon 16 Nov, )?9:30 AM ET$/)).toBeVisible()
  await expect.element(card('Idle').getByText('Synthetic sample data: AGG, TLT')).toBeVisible()
  await expect.element(page.getByText('Synthetic sample data')).toHaveLength(1)
  const running = card('Regime switch, core')
  for (const text of ['SPY / TLT regime switch', 'Main account', 'Paper', 'Running', '$25,000.00', '$1,240.18']) {
    await expect.element(running.getByText(text, { exact: true }).first()).toBeVisible()
  }
  for (const text of ['End-of-day, 30 minutes before close', 'Market Hours Only', 'Weekdays only', '+$1,862.44']) {
    await expect.element(running.getByText(text)).toBeVisible()
  }
  await expect.element(running.getByText('+$1,862.44')).toHaveAttribute('data-direction', 'gain')
  await expect.element(running.getByRole('button', { name: 'Edit' })).toBeDisabled()
  await expect
    .element(running.getByRole('button', { name: 'Edit' }))
    .toHaveAttribute('title', 'Stop deployment first to edit')
  await expect.element(running.getByRole('button', { name: 'Delete' })).not.toBeInTheDocument()
  await expect.element(running.getByText('Growth, 30 days')).toBeVisible()
  const paused = card('Always')
  await expect.element(paused.getByText('Growth, 30 days')).not.toBeInTheDocument()
  for (const text of ['Every 60 minutes', '24/7 Trading', 'Every day', '40% of account', 'Live money', '−$418.27']) {
    await expect.element(paused.getByText(text)).toBeVisible()
  }
  await expect.element(paused.getByText('−$418.27')).toHaveAttribute('data-direction', 'loss')
  await expect.element(card('Idle').getByText('Mon, Fri')).toBeVisible()
  await expectAccessible()

  await expect.element(paused.getByText('Daily bars: checked on business days, in market hours')).toBeVisible()
  await running.getByRole('button', { name: 'Check now' }).click()
  await expect.element(page.getByText('Nothing was sent: the market is closed.')).toBeVisible()
  await expect.element(page.getByText('Next check Mon, 9:30 AM ET.')).toBeVisible()
  await expect.element(paused.getByRole('button', { name: 'Check now' })).not.toBeInTheDocument()

  await running.getByRole('button', { name: 'Pause' }).click()
  await expect.element(page.getByRole('status').filter({ hasText: 'Deployment pause successful' })).toBeVisible()
  await running.getByRole('button', { name: 'Resume' }).click()
  await expect.element(running.getByText('Running')).toBeVisible()
  await running.getByRole('button', { name: 'Stop' }).click()
  await expect.element(dialog()).toMatchTextContent('Are you sure you want to stop this deployment?')
  await expect.element(dialog().getByRole('radio', { name: 'Keep positions' })).toBeChecked()
  await dialog().getByRole('button', { name: 'Stop deployment' }).click()
  await expect.element(dialog()).not.toBeInTheDocument()
  await expect.element(running.getByText('Stopped')).toBeVisible()
  expect(world.asked.map(({ body }) => body['action'])).toEqual(['pause', 'resume', 'stop'])

  await running.getByRole('button', { name: 'Delete' }).click()
  await expect
    .element(dialog())
    .toMatchTextContent('removes its model files, logs and trade history and cannot be undone')
  await dialog().getByRole('button', { name: 'Delete deployment' }).click()
  await expect.element(page.getByText('Deployment deleted, its capital is free again.')).toBeVisible()
  await expect.element(running).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect.element(page.getByText('Deployment deleted, its capital is free again.')).not.toBeInTheDocument()
})

test('a stop says what becomes of short positions, and asks before they are left open', async () => {
  await signIn()
  const short = deployment({ short_positions: [{ symbol: 'TLT', quantity: 33 }] })
  const world = standInLiveTrading({ deployments: [short] })
  openScreen('/live-trading')
  await card('Regime switch, core').getByRole('button', { name: 'Stop' }).click()
  await expect.element(dialog()).toMatchTextContent('Short positions stay open: 33 TLT owed.')
  await expect.element(dialog()).toMatchTextContent('Borrowed shares are bought back: 33 TLT.')
  const stop = dialog().getByRole('button', { name: 'Stop deployment' })
  await expect.element(stop).toBeDisabled()
  await expectAccessible()
  await dialog().getByRole('radio', { name: 'Cancel and sell everything' }).click()
  await expect.element(dialog().getByRole('button', { name: 'Stop and sell everything' })).toBeEnabled()
  await dialog().getByRole('radio', { name: 'Keep positions' }).click()
  await dialog().getByRole('checkbox', { name: 'Leave the short positions open' }).click()
  await stop.click()
  await expect.element(dialog()).not.toBeInTheDocument()
  expect(world.asked.map(({ body }) => [body['action'], body['positions']])).toEqual([['stop', 'keep']])
})

test('what fails is told in the words of the server [LIVE-176, LIVE-177, LIVE-179, LIVE-181]', async () => {
  await signIn()
  standInLiveTrading({ deployments: [deployment({ status: 'stopped' })] }, () => [
    on(calls.controlDeployment, () => refuse('The account is not verified yet.', { status: 409 })),
    on(calls.deleteDeployment, () => refuse('An order is still open.', { status: 409 })),
    on(calls.getDeployment, () => refuse('It is gone.', { status: 404 })),
  ])
  openScreen('/live-trading')
  const stopped = card('Regime switch, core')
  await stopped.getByRole('button', { name: 'Start' }).click()
  await expect
    .element(page.getByRole('alert'))
    .toMatchTextContent('Failed to start deployment: The account is not verified yet.')
  await stopped.getByRole('button', { name: 'Edit' }).click()
  await expect.element(page.getByRole('alert')).toMatchTextContent('Failed to load deployment: It is gone.')
  await stopped.getByRole('button', { name: 'Delete' }).click()
  await dialog().getByRole('button', { name: 'Delete deployment' }).click()
  await expect
    .element(page.getByRole('alert'))
    .toMatchTextContent('Failed to delete deployment: An order is still open.')
})

test('a list that cannot be loaded is no empty list, and everything can be stopped all the same [LIVE-176]', async () => {
  await signIn()
  let isIll = true
  let refusals = 0
  const world = standInLiveTrading({}, (known) => [
    on(calls.listDeployments, () => {
      if (!isIll) return { success, deployments: known.deployments }
      refusals += 1
      return refuse('The database is away.', { status: 409 })
    }),
  ])
  openScreen('/live-trading')
  await expect.element(page.getByText('Could not load, try again.')).toBeVisible()
  await expect.element(page.getByText('No Active Deployments')).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Emergency stop, all' }).click()
  const before = refusals
  await dialog().getByRole('button', { name: 'Stop all at once' }).click()
  await expect.element(page.getByText('Stopped 1 deployment and cancelled 2 orders.')).toBeVisible()
  // The stop asks for the list again: were that answered, there would be nothing to press.
  await expect.poll(() => refusals).toBeGreaterThan(before)
  isIll = false
  await page.getByRole('button', { name: 'Try again' }).click()
  const shown = card(world.deployments[0]?.deployment_name ?? '')
  await expect.element(shown).toBeVisible()
  await expect.element(page.getByText('These figures are from')).not.toBeInTheDocument()
  isIll = true
  await shown.getByRole('button', { name: 'Pause' }).click()
  await expect.element(page.getByText('These figures are from')).toBeVisible()
  await expect.element(page.getByText('The database is away.')).toBeVisible()
  await expect.element(shown).toBeVisible()
})

test('a deployment that cannot be read leaves the others on the screen, and the page says so', async () => {
  await signIn()
  const unreadable = deployment({ id: 2, deployment_name: 'Unreadable', created_at: 'once upon a time' })
  standInLiveTrading({ deployments: [deployment(), unreadable] })
  openScreen('/live-trading')
  await expect.element(card('Regime switch, core')).toBeVisible()
  await expect.element(page.getByText('Unreadable')).toHaveLength(0)
  const notice = page.getByRole('status').filter({ hasText: 'Deployments: 1 of 2 entries could not be read' })
  await expect.element(notice).toMatchTextContent('Sums and counts do not include them.')
  await notice.getByRole('button', { name: 'Dismiss' }).click()
  await expect.element(notice).not.toBeInTheDocument()
})

test('a stop offers to keep the positions or to sell everything, and says what follows [LIVE-103]', async () => {
  await signIn()
  const world = standInLiveTrading()
  openScreen('/live-trading')
  const running = card('Regime switch, core')
  await running.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect.element(dialog()).toMatchTextContent('Are you sure you want to stop this deployment?')
  await expect.element(dialog().getByRole('radio', { name: 'Keep positions' })).toBeChecked()
  await dialog().getByRole('radio', { name: 'Cancel and sell everything' }).click()
  await expect.element(dialog()).toMatchTextContent('Every position is sold at market prices')
  await expect.element(dialog()).toMatchTextContent('Sales of stocks wait at the broker for the open')
  await expectAccessible(dialog().element())
  await expectNoSidewaysScroll()
  await dialog().getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect.element(dialog()).not.toBeInTheDocument()
  expect(world.asked).toEqual([])

  // What was chosen and not confirmed is not chosen the next time.
  await running.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect.element(dialog().getByRole('radio', { name: 'Keep positions' })).toBeChecked()
  await dialog().getByRole('radio', { name: 'Cancel and sell everything' }).click()
  await dialog().getByRole('button', { name: 'Stop and sell everything' }).click()
  await expect
    .element(page.getByText('Everything it holds is sold; its activity says when that is done.'))
    .toBeVisible()
  expect(world.asked.map(({ body }) => body)).toEqual([{ action: 'stop', positions: 'sell' }])
  await expect.element(running.getByText('Selling everything')).toBeVisible()
  await expect.element(running.getByRole('button', { name: 'Start' })).toBeDisabled()
  await expect.element(running.getByRole('button', { name: 'Delete' })).toBeDisabled()
})
