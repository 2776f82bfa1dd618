import { expectAccessible } from './accessible.ts'
import { runBacktest } from './backtest-page.ts'
import { card, deployButton, dialog } from './live-trading-page.ts'
import { expect, test } from './story.ts'

const csv = (text: string) => ({ name: 'signals.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })

test('signals from outside are tested on a file, received at an address, and decide a paper deployment', async ({
  page,
  person: _person,
}) => {
  test.slow()
  await page.goto('/backtest')
  await page.getByRole('radiogroup', { name: 'Strategy type' }).getByText('External signal').click()
  await page.getByLabel('Strategy name').fill('Alerts')
  await expect(page.getByText(/the saved strategy then gets an address/)).toBeVisible()
  await page.getByLabel('Signals of a backtest').setInputFiles(csv('time,signal\n2024-03-01T15:00:00Z,moon\n'))
  await page.getByRole('tab', { name: 'Backtest Config' }).click()
  await page.getByLabel('Start date').fill('2024-01-02')
  await page.getByLabel('End date').fill('2025-12-30')
  await page.getByLabel('Save strategy').check()
  await page.getByRole('button', { name: 'Run backtest' }).click()
  await expect(page.getByText(/There is no allocation “moon”/).first()).toBeVisible()
  await page.getByRole('tab', { name: 'Strategy Setup' }).click()
  await page
    .getByLabel('Signals of a backtest')
    .setInputFiles(csv('time,signal\n2024-03-01T15:00:00Z,risk-on\n2025-03-03T15:00:00Z,risk-off\n'))
  await runBacktest(page)
  await expect(page.getByText(/2 signals from 1 Mar 2024 to 3 Mar 2025/).first()).toBeVisible()

  // The saved strategy has an address; both are shown once.
  await page.getByRole('button', { name: 'Create address and secret' }).click()
  const address = await page.getByLabel('Address', { exact: true }).inputValue()
  const secret = await page.getByLabel('Secret', { exact: true }).inputValue()
  await expectAccessible(page)
  const send = (data: object) =>
    page.request.post(address, { data: { secret, time: new Date().toISOString(), ...data } })
  const time = new Date().toISOString()
  expect((await send({ allocation: 'risk-on', time })).status()).toBe(200)
  expect(await (await send({ allocation: 'risk-on', time })).json()).toMatchObject({ doubled: true })
  expect((await send({ allocation: 'risk-on', secret: 'forged' })).status()).toBe(403)
  const received = page.getByRole('list', { name: 'Received signals' })
  await expect(received).toContainText('Accepted')
  await expect(received).toContainText('Duplicate')
  await expect(received).toContainText('Forged')
  await expect(page.getByText('1 accepted so far, the newest says risk-on.')).toBeVisible()

  await page.goto('/strategies')
  await expect(page.getByRole('row', { name: /Alerts/ })).toContainText('External signal')
  await page.getByRole('link', { name: 'Deploy Alerts' }).click()
  await page.getByRole('button', { name: 'Use the built-in paper account' }).click()
  await page.getByLabel('Contribution amount').fill('10000')
  const orders = page.getByRole('table', { name: 'Planned orders' })
  await expect(orders).toContainText('SPY', { timeout: 45_000 })
  await deployButton(page).click()
  await expect(page.getByText('Deployment created successfully!')).toBeVisible()
  await card(page, 'Alerts').getByRole('link', { name: 'Alerts' }).click()
  await page.getByRole('button', { name: 'Preview next decision' }).click()
  await expect(dialog(page).getByText('Signal: risk-on').first()).toBeVisible({ timeout: 45_000 })
})
