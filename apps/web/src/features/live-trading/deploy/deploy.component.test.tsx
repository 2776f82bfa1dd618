import * as calls from '@tradewright/contract/live-trading'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import {
  card,
  chooseStrategy,
  deployButton,
  openMore,
  standInLiveTrading,
  tab,
} from '../../../../test-support/live-trading-page.ts'
import { account, deployment, position, strategy } from '../../../../test-support/live-trading-world.ts'
import { expectTexts, expectAccessible, expectAddress, openScreen, signIn } from '../../../../test-support/screen.tsx'
import { on, refuse } from '../../../../test-support/served.ts'

const success = true as const

test('a strategy of the address is deployed with cash [LIVE-001, LIVE-025, LIVE-027..036, LIVE-109, LIVE-116..120, LIVE-125..132, LIVE-134..137, LIVE-184, LIVE-209..213]', async () => {
  await signIn()
  const world = standInLiveTrading({
    accounts: [account({ is_default: false, id: 6 }), account({ percent_kept: 10.4 })],
  })
  openScreen('/live-trading?strategy_id=3')
  await expectAddress('/live-trading?tab=deploy')
  await expect
    .element(page.getByRole('combobox', { name: 'Strategy', exact: true }))
    .toHaveDisplayValue('SPY / TLT regime switch · ML · +84.2% total return')
  await expect.element(page.getByRole('combobox', { name: 'Account' })).toHaveValue('7')
  await expect.element(page.getByText('Market hours are 9:30 AM to 4:00 PM ET')).not.toBeVisible()
  await page.getByLabelText('Contribution amount').fill('1000')
  await page.getByRole('button', { name: 'Replay last month' }).click()
  await expect.element(page.getByText('+$410.50')).toBeVisible()
  await expect.element(page.getByText('Nothing is recorded')).toBeVisible()
  await openMore()
  for (const text of ['$17,645.68', '$108,412.60', '$35,291.36', '$30,000.00', '36.9%', '10.4%', '52.7%', 'Ready']) {
    await expect.element(page.getByText(text, { exact: true })).toBeVisible()
  }
  await page.getByLabelText('Contribution amount').fill('0')
  await expect
    .element(page.getByRole('list', { name: 'Still missing' }))
    .toMatchTextContent('must be greater than zero')
  await expect.element(page.getByText('Not Ready', { exact: true })).toBeVisible()
  await expect.element(page.getByText('Market hours are 9:30 AM to 4:00 PM ET')).toBeVisible()
  await expectTexts(page.getByRole('combobox', { name: 'Check frequency' }).getByRole('option'), [
    '5 minutes',
    '15 minutes',
    '30 minutes',
    '60 minutes',
    '240 minutes',
  ])
  await expect.element(page.getByText('Held as cash, not traded')).toBeVisible()
  await expect.element(page.getByText('Valid (Max: 2x)')).toHaveLength(2)
  const forgiveness = page.getByLabelText('Buying power forgiveness')
  await expect.element(forgiveness).toHaveValue(2.5)
  for (const [field, max] of [
    [forgiveness, '100'],
    [page.getByLabelText('Rebalance threshold'), '50'],
  ] as const) {
    await expect.element(field).toHaveAttribute('min', '0')
    await expect.element(field).toHaveAttribute('max', max)
    await expect.element(field).toHaveAttribute('step', '0.1')
  }
  await expect.element(page.getByRole('radiogroup', { name: 'Training mode' })).toBeVisible()
  await expect.element(page.getByRole('group', { name: 'Trading days' }).getByRole('checkbox')).toHaveLength(7)

  // Named after its strategy until it is named otherwise.
  await expect.element(page.getByLabelText('Deployment name')).toHaveValue('SPY / TLT regime switch')
  await page.getByText('24/7 Trading', { exact: true }).click()
  await expect
    .element(page.getByRole('list', { name: 'Still missing' }))
    .toMatchTextContent('A strategy on daily bars is checked on business days, during market hours.')
  await expect
    .element(page.getByRole('region', { name: 'What the last month would have looked like' }))
    .toMatchTextContent('Offered as soon as the deployment is ready.')
  await expect.element(deployButton()).toBeDisabled()
  await page.getByText('Market Hours Only', { exact: true }).click()
  await page.getByLabelText('Deployment name').fill('   ')
  await expect.element(deployButton()).toBeDisabled()
  await page.getByLabelText('Deployment name').click()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('alert')).toMatchTextContent('Please enter a deployment name')
  await page.getByLabelText('Deployment name').fill('Core')
  // Left without a question, since it is kept, and taken up again also after a reload.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Strategies' }).click()
  await expectAddress(/\/strategies/)
  openScreen('/live-trading?tab=deploy')
  await openMore()
  await expect.element(page.getByLabelText('Deployment name')).toHaveValue('Core')
  await expect.element(page.getByRole('combobox', { name: 'Strategy', exact: true })).toHaveValue('3')
  await expect.element(page.getByRole('button', { name: 'Start over' })).toBeVisible()
  await expect.element(deployButton()).toBeEnabled()
  await page.getByLabelText('Trading ticker for TLT').fill('')
  await expect.element(deployButton()).toBeDisabled()
  await page.getByLabelText('Trading ticker for TLT').fill('bad')
  await expect.element(page.getByText('BAD is not known to the broker.')).toBeVisible()
  await expect.element(page.getByText('Not Ready', { exact: true })).toBeVisible()
  await deployButton().click()
  await expect
    .element(page.getByRole('alert'))
    .toMatchTextContent(
      'Cannot deploy with invalid ticker mappings: TLT -> BAD. Please fix leverage issues or use valid tickers.',
    )
  await page.getByLabelText('Trading ticker for TLT').fill('TLT')
  await deployButton().click()
  await expect.element(page.getByRole('alert')).toMatchTextContent('Contribution amount must be greater than zero.')
  const amount = page.getByLabelText('Contribution amount')
  await userEvent.type(amount, '-20000')
  await expect.element(amount).toHaveValue(0)
  await expect.element(page.getByText('No negative numbers')).toBeVisible()
  await amount.fill('20000')
  await deployButton().click()
  await expect
    .element(page.getByRole('alert'))
    .toMatchTextContent(
      'Cannot deploy: requested contribution $20,000.00 exceeds available uncommitted cash $12,500.00.',
    )
  await page.getByText('Percent of account', { exact: true }).click()
  const percent = page.getByRole('spinbutton', { name: 'Percent of account' })
  await expect.element(percent).toHaveAttribute('min', '1')
  await expect.element(percent).toHaveAttribute('max', '100')
  await percent.fill('70')
  await deployButton().click()
  await expect
    .element(page.getByRole('alert'))
    .toMatchTextContent(
      'Cannot deploy: account allocation would reach 106.9%. Current active deployments are using 36.9%.',
    )
  await percent.fill('10')
  await page.getByText('End of day', { exact: true }).click()
  const minutes = page.getByRole('combobox', { name: 'Minutes before close' })
  await expectTexts(
    minutes.getByRole('option'),
    [10, 15, 30, 45, 60].map((number) => `${number} minutes`),
  )
  await minutes.selectOptions('15')
  await page.getByLabelText('Friday').click()
  await page.getByRole('switch', { name: 'Send e-mail notifications' }).click()
  await page.getByLabelText('Notification e-mail', { exact: true }).fill(' ann@example.com ')
  await page.getByLabelText('Notification e-mail', { exact: true }).click()
  await userEvent.keyboard('{Enter}')
  await page.getByRole('button', { name: 'Send a test e-mail to ann@example.com' }).click()
  await expect.element(page.getByText('A test e-mail is on its way to ann@example.com.')).toBeVisible()
  await deployButton().click()
  await expect.element(page.getByText('Deployment created successfully!')).toBeVisible()
  await expect.element(card('Core')).toBeVisible()
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
  await tab('Deploy New Strategy').click()
  await expect.element(page.getByLabelText('Deployment name')).toHaveValue('')
})

