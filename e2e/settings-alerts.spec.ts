import { startAlertReceivers, WEBHOOK_SECRET } from '../apps/server/test-support/stand-ins/alert-receivers.ts'
import type { StandIn } from '../apps/server/test-support/stand-ins/stand-in.ts'
import { expectAccessible } from './accessible.ts'
import { expect, type Page, test } from './story.ts'

let receivers: StandIn
test.beforeAll(async () => {
  receivers = await startAlertReceivers()
})
test.afterAll(() => receivers.close())

const section = (page: Page) => page.getByRole('region', { name: 'Alerts' })
const channel = (page: Page, name: string) => section(page).getByRole('article', { name, exact: true })

test('channels are added, tested, edited and deleted, with levels and a heartbeat', async ({
  page,
  person: _person,
}) => {
  await page.goto('/settings')
  await expect(
    section(page).getByText('No channel yet: alerts are shown on Home and in Live Trading only.'),
  ).toBeVisible()
  await section(page).getByRole('button', { name: 'Add channel' }).click()
  const form = page.getByRole('form', { name: 'Add channel' })
  await form.getByLabel('Kind').selectOption({ label: 'ntfy' })
  await form.getByLabel('Name').fill('Phone')
  await form.getByLabel('Server').fill(receivers.url)
  await form.getByLabel('Topic').fill('not a topic')
  await form.getByRole('button', { name: 'Save channel' }).click()
  await expect(page.getByText(/^Failed to save the channel: A topic has up to 64 letters/)).toBeVisible()
  await form.getByLabel('Topic').fill('savings-8f3k')
  await form.getByRole('switch', { name: 'Quiet hours' }).check()
  await form.getByLabel('From').fill('23:00')
  await form.getByLabel('Time zone').selectOption('Europe/Berlin')
  await form.getByRole('button', { name: 'Save channel' }).click()
  await expect(page.getByText('Channel saved.')).toBeVisible()
  await expect(channel(page, 'Phone').getByText(/quiet 23:00–07:00 Europe\/Berlin/)).toBeVisible()
  await channel(page, 'Phone').getByRole('button', { name: 'Send test to Phone' }).click()
  await expect(page.getByText(/^A test alert was sent to Phone/)).toBeVisible()
  expect(receivers.requests.at(-1)).toMatchObject({
    path: '/savings-8f3k',
    headers: { title: 'Tradewright: test alert' },
  })

  await section(page).getByRole('button', { name: 'Add channel' }).click()
  await form.getByLabel('Kind').selectOption({ label: 'Webhook' })
  await form.getByLabel('Address').fill(`${receivers.url}/hook`)
  await form.getByLabel('Signing secret').fill('a secret that is not theirs')
  await form.getByRole('button', { name: 'Save channel' }).click()
  await channel(page, 'Webhook').getByRole('button', { name: 'Send test to Webhook' }).click()
  await expect(page.getByText(/could not be sent: it refused the request as not allowed \(HTTP 401\)/)).toBeVisible()
  await channel(page, 'Webhook').getByRole('button', { name: 'Edit Webhook' }).click()
  await page.getByRole('form', { name: 'Edit Webhook' }).getByLabel('Signing secret').fill(WEBHOOK_SECRET)
  await page.getByRole('button', { name: 'Save channel' }).click()
  await channel(page, 'Webhook').getByRole('button', { name: 'Send test to Webhook' }).click()
  await expect(page.getByText(/^A test alert was sent to Webhook/)).toBeVisible()

  await section(page).getByLabel('Level of Missed run').selectOption('urgent')
  await expect(page.getByText('Levels saved.')).toBeVisible()
  await section(page).getByLabel('Heartbeat address').fill(`${receivers.url}/ping/ann`)
  await section(page).getByRole('button', { name: 'Save heartbeat' }).click()
  await expect(page.getByText('Heartbeat saved.')).toBeVisible()
  await expect.poll(() => receivers.requests.some(({ path }) => path === '/ping/ann')).toBe(true)
  await expectAccessible(page)
  await page.reload()
  await expect(section(page).getByLabel('Level of Missed run')).toHaveValue('urgent')

  await channel(page, 'Webhook').getByRole('button', { name: 'Delete Webhook' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete channel' }).click()
  await expect(channel(page, 'Webhook')).toBeHidden()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(channel(page, 'Webhook')).toBeVisible()
})
