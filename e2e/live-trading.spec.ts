import { createDeployment, createDeploymentWithPositions } from '../packages/contract/src/live-trading.ts'
import * as calls from '../packages/contract/src/live-trading.ts'
import { TRADING_DAYS } from '../packages/contract/src/live-trading-fields.ts'
import { expectAccessible, expectAccessibleDialog, expectNoSidewaysScroll } from './accessible.ts'
import { liveTradingStandIn } from './live-trading-stand-in.ts'
import { account, deployment, ledgerEntry, position, strategy } from './live-trading-world.ts'
import { on, refuse } from './stand-in.ts'
import { expect, type Page, test } from './story.ts'

const success = true as const
const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
const tab = (page: Page, name: string) => page.getByRole('tab', { name })
const dialog = (page: Page) => page.getByRole('dialog')
const deployButton = (page: Page) => page.getByRole('button', { name: 'Deploy Strategy' })

async function chooseStrategy(page: Page, name = 'First'): Promise<void> {
  await page.getByRole('combobox', { name: 'Strategy', exact: true }).selectOption('3')
  await page.getByLabel('Deployment name').fill(name)
}

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
      deployment({ id: 3, deployment_name: 'Idle', status: 'stopped', trading_days: ['Monday', 'Friday'] }),
    ],
  })
  await page.goto('/live-trading')
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
  const paused = card(page, 'Always')
  for (const text of ['Every 60 minutes', '24/7 Trading', 'Every day', '40% of account', 'Live money', '−$418.27']) {
    await expect(paused.getByText(text)).toBeVisible()
  }
  await expect(paused.getByText('−$418.27')).toHaveAttribute('data-direction', 'loss')
  await expect(card(page, 'Idle').getByText('Mon, Fri')).toBeVisible()
  await expectAccessible(page)

  await running.getByRole('button', { name: 'Pause' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Deployment pause successful' })).toBeVisible()
  await running.getByRole('button', { name: 'Resume' }).click()
  await expect(running.getByText('Running')).toBeVisible()
  await running.getByRole('button', { name: 'Stop' }).click()
  await expect(dialog(page)).toContainText('Are you sure you want to stop this deployment?')
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
  const world = await liveTradingStandIn(page, {}, (known) => [
    on(calls.listDeployments, () =>
      isIll ? refuse('The database is away.', { status: 409 }) : { success, deployments: known.deployments },
    ),
  ])
  await page.goto('/live-trading')
  await expect(page.getByText('Could not load, try again.')).toBeVisible()
  await expect(page.getByText('No Active Deployments')).toBeHidden()
  await page.getByRole('button', { name: 'Emergency stop, all' }).click()
  await dialog(page).getByRole('button', { name: 'Stop all at once' }).click()
  await expect(page.getByText('Stopped 1 deployment and cancelled 2 orders.')).toBeVisible()
  isIll = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(card(page, world.deployments[0]?.deployment_name ?? '')).toBeVisible()
})