test('a walk-forward strategy is retrained as it was tested, and the form says when it trades', async () => {
  await signIn()
  const world = standInLiveTrading({ strategies: [strategy({ walk_forward: true })] })
  openScreen('/live-trading?strategy_id=3')
  await chooseStrategy('Retrained')
  const retraining = page.getByText('A new model is trained at each step of the strategy’s walk-forward backtest')
  await expect.element(retraining).toBeVisible()
  await expect.element(page.getByText('Training mode')).not.toBeInTheDocument()
  await page.getByText('Never', { exact: true }).click()
  await expect.element(page.getByText('Training mode')).toBeVisible()
  await page.getByText('Each walk-forward step', { exact: true }).click()
  const warning = page.getByText('The strategy was tested with the order fill “Next open”')
  await expect.element(warning).not.toBeInTheDocument()
  await page.getByText('End of day', { exact: true }).click()
  await expect.element(warning).toBeVisible()
  await page.getByLabelText('Contribution amount').fill('1000')
  await expectAccessible()
  await deployButton().click()
  await expect.element(card('Retrained')).toBeVisible()
  expect(world.asked.at(-1)).toMatchObject({ path: 'create', body: { retraining_schedule: 'walk_forward' } })
})

test('positions are contributed, and those of others are not [LIVE-030, LIVE-031, LIVE-122..124, LIVE-183, LIVE-219]', async () => {
  await signIn()
  let hasConflict = true
  const owned = [{ deployment_id: 1, deployment_name: 'Other', quantity: 5 }]
  const world = standInLiveTrading(
    {
      positions: [
        position(),
        position({ symbol: 'MSFT', is_fully_allocated: true, available_quantity: 0, allocated_to_deployments: owned }),
      ],
    },
    (known) => [
      on(calls.createDeploymentWithPositions, ({ body }) => {
        if (hasConflict) return refuse('Try again.', { status: 409, conflicts: [{ symbol: 'AAPL' }] })
        known.asked.push({ path: 'create-with-positions', body })
        const made = deployment({ id: 50, deployment_name: 'From shares', status: 'created' })
        return { success, deployment: made, deployment_id: 50, start_error: 'The market data is missing.' }
      }),
    ],
  )
  openScreen('/live-trading')
  await tab('Deploy New Strategy').click()
  await chooseStrategy()
  await page.getByRole('radiogroup', { name: 'Contribution mode' }).getByText('Positions').click()
  await expect.element(page.getByRole('checkbox', { name: 'MSFT' })).toBeDisabled()
  await expect.element(page.getByRole('list', { name: 'Positions' })).toHaveStyle({ maxHeight: '400px' })
  await deployButton().click()
  await expect
    .element(page.getByRole('alert'))
    .toMatchTextContent('Please select at least one position or add cash to contribute.')
  await page.getByRole('checkbox', { name: 'AAPL' }).click()
  await page.getByLabelText('Quantity of AAPL').fill('2')
  await expect.element(page.getByLabelText('Extra cash')).toHaveAttribute('step', '100')
  await page.getByLabelText('Extra cash').fill('100')
  await expect.element(page.getByText('Contributed value: $563.00')).toBeVisible()
  await deployButton().click()
  await expect
    .element(page.getByRole('alert'))
    .toMatchTextContent(
      'Cannot contribute positions: AAPL are already allocated to other deployments. ' +
        'Please deselect these positions or choose different ones. Try again.',
    )
  hasConflict = false
  await deployButton().click()
  await expect.element(page.getByText('Deployment created successfully!')).toBeVisible()
  await expect
    .element(page.getByRole('alert'))
    .toMatchTextContent('Failed to start deployment: The market data is missing.')
  expect(world.asked.at(-1)?.body).toMatchObject({
    contribution_mode: 'positions',
    contributed_positions: [{ symbol: 'AAPL', quantity: '2' }],
    contributed_cash: '100',
  })
})

