import { testAlertChannel } from '@tradewright/contract/alerts'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible, openScreen, reloadScreen, signInAsNew, standIn } from '../../../../test-support/screen.tsx'
import { on, refuse } from '../../../../test-support/served.ts'

/** No server listens at this address. */
const RECEIVER = 'http://127.0.0.1:9'

const section = () => page.getByRole('region', { name: 'Alerts' })
const channel = (name: string) => section().getByRole('article', { name, exact: true })

test('channels are added, tested, edited and deleted, with levels and a heartbeat', async () => {
  await signInAsNew()
  // What receivers are sent is tested on the server, in alerts/routes.test.ts.
  const sent = (name: string) => ({ success: true as const, message: `A test alert was sent to ${name} (there).` })
  const unsigned = 'The test alert could not be sent: it refused the request as not allowed (HTTP 401).'
  const answers = [sent('Phone'), refuse(unsigned, { status: 502 }), sent('Webhook')]
  standIn([on(testAlertChannel, () => answers.shift() ?? refuse('Asked too often.'))])
  openScreen('/settings')
  await expect
    .element(section().getByText('No channel yet: alerts are shown on Home and in Live Trading only.'))
    .toBeVisible()
  await section().getByRole('button', { name: 'Add channel' }).click()
  const form = page.getByRole('form', { name: 'Add channel' })
  await form.getByLabelText('Kind').selectOptions('ntfy')
  await form.getByLabelText('Name').fill('Phone')
  await form.getByLabelText('Server').fill(RECEIVER)
  await form.getByLabelText('Topic').fill('not a topic')
  await form.getByRole('button', { name: 'Save channel' }).click()
  await expect.element(page.getByText(/^Failed to save the channel: A topic has up to 64 letters/)).toBeVisible()
  await form.getByLabelText('Topic').fill('savings-8f3k')
  await form.getByRole('switch', { name: 'Quiet hours' }).click()
  await form.getByLabelText('From').fill('23:00')
  await form.getByRole('combobox', { name: 'Time zone' }).fill('berlin')
  await page.getByRole('option', { name: 'Europe/Berlin' }).click()
  await form.getByRole('button', { name: 'Save channel' }).click()
  await expect.element(page.getByText('Channel saved.')).toBeVisible()
  await expect.element(channel('Phone').getByText(/quiet 23:00–07:00 Europe\/Berlin/)).toBeVisible()
  await channel('Phone').getByRole('button', { name: 'Send test to Phone' }).click()
  await expect.element(page.getByText(/^A test alert was sent to Phone/)).toBeVisible()
  await section().getByRole('button', { name: 'Add channel' }).click()
  await form.getByLabelText('Kind').selectOptions('Webhook')
  await form.getByLabelText('Address').fill(`${RECEIVER}/hook`)
  await form.getByLabelText('Signing secret').fill('a secret that is not theirs')
  await form.getByRole('button', { name: 'Save channel' }).click()
  await channel('Webhook').getByRole('button', { name: 'Send test to Webhook' }).click()
  await expect
    .element(page.getByText(/could not be sent: it refused the request as not allowed \(HTTP 401\)/))
    .toBeVisible()
  await channel('Webhook').getByRole('button', { name: 'Edit Webhook' }).click()
  await page
    .getByRole('form', { name: 'Edit Webhook' })
    .getByLabelText('Signing secret')
    .fill('a webhook secret of the user')
  await page.getByRole('button', { name: 'Save channel' }).click()
  await channel('Webhook').getByRole('button', { name: 'Send test to Webhook' }).click()
  await expect.element(page.getByText(/^A test alert was sent to Webhook/)).toBeVisible()

  await section().getByLabelText('Level of Missed run').selectOptions('urgent')
  await expect.element(page.getByText('Levels saved.')).toBeVisible()
  await section().getByLabelText('Heartbeat address').fill(`${RECEIVER}/ping/ann`)
  await section().getByRole('button', { name: 'Save heartbeat' }).click()
  await expect.element(page.getByText('Heartbeat saved.')).toBeVisible()
  await expectAccessible()
  reloadScreen()
  await expect.element(section().getByLabelText('Level of Missed run')).toHaveValue('urgent')

  await channel('Webhook').getByRole('button', { name: 'Delete Webhook' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete channel' }).click()
  await expect.element(channel('Webhook')).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.element(channel('Webhook')).toBeVisible()
})
