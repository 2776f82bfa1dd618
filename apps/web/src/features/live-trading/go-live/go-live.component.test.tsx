import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import {
  card,
  deployButton,
  dialog,
  openMore,
  standInLiveTrading,
  tab,
} from '../../../../test-support/live-trading-page.ts'
import { account, deployment, strategy } from '../../../../test-support/live-trading-world.ts'
import { expectAccessible, openScreen, signIn } from '../../../../test-support/screen.tsx'

const LIVE = { paper_trading: false, account_name: 'Main account', alpaca_account_id: 7 }
const START = 'Start with live money'

test('real money starts only after the account, the amount, the first orders and the typed name', async () => {
  await signIn()
  const world = standInLiveTrading({
    deployments: [deployment({ ...LIVE, status: 'stopped', deployment_name: 'Savings' })],
    accounts: [account({ id: 7, account_name: 'Main account', paper_trading: false })],
  })
  openScreen('/live-trading')
  await expect.element(card('Savings').getByText('Live money')).toBeVisible()
  await card('Savings').getByRole('button', { name: 'Start' }).click()
  const question = dialog()
  await expect.element(question.getByText('Trade “Savings” with live money?')).toBeVisible()
  await expect.element(question.getByRole('button', { name: 'Cancel' })).toHaveFocus()
  await expect.element(question.getByText('$25,000.00')).toBeVisible()
  await expect.element(question.getByText('None')).toBeVisible()
  await expect.element(question.getByRole('table', { name: 'First orders' }).getByText('SSO')).toBeVisible()
  await expectAccessible()

  await expect.element(question.getByRole('button', { name: START })).toBeDisabled()
  await question.getByLabelText('Type Savings to confirm').fill('savings')
  await question.getByLabelText('Type Savings to confirm').click()
  await userEvent.keyboard('{Enter}')
  await expect.element(question.getByRole('button', { name: START })).toBeDisabled()
  expect(world.asked).toEqual([])

  await question.getByLabelText('Type Savings to confirm').fill('Savings')
  await question.getByRole('button', { name: START }).click()
  await expect.element(page.getByText('Deployment start successful')).toBeVisible()
  expect(world.asked).toEqual([{ path: 'control', body: { action: 'start', confirmation: 'Savings' } }])
  await expect.element(dialog()).not.toBeInTheDocument()
})

test('a deployment that is to start at once on a live account is created, and then asks', async () => {
  await signIn()
  const world = standInLiveTrading({
    deployments: [],
    accounts: [account({ id: 7, account_name: 'Main account', paper_trading: false, available_cash: 90_000 })],
    strategies: [strategy()],
  })
  openScreen('/live-trading')
  await tab('Deploy New Strategy').click()
  await page.getByRole('combobox', { name: 'Account' }).selectOptions('Main account')
  await page.getByRole('combobox', { name: 'Strategy', exact: true }).selectOptions('3')
  await openMore()
  await page.getByLabelText('Deployment name').fill('Savings')
  await page.getByLabelText('Contribution amount').fill('25000')
  await page.getByRole('switch', { name: 'Start Immediately' }).click()
  await expect.element(page.getByText('Asks for the name once more before anything is sent.')).toBeVisible()
  await deployButton().click()
  await expect.element(dialog().getByText('Trade “Savings” with live money?')).toBeVisible()
  expect(world.asked[0]).toMatchObject({ path: 'create', body: { auto_start: false } })
  await dialog().getByRole('button', { name: 'Cancel' }).click()
  expect(world.asked).toHaveLength(1)
})

test('paper money starts without a question', async () => {
  await signIn()
  const world = standInLiveTrading({ deployments: [deployment({ status: 'stopped' })] })
  openScreen('/live-trading')
  await page.getByRole('button', { name: 'Start' }).click()
  await expect.element(page.getByText('Deployment start successful')).toBeVisible()
  expect(world.asked).toEqual([{ path: 'control', body: { action: 'start' } }])
})

test('the activity names who did what, and from which session', async () => {
  await signIn()
  standInLiveTrading({ deployments: [deployment()] })
  openScreen('/live-trading/1')
  await expect
    .element(page.getByText('By ann · Firefox on Linux at 10.0.0.5, signed in 12 Nov 2026, 3:00 AM EST'))
    .toBeVisible()
  await expect.element(page.getByText('By schedule')).toBeVisible()
})