test('an account without cash figures, positions or a known strategy says so [LIVE-114, LIVE-115, LIVE-182, LIVE-194..197]', async () => {
  await signIn()
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  standInLiveTrading(
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
      on(calls.createDeployment, async () => {
        await answered
        return refuse('The cash of the account is not known.')
      }),
    ],
  )
  openScreen('/live-trading?strategy_id=777')
  await expect.element(page.getByText('The strategy to deploy was not found.')).toBeVisible()
  await tab('Deploy New Strategy').click()
  await expect.element(page.getByText('Unable to fetch Alpaca cash balance right now.')).toBeVisible()
  await page.getByRole('combobox', { name: 'Strategy', exact: true }).selectOptions('4')
  await expect.element(page.getByText('Not Ready')).toBeVisible()
  await expect.element(page.getByText('It has no target.').first()).toBeVisible()
  await expect.element(deployButton()).toBeDisabled()
  await chooseStrategy()
  await expect.element(page.getByText('Validation failed').first()).toBeVisible()
  await page.getByRole('radiogroup', { name: 'Contribution mode' }).getByText('Positions').click()
  await expect
    .element(
      page.getByText(
        'No positions found in this account. Please select an account with existing positions or use cash contribution mode.',
      ),
    )
    .toBeVisible()
  await page.getByRole('radiogroup', { name: 'Contribution mode' }).getByText('Cash').click()
  await page.getByLabelText('Contribution amount').fill('100')
  await deployButton().click()
  await expect.element(page.getByRole('button', { name: 'Deploying...' })).toBeDisabled()
  answer()
  await expect
    .element(page.getByRole('alert'))
    .toMatchTextContent('Failed to create deployment: The cash of the account is not known.')
})