test('a strategy of the address is deployed with cash [LIVE-001, LIVE-025, LIVE-027..036, LIVE-109, LIVE-116..120, LIVE-125..132, LIVE-134..137, LIVE-184, LIVE-209..213]', async ({
  signedIn: page,
}) => {
  const world = await liveTradingStandIn(page, { accounts: [account({ is_default: false, id: 6 }), account()] })
  await page.goto('/live-trading?strategy_id=3')
  await expect(page).toHaveURL('/live-trading')
  await expect(page.getByRole('combobox', { name: 'Strategy', exact: true }).locator('option:checked')).toHaveText(
    'SPY / TLT regime switch · ML · +84.2%',
  )
  await expect(page.getByRole('combobox', { name: 'Account' })).toHaveValue('7')
  for (const text of ['$17,645.68', '$108,412.60', '$35,291.36', '$30,000.00', '36.9%', '63.1%', 'Ready']) {
    await expect(page.getByText(text, { exact: true })).toBeVisible()
  }
  await expect(page.getByText('Market hours are 9:30 AM to 4:00 PM ET')).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Check frequency' }).locator('option')).toHaveText([
    '5 minutes',
    '15 minutes',
    '30 minutes',
    '60 minutes',
    '240 minutes',
  ])
  await expect(page.getByText('Held as cash, not traded')).toBeVisible()
  await expect(page.getByText('Valid (Max: 2x)')).toHaveCount(2)
  const forgiveness = page.getByLabel('Buying power forgiveness')
  await expect(forgiveness).toHaveValue('2.5')
  for (const [field, max] of [
    [forgiveness, '100'],
    [page.getByLabel('Rebalance threshold'), '50'],
  ] as const) {
    await expect(field).toHaveAttribute('min', '0')
    await expect(field).toHaveAttribute('max', max)
    await expect(field).toHaveAttribute('step', '0.1')
  }
  await expect(page.getByRole('radiogroup', { name: 'Training mode' })).toBeVisible()
  await expect(page.getByRole('group', { name: 'Trading days' }).getByRole('checkbox')).toHaveCount(7)

  await expect(deployButton(page)).toBeDisabled()
  await page.getByLabel('Deployment name').fill('   ')
  await page.getByLabel('Deployment name').press('Enter')
  await expect(page.getByRole('alert')).toContainText('Please enter a deployment name')
  await page.getByLabel('Deployment name').fill('Core')
  await expect(deployButton(page)).toBeEnabled()
  await page.getByLabel('Trading ticker for TLT').fill('')
  await expect(deployButton(page)).toBeDisabled()
  await page.getByLabel('Trading ticker for TLT').fill('bad')
  await expect(page.getByText('BAD is not known to the broker.')).toBeVisible()
  await deployButton(page).click()
  await expect(page.getByRole('alert')).toContainText(
    'Cannot deploy with invalid ticker mappings: TLT -> BAD. Please fix leverage issues or use valid tickers.',
  )
  await page.getByLabel('Trading ticker for TLT').fill('TLT')
  await deployButton(page).click()
  await expect(page.getByRole('alert')).toContainText('Contribution amount must be greater than zero.')
  const amount = page.getByLabel('Contribution amount')
  await amount.fill('-20000')
  await expect(amount).toHaveValue('20000')
  await deployButton(page).click()
  await expect(page.getByRole('alert')).toContainText(
    'Cannot deploy: requested contribution $20,000.00 exceeds available uncommitted cash $12,500.00.',
  )
  await page.getByText('Percent of account', { exact: true }).click()
  const percent = page.getByRole('spinbutton', { name: 'Percent of account' })
  await expect(percent).toHaveAttribute('min', '1')
  await expect(percent).toHaveAttribute('max', '100')
  await percent.fill('70')
  await deployButton(page).click()
  await expect(page.getByRole('alert')).toContainText(
    'Cannot deploy: account allocation would reach 106.9%. Current active deployments are using 36.9%.',
  )
  await percent.fill('10')
  await page.getByText('End of day', { exact: true }).click()
  const minutes = page.getByRole('combobox', { name: 'Minutes before close' })
  await expect(minutes.locator('option')).toHaveText([10, 15, 30, 45, 60].map((number) => `${number} minutes`))
  await minutes.selectOption('15')
  await page.getByLabel('Friday').uncheck()
  await page.getByRole('switch', { name: 'Send e-mail notifications' }).check()
  await page.getByLabel('Notification e-mail', { exact: true }).fill(' ann@example.com ')
  await page.getByLabel('Notification e-mail', { exact: true }).press('Enter')
  await page.getByRole('button', { name: 'Send a test e-mail to ann@example.com' }).click()
  await expect(page.getByText('A test e-mail is on its way to ann@example.com.')).toBeVisible()
  await deployButton(page).click()
  await expect(page.getByText('Deployment created successfully!')).toBeVisible()
  await expect(card(page, 'Core')).toBeVisible()
  expect(world.asked.at(-1)).toMatchObject({
    path: 'create',
    body: {
      strategy_id: '3',
      alpaca_account_id: '7',
      capital_policy: 'percent_of_account',
      capital_policy_value: '10',
      trading_frequency_type: 'end_of_day',
      end_of_day_minutes_before_close: 15,
      trading_days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday'],
      notification_emails: ['ann@example.com'],
      ticker_mapping: { 'SPY?L=2': 'SPY', TLT: 'TLT' },
    },
  })
  await tab(page, 'Deploy New Strategy').click()
  await expect(page.getByLabel('Deployment name')).toHaveValue('')
})

