import { expectAccessible } from './accessible.ts'
import { chooseStrategy, deployButton } from './live-trading-page.ts'
import { liveTradingStandIn } from './live-trading-stand-in.ts'
import { account } from '../apps/web/test-support/live-trading-world.ts'
import { expect, test } from './story.ts'

test('order type, volume and limits are chosen in the form, and what is not possible says why', async ({
  signedIn: page,
}) => {
  const limits = account().operator_limits
  const world = await liveTradingStandIn(page, {
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
  await page.goto('/live-trading?strategy_id=3')
  await chooseStrategy(page)
  await page.getByLabel('Deployment name').fill('Sliced')
  await page.getByLabel('Contribution amount').fill('5000')
  const types = page.getByRole('combobox', { name: 'Order type' })
  await expect(types.locator('option')).toHaveText([
    'Market',
    'Marketable limit',
    'Limit with time-out',
    'Slices over time',
  ])
  await expect(page.getByRole('list', { name: 'Order types that are not offered' })).toContainText(
    'On close: the schedule must be end of day',
  )
  const volumes = page.getByRole('list', { name: 'Orders against average volume' })
  await expect(volumes).toContainText('TLT: $5,000 is 2.08% of the $240,000 traded on an average day: above 1%')
  await expect(volumes).toContainText('XYZ: n/a. No volume for XYZ is known.')

  await types.selectOption({ label: 'Slices over time' })
  await page.getByLabel('Slices', { exact: true }).fill('5')
  await page.getByLabel('Over', { exact: true }).fill('20')
  await page.getByText('More', { exact: true }).click()
  await expect(page.getByText('the operator allows $25,000.00')).toBeVisible()
  await page.getByLabel('Maximum value of an order').fill('2000')
  await page.getByLabel('Maximum loss of the account').fill('3')
  await expectAccessible(page)
  await deployButton(page).click()
  await expect
    .poll(() => world.asked.at(-1)?.body)
    .toMatchObject({
      order_execution: { type: 'slices', slices: 5, slice_minutes: 20 },
      order_limits: { max_order_usd: 2000, max_account_loss_pct: 3, max_daily_orders: null },
    })
})

test('an order type stays visible when the schedule no longer allows it, and keeps the form from being sent', async ({
  signedIn: page,
}) => {
  await liveTradingStandIn(page)
  await page.goto('/live-trading?strategy_id=3')
  await chooseStrategy(page)
  await page.getByLabel('Deployment name').fill('At the close')
  await page.getByText('End of day', { exact: true }).click()
  await page.getByRole('combobox', { name: 'Order type' }).selectOption({ label: 'On close' })
  await page.getByText('Continuous', { exact: true }).click()
  await expect(page.getByText(/On close: the schedule must be end of day/).first()).toBeVisible()
  await expect(deployButton(page)).toBeDisabled()
})