test('a stopped deployment is edited [LIVE-006, LIVE-043..047, LIVE-121, LIVE-138, LIVE-139, LIVE-185, LIVE-186]', async () => {
  await signIn()
  const world = standInLiveTrading({
    deployments: [deployment({ status: 'paused' })],
    strategies: [strategy(), strategy({ id: 4, name: 'Half done', is_deployable: false })],
  })
  openScreen('/live-trading')
  await card('Regime switch, core').getByRole('button', { name: 'Edit' }).click()
  const form = page.getByRole('form', { name: 'Edit Deployment' })
  await expect.element(form.getByText('Only stopped or paused deployments can be edited.')).toBeVisible()
  await expect.element(form.getByText('Original commitment')).toBeVisible()
  await expect.element(form.getByText('Contribution mode')).not.toBeInTheDocument()
  await expectTexts(form.getByRole('combobox', { name: 'Strategy', exact: true }).getByRole('option'), [
    'Select a strategy',
    'SPY / TLT regime switch · ML · +84.2% total return',
  ])
  await expect.element(form.getByLabelText('Trading ticker for SPY?L=2')).toHaveValue('SSO')
  await form.getByLabelText('Saturday').click()
  await expect
    .element(form.getByText('Weekend days will be ignored for daily strategies aligned to business days.'))
    .toBeVisible()
  await form.getByText('24/7 Trading', { exact: true }).click()
  await expect
    .element(form.getByText('Daily strategies run on business days only. For 24/7 assets (weekends), use hourly/15m.'))
    .toBeVisible()
  await expectAccessible()
  await form.getByLabelText('Trading ticker for TLT').fill('BAD')
  const update = form.getByRole('button', { name: 'Update Deployment' })
  await update.click()
  await expect
    .element(page.getByRole('alert'))
    .toMatchTextContent('Cannot update with invalid ticker mappings: TLT -> BAD.')
  await form.getByLabelText('Trading ticker for TLT').fill('TLT')
  await form.getByLabelText('Deployment name').fill('Renamed')
  await update.click()
  await expect.element(page.getByText('Deployment updated successfully!')).toBeVisible()
  await expect.element(tab('Edit Deployment')).not.toBeInTheDocument()
  await expect.element(card('Renamed')).toBeVisible()
  expect(Object.keys(world.asked.at(-1)?.body ?? {}).filter((field) => field.startsWith('capital'))).toEqual([])

  await card('Renamed').getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(tab('Edit Deployment')).not.toBeInTheDocument()

  // What was typed is not lost without a question, also while another tab is in sight.
  await card('Renamed').getByRole('button', { name: 'Edit' }).click()
  await form.getByLabelText('Deployment name').fill('Half a name')
  await tab('Active Deployments').click()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Strategies' }).click()
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay' }).click()
  await tab('Edit Deployment').click()
  await expect.element(form.getByLabelText('Deployment name')).toHaveValue('Half a name')
  await form.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('dialog', { name: 'Close without saving?' }).getByRole('button', { name: 'Close' }).click()
  await expect.element(tab('Edit Deployment')).not.toBeInTheDocument()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Strategies' }).click()
  await expectAddress(/\/strategies/)
})
