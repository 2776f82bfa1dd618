import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { chooseStrategy, deployButton, standInLiveTrading } from '../../../../test-support/live-trading-page.ts'
import { account } from '../../../../test-support/live-trading-world.ts'
import { expectTexts, expectAccessible, openScreen, signIn } from '../../../../test-support/screen.tsx'

test('order type, volume and limits are chosen in the form, and what is not possible says why', async () => {
  await signIn()
  const limits = account().operator_limits
  const world = standInLiveTrading({
    accounts: [account({ operator_limits: { ...limits, max_order_usd: 25_000 } })],
    volumes: [
      {
        symbol: 'SPY',
        order_value: 5_000,
        average_daily_usd: 31_000_000_000,
        share_pct: 0.00002,
        reason: null,
        synthetic: false,
      },
      {
        symbol: 'TLT',
        order_value: 5_000,
        average_daily_usd: 240_000,
        share_pct: 2.083,
        reason: null,
        synthetic: false,
      },
      {
        symbol: 'XYZ',
        order_value: 5_000,
        average_daily_usd: null,
        share_pct: null,
        reason: 'No volume for XYZ is known.',
        synthetic: false,
      },
    ],
  })
  openScreen('/live-trading?strategy_id=3')
  await chooseStrategy()
  await page.getByLabelText('Deployment name').fill('Sliced')
  await page.getByLabelText('Contribution amount').fill('5000')
  const types = page.getByRole('combobox', { name: 'Order type' })
  await expectTexts(types.getByRole('option'), [
    'Market',
    'Marketable limit',
    'Limit with time-out',
    'Slices over time',
  ])
  await expect
    .element(page.getByRole('list', { name: 'Order types that are not offered' }))
    .toMatchTextContent('On close: the schedule must be end of day')
  const volumes = page.getByRole('list', { name: 'Orders against average volume' })
  await expect
    .element(volumes)
    .toMatchTextContent('TLT: $5,000 is 2.08% of the $240,000 traded on an average day: above 1%')
  await expect.element(volumes).toMatchTextContent('XYZ: n/a. No volume for XYZ is known.')

  await types.selectOptions('Slices over time')
  await page.getByLabelText('Slices', { exact: true }).fill('5')
  await page.getByLabelText('Over', { exact: true }).fill('20')
  await page.getByText('More', { exact: true }).click()
  await expect.element(page.getByText('the operator allows $25,000.00')).toBeVisible()
  await page.getByLabelText('Maximum value of an order').fill('2000')
  await page.getByLabelText('Maximum loss of the account').fill('3')
  await expectAccessible()
  await deployButton().click()
  await expect
    .poll(() => world.asked.at(-1)?.body)
    .toMatchObject({
      order_execution: { type: 'slices', slices: 5, slice_minutes: 20 },
      order_limits: { max_order_usd: 2000, max_account_loss_pct: 3, max_daily_orders: null },
    })
})

test('an order type stays visible when the schedule no longer allows it, and keeps the form from being sent', async () => {
  await signIn()
  standInLiveTrading()
  openScreen('/live-trading?strategy_id=3')
  await chooseStrategy()
  await page.getByLabelText('Deployment name').fill('At the close')
  await page.getByText('End of day', { exact: true }).click()
  await page.getByRole('combobox', { name: 'Order type' }).selectOptions('On close')
  await page.getByText('Continuous', { exact: true }).click()
  await expect.element(page.getByText(/On close: the schedule must be end of day/).first()).toBeVisible()
  await expect.element(deployButton()).toBeDisabled()
})
