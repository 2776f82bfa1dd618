import { expectAccessible } from './accessible.ts'
import { card, deployButton, dialog, openMore, tab } from './live-trading-page.ts'
import { liveTradingStandIn } from './live-trading-stand-in.ts'
import { account, deployment, strategy } from '../apps/web/test-support/live-trading-world.ts'
import { expect, test } from './story.ts'

const LIVE = { paper_trading: false, account_name: 'Main account', alpaca_account_id: 7 }
const START = 'Start with live money'

test('real money starts only after the account, the amount, the first orders and the typed name', async ({
  signedIn: page,
}) => {
  const world = await liveTradingStandIn(page, {
    deployments: [deployment({ ...LIVE, status: 'stopped', deployment_name: 'Savings' })],
    accounts: [account({ id: 7, account_name: 'Main account', paper_trading: false })],
  })
  await page.goto('/live-trading')
  await expect(card(page, 'Savings').getByText('Live money')).toBeVisible()
  await card(page, 'Savings').getByRole('button', { name: 'Start' }).click()
  const question = dialog(page)
  await expect(question.getByText('Trade “Savings” with live money?')).toBeVisible()
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expect(question.getByText('$25,000.00')).toBeVisible()
  await expect(question.getByText('None')).toBeVisible()
  await expect(question.getByRole('table', { name: 'First orders' }).getByText('SSO')).toBeVisible()
  await expectAccessible(page)

  await expect(question.getByRole('button', { name: START })).toBeDisabled()
  await question.getByLabel('Type Savings to confirm').fill('savings')
  await question.getByLabel('Type Savings to confirm').press('Enter')
  await expect(question.getByRole('button', { name: START })).toBeDisabled()
  expect(world.asked).toEqual([])

  await question.getByLabel('Type Savings to confirm').fill('Savings')
  await question.getByRole('button', { name: START }).click()
  await expect(page.getByText('Deployment start successful')).toBeVisible()
  expect(world.asked).toEqual([{ path: 'control', body: { action: 'start', confirmation: 'Savings' } }])
  await expect(dialog(page)).toBeHidden()
})

test('a deployment that is to start at once on a live account is created, and then asks', async ({
  signedIn: page,
}) => {
  const world = await liveTradingStandIn(page, {
    deployments: [],
    accounts: [account({ id: 7, account_name: 'Main account', paper_trading: false, available_cash: 90_000 })],
    strategies: [strategy()],
  })
  await page.goto('/live-trading')
  await tab(page, 'Deploy New Strategy').click()
  await page.getByRole('combobox', { name: 'Account' }).selectOption({ label: 'Main account' })
  await page.getByRole('combobox', { name: 'Strategy', exact: true }).selectOption({ index: 1 })
  await openMore(page)
  await page.getByLabel('Deployment name').fill('Savings')
  await page.getByLabel('Contribution amount').fill('25000')
  await page.getByRole('switch', { name: 'Start Immediately' }).check()
  await expect(page.getByText('Asks for the name once more before anything is sent.')).toBeVisible()
  await deployButton(page).click()
  await expect(dialog(page).getByText('Trade “Savings” with live money?')).toBeVisible()
  expect(world.asked[0]).toMatchObject({ path: 'create', body: { auto_start: false } })
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  expect(world.asked).toHaveLength(1)
})

test('paper money starts without a question', async ({ signedIn: page }) => {
  const world = await liveTradingStandIn(page, { deployments: [deployment({ status: 'stopped' })] })
  await page.goto('/live-trading')
  await page.getByRole('button', { name: 'Start' }).click()
  await expect(page.getByText('Deployment start successful')).toBeVisible()
  expect(world.asked).toEqual([{ path: 'control', body: { action: 'start' } }])
})

test('the activity names who did what, and from which session', async ({ signedIn: page }) => {
  await liveTradingStandIn(page, { deployments: [deployment()] })
  await page.goto('/live-trading/1')
  await expect(
    page.getByText('By ann · Firefox on Linux at 10.0.0.5, signed in 12 Nov 2026, 3:00 AM EST'),
  ).toBeVisible()
  await expect(page.getByText('By schedule')).toBeVisible()
})
