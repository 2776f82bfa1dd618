import { createDeployment, createDeploymentWithPositions } from '../packages/contract/src/live-trading.ts'
import * as calls from '../packages/contract/src/live-trading.ts'
import { expectAccessible } from './accessible.ts'
import { card, chooseStrategy, deployButton, openMore, tab } from './live-trading-page.ts'
import { liveTradingStandIn } from './live-trading-stand-in.ts'
import { account, deployment, position, strategy } from '../apps/web/test-support/live-trading-world.ts'
import { on, refuse } from './stand-in.ts'
import { expect, test } from './story.ts'

const success = true as const

test('a strategy of the address is deployed with cash [LIVE-001, LIVE-025, LIVE-027..036, LIVE-109, LIVE-116..120, LIVE-125..132, LIVE-134..137, LIVE-184, LIVE-209..213]', async ({
  signedIn: page,
}) => {
  const world = await liveTradingStandIn(page, { accounts: [account({ is_default: false, id: 6 }), account()] })
  await page.goto('/live-trading?strategy_id=3')
  await expect(page).toHaveURL('/live-trading?tab=deploy')
  await expect(page.getByRole('combobox', { name: 'Strategy', exact: true }).locator('option:checked')).toHaveText(
    'SPY / TLT regime switch · ML · +84.2% total return',
  )
  await expect(page.getByRole('combobox', { name: 'Account' })).toHaveValue('7')
  await expect(page.getByText('Market hours are 9:30 AM to 4:00 PM ET')).toBeHidden()
  await page.getByLabel('Contribution amount').fill('1000')
  await page.getByRole('button', { name: 'Replay last month' }).click()
  await expect(page.getByText('+$410.50')).toBeVisible()
  await expect(page.getByText('Nothing is recorded')).toBeVisible()
  await openMore(page)
  for (const text of ['$17,645.68', '$108,412.60', '$35,291.36', '$30,000.00', '36.9%', '63.1%', 'Ready']) {
    await expect(page.getByText(text, { exact: true })).toBeVisible()
  }
  await page.getByLabel('Contribution amount').fill('0')
  await expect(page.getByRole('list', { name: 'Still missing' })).toContainText('must be greater than zero')
  await expect(page.getByText('Not Ready', { exact: true })).toBeVisible()
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

  // Named after its strategy until it is named otherwise.
  await expect(page.getByLabel('Deployment name')).toHaveValue('SPY / TLT regime switch')
  await page.getByText('24/7 Trading', { exact: true }).click()
  await expect(page.getByRole('list', { name: 'Still missing' })).toContainText(
    'A strategy on daily bars is checked on business days, during market hours.',
  )
  await expect(page.getByRole('region', { name: 'What the last month would have looked like' })).toContainText(
    'Offered as soon as the deployment is ready.',
  )
  await expect(deployButton(page)).toBeDisabled()
  await page.getByText('Market Hours Only', { exact: true }).click()
  await page.getByLabel('Deployment name').fill('   ')
  await expect(deployButton(page)).toBeDisabled()
  await page.getByLabel('Deployment name').press('Enter')
  await expect(page.getByRole('alert')).toContainText('Please enter a deployment name')
  await page.getByLabel('Deployment name').fill('Core')
  // Left without a question, since it is kept, and taken up again also after a reload.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Strategies' }).click()
  await expect(page).toHaveURL(/\/strategies/)
  await page.goto('/live-trading?tab=deploy')
  await openMore(page)
  await expect(page.getByLabel('Deployment name')).toHaveValue('Core')
  await expect(page.getByRole('combobox', { name: 'Strategy', exact: true })).toHaveValue('3')
  await expect(page.getByRole('button', { name: 'Start over' })).toBeVisible()
  await expect(deployButton(page)).toBeEnabled()
  await page.getByLabel('Trading ticker for TLT').fill('')
  await expect(deployButton(page)).toBeDisabled()
  await page.getByLabel('Trading ticker for TLT').fill('bad')
  await expect(page.getByText('BAD is not known to the broker.')).toBeVisible()
  await expect(page.getByText('Not Ready', { exact: true })).toBeVisible()
  await deployButton(page).click()
  await expect(page.getByRole('alert')).toContainText(
    'Cannot deploy with invalid ticker mappings: TLT -> BAD. Please fix leverage issues or use valid tickers.',
  )
  await page.getByLabel('Trading ticker for TLT').fill('TLT')
  await deployButton(page).click()
  await expect(page.getByRole('alert')).toContainText('Contribution amount must be greater than zero.')
  const amount = page.getByLabel('Contribution amount')
  await amount.pressSequentially('-20000')
  await expect(amount).toHaveValue('0')
  await expect(page.getByText('No negative numbers')).toBeVisible()
  await amount.fill('20000')
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

test('a walk-forward strategy is retrained as it was tested, and the form says when it trades', async ({
  signedIn: page,
}) => {
  const world = await liveTradingStandIn(page, { strategies: [strategy({ walk_forward: true })] })
  await page.goto('/live-trading?strategy_id=3')
  await chooseStrategy(page, 'Retrained')
  const retraining = page.getByText('A new model is trained at each step of the strategy’s walk-forward backtest')
  await expect(retraining).toBeVisible()
  await expect(page.getByText('Training mode')).toBeHidden()
  await page.getByText('Never', { exact: true }).click()
  await expect(page.getByText('Training mode')).toBeVisible()
  await page.getByText('Each walk-forward step', { exact: true }).click()
  const warning = page.getByText('The strategy was tested with the order fill “Next open”')
  await expect(warning).toBeHidden()
  await page.getByText('End of day', { exact: true }).click()
  await expect(warning).toBeVisible()
  await page.getByLabel('Contribution amount').fill('1000')
  await expectAccessible(page)
  await deployButton(page).click()
  await expect(card(page, 'Retrained')).toBeVisible()
  expect(world.asked.at(-1)).toMatchObject({ path: 'create', body: { retraining_schedule: 'walk_forward' } })
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
    'SPY / TLT regime switch · ML · +84.2% total return',
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

  // What was typed is not lost without a question, also while another tab is in sight.
  await card(page, 'Renamed').getByRole('button', { name: 'Edit' }).click()
  await form.getByLabel('Deployment name').fill('Half a name')
  await tab(page, 'Active Deployments').click()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Strategies' }).click()
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay' }).click()
  await tab(page, 'Edit Deployment').click()
  await expect(form.getByLabel('Deployment name')).toHaveValue('Half a name')
  await form.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('dialog', { name: 'Close without saving?' }).getByRole('button', { name: 'Close' }).click()
  await expect(tab(page, 'Edit Deployment')).toBeHidden()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Strategies' }).click()
  await expect(page).toHaveURL(/\/strategies/)
})