test('positions are contributed, and those of others are not [LIVE-030, LIVE-031, LIVE-122..124, LIVE-183, LIVE-219]', async ({
  signedIn: page,
}) => {
  let hasConflict = true
  const owned = [{ deployment_id: 1, deployment_name: 'Other', quantity: 5 }]
  const world = await liveTradingStandIn(
    page,
    {
      positions: [
        position(),
        position({ symbol: 'MSFT', is_fully_allocated: true, available_quantity: 0, allocated_to_deployments: owned }),
      ],
    },
    (known) => [
      on(createDeploymentWithPositions, ({ body }) => {
        if (hasConflict) return refuse('Try again.', { status: 409, conflicts: [{ symbol: 'AAPL' }] })
        known.asked.push({ path: 'create-with-positions', body })
        const made = deployment({ id: 50, deployment_name: 'From shares', status: 'created' })
        return { success, deployment: made, deployment_id: 50, start_error: 'The market data is missing.' }
      }),
    ],
  )
  await page.goto('/live-trading')
  await tab(page, 'Deploy New Strategy').click()
  await chooseStrategy(page)
  await page.getByRole('radiogroup', { name: 'Contribution mode' }).getByText('Positions').click()
  await expect(page.getByRole('checkbox', { name: 'MSFT' })).toBeDisabled()
  await expect(page.getByRole('list', { name: 'Positions' })).toHaveCSS('max-height', '400px')
  await deployButton(page).click()
  await expect(page.getByRole('alert')).toContainText('Please select at least one position or add cash to contribute.')
  await page.getByRole('checkbox', { name: 'AAPL' }).check()
  await page.getByLabel('Quantity of AAPL').fill('2')
  await expect(page.getByLabel('Extra cash')).toHaveAttribute('step', '100')
  await page.getByLabel('Extra cash').fill('100')
  await expect(page.getByText('Contributed value: $563.00')).toBeVisible()
  await deployButton(page).click()
  await expect(page.getByRole('alert')).toContainText(
    'Cannot contribute positions: AAPL are already allocated to other deployments. ' +
      'Please deselect these positions or choose different ones. Try again.',
  )
  hasConflict = false
  await deployButton(page).click()
  await expect(page.getByText('Deployment created successfully!')).toBeVisible()
  await expect(page.getByRole('alert')).toContainText('Failed to start deployment: The market data is missing.')
  expect(world.asked.at(-1)?.body).toMatchObject({
    contribution_mode: 'positions',
    contributed_positions: [{ symbol: 'AAPL', quantity: '2' }],
    contributed_cash: '100',
  })
})

test('an account without cash figures, positions or a known strategy says so [LIVE-114, LIVE-115, LIVE-182, LIVE-194..197]', async ({
  signedIn: page,
}) => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  await liveTradingStandIn(
    page,
    {
      accounts: [account({ available_cash: null, cash: null, error: 'Alpaca does not answer.' })],
      strategies: [
        strategy(),
        strategy({ id: 4, name: 'Half done', is_deployable: false, not_deployable_reason: 'It has no target.' }),
      ],
    },
    () => [
      on(calls.validateAsset, () => refuse('', { status: 500 })),
      on(calls.validateMapping, () => refuse('', { status: 500 })),
      on(createDeployment, async () => {
        await answered
        return refuse('The cash of the account is not known.')
      }),
    ],
  )
  await page.goto('/live-trading?strategy_id=777')
  await expect(page.getByText('The strategy to deploy was not found.')).toBeVisible()
  await tab(page, 'Deploy New Strategy').click()
  await expect(page.getByText('Unable to fetch Alpaca cash balance right now.')).toBeVisible()
  await page.getByRole('combobox', { name: 'Strategy', exact: true }).selectOption('4')
  await expect(page.getByText('Not Ready')).toBeVisible()
  await expect(page.getByText('It has no target.').first()).toBeVisible()
  await expect(deployButton(page)).toBeDisabled()
  await chooseStrategy(page)
  await expect(page.getByText('Validation failed').first()).toBeVisible()
  await page.getByRole('radiogroup', { name: 'Contribution mode' }).getByText('Positions').click()
  await expect(
    page.getByText(
      'No positions found in this account. Please select an account with existing positions or use cash contribution mode.',
    ),
  ).toBeVisible()
  await page.getByRole('radiogroup', { name: 'Contribution mode' }).getByText('Cash').click()
  await page.getByLabel('Contribution amount').fill('100')
  await deployButton(page).click()
  await expect(page.getByRole('button', { name: 'Deploying...' })).toBeDisabled()
  answer()
  await expect(page.getByRole('alert')).toContainText(
    'Failed to create deployment: The cash of the account is not known.',
  )
})

