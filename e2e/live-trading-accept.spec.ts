import * as watch from '../packages/contract/src/live-trading-watch.ts'
import { expectAccessibleDialog, expectNoSidewaysScroll } from './accessible.ts'
import { dialog } from './live-trading-page.ts'
import { liveTradingStandIn } from './live-trading-stand-in.ts'
import { overview } from './live-trading-world.ts'
import { on, refuse } from './stand-in.ts'
import { expect, test } from './story.ts'

const LOSS =
  'The broker holds 15 SPY no longer, and nothing came in for it: a loss of $6,000.00. If it is a corporate action, the ' +
  'broker lists it within a day or two and it is booked then. Nothing was changed.'

test('figures of the broker are accepted, and a loss only when it is confirmed', async ({ signedIn: page }) => {
  const bodies: unknown[] = []
  await liveTradingStandIn(page, {}, () => [
    on(watch.getDeploymentOverview, () => {
      const shown = overview()
      const reasons = ['Broker and books disagree: The broker holds 0 SPY, but the books say 15.']
      return { ...shown, health: { ...shown.health, light: 'red' as const, books_agree: false, reasons } }
    }),
    on(watch.acceptBrokerFigures, ({ body }) => {
      bodies.push(body)
      if (body['accept_losses'] !== true) return refuse(LOSS, { status: 409, code: 'capital.loss' })
      return { success: true as const, message: "The broker's figures were accepted with 1 correction." }
    }),
  ])
  await page.goto('/live-trading/1')
  await page.getByRole('button', { name: 'Accept the broker’s figures' }).click()
  await expect(dialog(page)).toContainText('What changed is assigned to the deployments of this account that held it')
  await dialog(page).getByRole('button', { name: 'Accept figures' }).click()
  await expect(dialog(page)).toContainText('Book a loss in Main account?')
  await expect(dialog(page)).toContainText('a loss of $6,000.00')
  await expectAccessibleDialog(page)
  await expectNoSidewaysScroll(page)
  await dialog(page).getByRole('button', { name: 'Book the loss' }).click()
  await expect(page.getByText("The broker's figures were accepted with 1 correction.")).toBeVisible()
  await expect(dialog(page)).toBeHidden()
  expect(bodies).toEqual([{ accept_losses: false }, { accept_losses: true }])
})
