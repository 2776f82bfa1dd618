import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { card, deployButton, dialog } from '../../../../test-support/live-trading-page.ts'
import { expectAccessible, openScreen, signInAsNew } from '../../../../test-support/screen.tsx'

const csv = (text: string) => new File([text], 'signals.csv', { type: 'text/csv' })

async function shownIn(label: string): Promise<string> {
  const field = page.getByLabelText(label, { exact: true })
  await expect.element(field).toBeVisible()
  return (field.element() as HTMLInputElement).value
}

test('signals from outside are tested on a file, received at an address, and decide a paper deployment', async () => {
  await signInAsNew()
  openScreen('/backtest')
  await page.getByRole('radiogroup', { name: 'Strategy type' }).getByText('External signal').click()
  await page.getByLabelText('Strategy name').fill('Alerts')
  await expect.element(page.getByText(/the saved strategy then gets an address/)).toBeVisible()
  await page.getByLabelText('Signals of a backtest').upload(csv('time,signal\n2024-03-01T15:00:00Z,moon\n'))
  await page.getByRole('tab', { name: 'Backtest Config' }).click()
  await page.getByLabelText('Start date').fill('2024-01-02')
  await page.getByLabelText('End date').fill('2025-12-30')
  await page.getByLabelText('Save strategy').click()
  await page.getByRole('button', { name: 'Run backtest' }).click()
  await expect.element(page.getByText(/There is no allocation “moon”/).first()).toBeVisible()
  await page.getByRole('tab', { name: 'Strategy Setup' }).click()
  await page
    .getByLabelText('Signals of a backtest')
    .upload(csv('time,signal\n2024-03-01T15:00:00Z,risk-on\n2025-03-03T15:00:00Z,risk-off\n'))
  await page.getByRole('button', { name: 'Run backtest' }).click()
  await expect.element(page.getByRole('region', { name: 'Full Results', exact: true })).toBeVisible()
  await expect.element(page.getByText(/2 signals from 1 Mar 2024 to 3 Mar 2025/).first()).toBeVisible()

  // The saved strategy has an address; both are shown once.
  await page.getByRole('button', { name: 'Create address and secret' }).click()
  const address = await shownIn('Address')
  const secret = await shownIn('Secret')
  await expectAccessible()
  const send = (data: object) =>
    fetch(new URL(address).pathname, {
      method: 'POST',
      credentials: 'omit',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ secret, time: new Date().toISOString(), ...data }),
    })
  const time = new Date().toISOString()
  expect((await send({ allocation: 'risk-on', time })).status).toBe(200)
  expect(await (await send({ allocation: 'risk-on', time })).json()).toMatchObject({ doubled: true })
  expect((await send({ allocation: 'risk-on', secret: 'forged' })).status).toBe(403)
  const received = page.getByRole('list', { name: 'Received signals' })
  await expect.element(received).toMatchTextContent('Accepted')
  await expect.element(received).toMatchTextContent('Duplicate')
  await expect.element(received).toMatchTextContent('Forged')
  await expect.element(page.getByText('1 accepted so far, the newest says risk-on.')).toBeVisible()

  openScreen('/strategies')
  await expect.element(page.getByRole('row', { name: /Alerts/ })).toMatchTextContent('External signal')
  await page.getByRole('link', { name: 'Deploy Alerts' }).click()
  await page.getByRole('button', { name: 'Use the built-in paper account' }).click()
  await page.getByLabelText('Contribution amount').fill('10000')
  const orders = page.getByRole('table', { name: 'Planned orders' })
  await expect.element(orders).toMatchTextContent('SPY')
  await deployButton().click()
  await expect.element(page.getByText('Deployment created successfully!')).toBeVisible()
  await card('Alerts').getByRole('link', { name: 'Alerts' }).click()
  await page.getByRole('button', { name: 'Preview next decision' }).click()
  await expect.element(dialog().getByText('Signal: risk-on').first()).toBeVisible()
})