test('a stopped deployment is edited [LIVE-006, LIVE-043..047, LIVE-121, LIVE-138, LIVE-139, LIVE-185, LIVE-186]', async ({
  signedIn: page,
}) => {
  const world = await liveTradingStandIn(page, {
    deployments: [deployment({ status: 'paused' })],
    strategies: [strategy(), strategy({ id: 4, name: 'Half done', is_deployable: false })],
  })
  await page.goto('/live-trading')
  await card(page, 'Regime switch, core').getByRole('button', { name: 'Edit' }).click()
  const form = page.getByRole('form', { name: 'Edit Deployment' })
  await expect(form.getByText('Only stopped or paused deployments can be edited.')).toBeVisible()
  await expect(form.getByText('Original commitment')).toBeVisible()
  await expect(form.getByText('Contribution mode')).toBeHidden()
  await expect(form.getByRole('combobox', { name: 'Strategy', exact: true }).locator('option')).toHaveText([
    'Select a strategy',
    'SPY / TLT regime switch · ML · +84.2%',
  ])
  await expect(form.getByLabel('Trading ticker for SPY?L=2')).toHaveValue('SSO')
  await form.getByLabel('Saturday').check()
  await expect(
    form.getByText('Weekend days will be ignored for daily strategies aligned to business days.'),
  ).toBeVisible()
  await form.getByText('24/7 Trading', { exact: true }).click()
  await expect(
    form.getByText('Daily strategies run on business days only. For 24/7 assets (weekends), use hourly/15m.'),
  ).toBeVisible()
  await expectAccessible(page)
  await form.getByLabel('Trading ticker for TLT').fill('BAD')
  const update = form.getByRole('button', { name: 'Update Deployment' })
  await update.click()
  await expect(page.getByRole('alert')).toContainText('Cannot update with invalid ticker mappings: TLT -> BAD.')
  await form.getByLabel('Trading ticker for TLT').fill('TLT')
  await form.getByLabel('Deployment name').fill('Renamed')
  await update.click()
  await expect(page.getByText('Deployment updated successfully!')).toBeVisible()
  await expect(tab(page, 'Edit Deployment')).toBeHidden()
  await expect(card(page, 'Renamed')).toBeVisible()
  expect(Object.keys(world.asked.at(-1)?.body ?? {}).filter((field) => field.startsWith('capital'))).toEqual([])

  await card(page, 'Renamed').getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(tab(page, 'Edit Deployment')).toBeHidden()
})

test('logs are read, searched and filtered [LIVE-022, LIVE-048..054, LIVE-100, LIVE-215, LIVE-216]', async ({
  signedIn: page,
}) => {
  const tails: string[] = []
  await liveTradingStandIn(page)
  page.on('request', (request) => {
    if (/logs\/tail|activity/.test(request.url())) tails.push(request.url())
  })
  await page.goto('/live-trading')
  await card(page, 'Regime switch, core').getByRole('button', { name: 'View Logs' }).click()
  await expect(page.getByRole('combobox', { name: 'Deployment' }).locator('option:checked')).toHaveText(
    'Regime switch, core',
  )
  await expect(page.getByRole('combobox', { name: 'Raw lines' })).toHaveValue('300')
  await expect(page.getByRole('region', { name: 'Activity' })).toContainText('Signal: Buy · 61.2% confidence')
  await expect(page.getByRole('region', { name: 'Activity' })).toContainText('13 Nov 2026, 3:30:06 PM EST')
  const lines = page.getByRole('list', { name: 'Raw log lines' }).getByRole('listitem')
  await expect(lines).toHaveCount(6)
  await page.getByRole('button', { name: 'DEBUG' }).click()
  await expect(lines).toHaveCount(7)
  await page.getByRole('button', { name: 'Loading Model' }).click()
  await expect(lines).toHaveCount(6)
  await page.getByPlaceholder('Search the log...').fill('market data')
  await expect(lines).toHaveText([/Fetching market data for SPY, TLT/])
  await expectAccessible(page)
  await page.getByRole('combobox', { name: 'Raw lines' }).selectOption('1000')
  await expect.poll(() => tails.some((url) => url.endsWith('lines=1000'))).toBe(true)
  expect(tails.some((url) => url.endsWith('lines=300'))).toBe(true)
  expect(tails.some((url) => url.endsWith('limit=100'))).toBe(true)
  await expect(page.getByRole('button', { name: 'Refresh' })).toBeEnabled()
})

test('capital is seen, paid in, taken out and given back [LIVE-055..064, LIVE-110, LIVE-140..145, LIVE-189..193]', async ({
  signedIn: page,
}) => {
  const world = await liveTradingStandIn(page, {
    ledger: [ledgerEntry(2, { entry_type: 'FEE', note: 'Broker fee' }), ledgerEntry(1)],
  })
  await page.goto('/live-trading')
  await card(page, 'Regime switch, core').getByRole('button', { name: 'Capital' }).click()
  const modal = page.getByRole('dialog', { name: 'Capital of Regime switch, core' })
  for (const text of ['Original commitment', 'Committed capital', 'Total contributions', 'Deployment cash']) {
    await expect(modal.getByText(text)).toBeVisible()
  }
  await expect(modal.getByRole('region', { name: 'Account availability' })).toContainText('$35,291.36')
  await expect(modal.getByRole('region', { name: 'Last snapshot' })).toContainText('13 Nov 2026, 4:00 PM EST')
  await modal.getByRole('button', { name: 'Expand' }).click()
  await modal.getByRole('button', { name: 'Shrink' }).click()

  const adjust = modal.getByRole('form', { name: 'Adjust Capital' })
  await adjust.getByRole('button', { name: 'Record contribution' }).click()
  await expect(modal.getByRole('alert')).toContainText('Please enter a positive contribution amount.')
  await adjust.getByLabel('Amount').fill('20000')
  await adjust.getByRole('button', { name: 'Record contribution' }).click()
  await expect(modal.getByRole('alert')).toContainText('Contribution exceeds account available capital ($12,500.00).')
  await adjust.getByLabel('Amount').fill('100.10')
  await adjust.getByRole('button', { name: 'Record contribution' }).click()
  await expect(modal.getByText('Contribution recorded successfully.')).toBeVisible()
  await adjust.getByText('Withdrawal', { exact: true }).click()
  await adjust.getByLabel('Amount').fill('2000')
  await adjust.getByRole('button', { name: 'Record withdrawal' }).click()
  await expect(modal.getByRole('alert')).toContainText('Withdrawal exceeds available cash ($1,240.18).')
  await adjust.getByLabel('Amount').fill('1000')
  await adjust.getByRole('button', { name: 'Record withdrawal' }).click()
  await expect(modal.getByText('Withdrawal recorded successfully.')).toBeVisible()
  expect(world.asked.map(({ body }) => [body['contribution_type'], body['amount']])).toEqual([
    ['CONTRIBUTION', '100.10'],
    ['WITHDRAWAL', '1000'],
  ])

  const disallocate = modal.getByRole('form', { name: 'Disallocate Capital' })
  await disallocate.getByLabel('Percent').fill('101')
  await disallocate.getByRole('button', { name: 'Disallocate' }).click()
  await expect(modal.getByRole('alert')).toContainText('Please enter a valid percentage between 1 and 100.')
  await disallocate.getByLabel('Percent').fill('25')
  await expect(disallocate.getByText('$6,715.61')).toBeVisible()
  await disallocate.getByRole('button', { name: 'Disallocate' }).click()
  const question = page.getByRole('dialog', { name: 'Disallocate 25% of Regime switch, core?' })
  await expect(question).toContainText('Current capital: $26,862.44.')
  await expect(question).toContainText('$6,715.61. Remains in the deployment: $20,146.83.')
  await question.getByRole('button', { name: 'Disallocate capital' }).click()
  await expect(question).toBeHidden()
  await expect(modal.getByRole('status')).toContainText(
    'Disallocation recorded: 25% ($6,715.61) removed from current capital. New total: $20,146.83.',
  )
  await expectAccessibleDialog(page)

  await modal.getByRole('tab', { name: 'Ledger' }).click()
  await expect(modal.getByText('2 matching entries')).toBeVisible()
  await modal.getByPlaceholder('Search notes and types...').fill('fee')
  await expect(modal.getByText('1 matching entry')).toBeVisible()
  await modal.getByRole('button', { name: 'Close' }).click()
  await expect(modal).toBeHidden()
})

test('percent deployments are not paid by hand, and a capital that cannot be loaded says why [LIVE-058, LIVE-061, LIVE-062, LIVE-066, LIVE-069, LIVE-111, LIVE-187]', async ({
  signedIn: page,
}) => {
  let isIll = false
  await liveTradingStandIn(
    page,
    {
      deployments: [
        deployment({ capital_policy: 'percent_of_account', capital_policy_value: 40, last_account_snapshot: null }),
        deployment({ id: 2, deployment_name: 'Second' }),
      ],
    },
    (known) => [
      on(calls.getDeploymentDetails, ({ query }) => {
        if (isIll) return refuse('The broker does not answer.', { status: 409 })
        const pagination = { page: Number(query.get('page')), page_size: 50, total_entries: 0 }
        const [first = deployment()] = known.deployments
        return {
          success,
          error: null,
          deployment: {
            ...first,
            ledger_entries: [],
            ledger_pagination: pagination,
            ledger_entry_types: [],
            account: null,
          },
        }
      }),
    ],
  )
  await page.goto('/live-trading')
  await card(page, 'Regime switch, core').getByRole('button', { name: 'Capital' }).click()
  await expect(dialog(page).getByText('Configured allocation')).toBeVisible()
  await expect(dialog(page).getByText('No snapshot recorded yet')).toBeVisible()
  await expect(dialog(page).getByText('Adjust Capital')).toBeHidden()
  await expect(dialog(page).getByText('Disallocate Capital')).toBeVisible()
  await dialog(page).getByRole('tab', { name: 'Ledger' }).click()
  await expect(dialog(page).getByText('No ledger entry types available yet.')).toBeVisible()
  await expect(dialog(page).getByText('No ledger entries recorded yet.')).toBeVisible()
  await expect(dialog(page).getByText('Page 1 of 1')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()
  isIll = true
  await card(page, 'Second').getByRole('button', { name: 'Capital' }).click()
  await expect(dialog(page).getByRole('alert')).toContainText('The broker does not answer.')
})

test('the ledger is paged and filtered over all its pages [LIVE-065..074, LIVE-214, LIVE-217, LIVE-220]', async ({
  signedIn: page,
}) => {
  const ledger = Array.from({ length: 120 }, (_, index) =>
    ledgerEntry(120 - index, index % 4 === 0 ? {} : { entry_type: 'TRADE_BUY', direction: 'out', note: null }),
  )
  await liveTradingStandIn(page, { ledger })
  await page.goto('/live-trading')
  await card(page, 'Regime switch, core').getByRole('button', { name: 'Ledger' }).click()
  const modal = page.getByRole('dialog', { name: 'Ledger of Regime switch, core' })
  await expect(modal.getByRole('columnheader')).toHaveText([
    'Time (ET)',
    'Type',
    'Direction',
    'Amount',
    'Cash After',
    'Equity After',
    'Account Value',
    'Positions After',
    'Note',
  ])
  await expect(modal.getByText('Showing 1-50 of 120')).toBeVisible()
  await expect(modal.getByText('Page 1 of 3')).toBeVisible()
  await expect(modal.getByRole('row').nth(1)).toContainText('13 Nov 2026, 3:30 PM EST')
  await expect(modal.getByRole('button', { name: 'Reset Filters' })).toBeDisabled()
  await modal.getByRole('button', { name: 'Next' }).click()
  await expect(modal.getByText('Showing 51-100 of 120')).toBeVisible()
  await modal.getByRole('button', { name: 'TRADE_BUY' }).click()
  await expect(modal.getByText('Showing 1-30 of 30')).toBeVisible()
  await expect(modal.getByRole('button', { name: 'TRADE_BUY' })).toContainText('excluded')
  await modal.getByRole('button', { name: 'CONTRIBUTION' }).click()
  await expect(modal.getByText('No entries match your filters.')).toBeVisible()
  await expectAccessibleDialog(page)
  await modal.getByRole('button', { name: 'Reset Filters' }).click()
  await expect(modal.getByText('Showing 1-50 of 120')).toBeVisible()
  await modal.getByRole('button', { name: 'Close' }).click()
  await expect(modal).toBeHidden()
})

test('the page of a deployment explains, previews, limits and stops it', async ({ signedIn: page }) => {
  const world = await liveTradingStandIn(page)
  await page.goto('/live-trading')
  await card(page, 'Regime switch, core').getByRole('link', { name: 'Regime switch, core' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Regime switch, core' })).toBeVisible()
  await expect(page.getByText('Healthy')).toBeVisible()
  await expect(page.getByText('−0.39 pp')).toBeVisible()
  const decision = page.getByRole('region', { name: 'Last decision' })
  await expect(decision).toContainText('Buy, 61.2% probable')
  await expect(decision).toContainText('rolling_volatility(SPY, 20)')
  await expect(page.getByRole('table', { name: 'Orders' })).toContainText('The asset is halted.')
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Preview next decision' }).click()
  await expect(dialog(page).getByRole('table', { name: 'Planned orders' })).toContainText('$442.80')
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()

  await page.getByRole('switch', { name: 'Dry run' }).click()
  await expect(page.getByRole('switch', { name: 'Dry run' })).toBeChecked()
  await expect(page.getByText('Safety settings saved.')).toBeVisible()
  await page.getByLabel('Maximum daily loss').fill('0')
  await expect(page.getByText('Please enter a percent above 0 and at most 100, or leave it empty.')).toBeVisible()
  await page.getByLabel('Maximum daily loss').fill('3')
  await page.getByRole('button', { name: 'Save limits' }).click()
  await expect(page.getByRole('button', { name: 'Save limits' })).toBeDisabled()
  await expect
    .poll(() => world.asked.map(({ body }) => body))
    .toEqual([{ dry_run: true }, { max_daily_loss_pct: 3, max_drawdown_pct: null }])

  await page.getByRole('button', { name: 'Emergency stop' }).click()
  await expect(dialog(page)).toContainText('no order leaves any more')
  await dialog(page).getByRole('button', { name: 'Stop at once' }).click()
  await expect(page.getByText('The broker could not be reached; its orders are cancelled when it can.')).toBeVisible()
  await expect(dialog(page)).toBeHidden()
  await page.getByRole('link', { name: 'View Logs' }).click()
  await expect(tab(page, 'Logs')).toHaveAttribute('aria-selected', 'true')
  await page.goto('/live-trading/404')
  await expect(page.getByText('This deployment does not exist')).toBeVisible()
})

test.describe('on a phone in the dark', () => {
  test.use({ colorScheme: 'dark', viewport: { width: 390, height: 844 } })

  test('nothing is wider than the screen, and all of it can be used', async ({ signedIn: page }) => {
    test.slow()
    const expectFits = async () => {
      await expectNoSidewaysScroll(page)
      await expectAccessible(page)
    }
    await liveTradingStandIn(page, { ledger: [ledgerEntry(1)], positions: [position()] })
    await page.goto('/live-trading')
    await expect(card(page, 'Regime switch, core')).toBeVisible()
    await expectFits()
    await card(page, 'Regime switch, core').getByRole('button', { name: 'Ledger' }).click()
    await expect(dialog(page).getByText('First money')).toBeVisible()
    await expectNoSidewaysScroll(page)
    await expectAccessibleDialog(page)
    await dialog(page).getByRole('button', { name: 'Close' }).click()
    await expect(dialog(page)).toBeHidden()
    await tab(page, 'Deploy New Strategy').click()
    await chooseStrategy(page)
    await page.getByRole('radiogroup', { name: 'Contribution mode' }).getByText('Positions').click()
    await expect(page.getByRole('checkbox', { name: 'AAPL' })).toBeVisible()
    await expect(deployButton(page)).toBeInViewport()
    await expectFits()
    await page.goto('/live-trading/1')
    await expect(page.getByRole('region', { name: 'Last decision' })).toBeVisible()
    await expectFits()
  })
})

test.describe('on the real server', () => {
  async function savedStrategy(page: Page): Promise<void> {
    const allocations = [
      { ticker: 'SPY', allocation: 60 },
      { ticker: 'TLT', allocation: 40 },
    ]
    const config = { allocations, startDate: '2022-01-03', endDate: '2026-11-13' }
    const data = { name: 'Sixty forty', strategy_type: 'Asset Allocation', config }
    const answer = await page.request.post('/api/strategies', { data })
    expect(answer.ok(), await answer.text()).toBe(true)
  }

  test('a new user deploys to the paper account, moves money, and leaves no trace [LIVE-108, LIVE-112, LIVE-113, LIVE-174]', async ({
    page,
    person: _person,
  }) => {
    await savedStrategy(page)
    await page.goto('/live-trading')
    await page.getByRole('button', { name: 'Deploy Your First Strategy' }).click()
    await page.getByRole('button', { name: 'Use the built-in paper account' }).click()
    await expect(page.getByText('$100,000.00').first()).toBeVisible()
    await page.getByRole('combobox', { name: 'Strategy', exact: true }).selectOption({ index: 1 })
    await page.getByLabel('Deployment name').fill('First')
    await page.getByLabel('Contribution amount').fill('10000.10')
    await expect(page.getByText('Valid (Max: 1x)')).toHaveCount(2)
    await page.getByRole('switch', { name: 'Start Immediately' }).check()
    await deployButton(page).click()
    await expect(page.getByText('Deployment created successfully!')).toBeVisible()
    const first = card(page, 'First')
    await expect(first.getByText('Running')).toBeVisible()
    await expect(first.getByText('$10,000.10').first()).toBeVisible()

    await first.getByRole('button', { name: 'Capital' }).click()
    await dialog(page).getByLabel('Amount').fill('500')
    await dialog(page).getByRole('button', { name: 'Record contribution' }).click()
    await expect(dialog(page).getByText('Contribution recorded successfully.')).toBeVisible()
    await expect(dialog(page).getByText('$10,500.10').first()).toBeVisible()
    await dialog(page).getByRole('tab', { name: 'Ledger' }).click()
    await expect(dialog(page).getByText('2 matching entries')).toBeVisible()
    await dialog(page).getByRole('button', { name: 'Close' }).click()
    await expect(dialog(page)).toBeHidden()

    await first.getByRole('button', { name: 'View Logs' }).click()
    await expect(page.getByRole('list', { name: 'Raw log lines' })).toContainText('created with $10,000.10')
    await tab(page, 'Active Deployments').click()
    await first.getByRole('button', { name: 'Stop' }).click()
    await dialog(page).getByRole('button', { name: 'Stop deployment' }).click()
    await expect(page.getByText('Deployment stop successful')).toBeVisible()
    await expect(dialog(page)).toBeHidden()
    await first.getByRole('button', { name: 'Delete' }).click()
    await dialog(page).getByRole('button', { name: 'Delete deployment' }).click()
    await expect(page.getByText('No Active Deployments')).toBeVisible()
  })

  test('the page of a deployment previews what it would trade, and stops it at once', async ({
    page,
    person: _person,
  }) => {
    test.slow()
    await savedStrategy(page)
    await page.request.post('/api/alpaca/paper-account', { data: {} })
    await page.goto('/live-trading')
    await tab(page, 'Deploy New Strategy').click()
    await page.getByRole('combobox', { name: 'Strategy', exact: true }).selectOption({ index: 1 })
    await page.getByLabel('Deployment name').fill('Watched')
    await page.getByLabel('Contribution amount').fill('1000')
    await deployButton(page).click()
    await card(page, 'Watched').getByRole('link', { name: 'Watched' }).click()
    await expect(page.getByText('Not running')).toBeVisible()
    await page.getByRole('button', { name: 'Preview next decision' }).click()
    await expect(dialog(page).getByRole('table', { name: 'Planned orders' })).toContainText('SPY', { timeout: 45_000 })
    await expect(dialog(page).getByText('Synthetic sample data')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toBeHidden()
    await page.getByLabel('Maximum drawdown').fill('20')
    await page.getByRole('button', { name: 'Save limits' }).click()
    await expect(page.getByText('Safety settings saved.')).toBeVisible()
    await page.getByRole('button', { name: 'Start' }).click()
    await expect(page.getByText('Running', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Emergency stop' }).click()
    await dialog(page).getByRole('button', { name: 'Stop at once' }).click()
    await expect(page.getByText('Stopped by the emergency stop.')).toBeVisible()
  })
})
