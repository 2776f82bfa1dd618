import * as contract from '../packages/contract/src/live-trading.ts'
import * as watch from '../packages/contract/src/live-trading-watch.ts'
import { expectAccessibleDialog, expectNoSidewaysScroll } from './accessible.ts'
import { dialog } from './live-trading-page.ts'
import { liveTradingStandIn } from './live-trading-stand-in.ts'
import { deployment, overview } from '../apps/web/test-support/live-trading-world.ts'
import { on, refuse } from './stand-in.ts'
import { expect, test } from './story.ts'

const LOSS =
  'The broker no longer holds 15 SPY, and nothing was received for it: a loss of $6,000.00. If it is a corporate action, the ' +
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

test('a holding that became another ticker is asked about on its card and its page', async ({ signedIn: page }) => {
  const bodies: unknown[] = []
  const problem =
    'Symbol change: 15 FB became 15 META. The strategy trades FB: choose whether to trade META in its place or to sell ' +
    'META. What it holds is kept, and nothing is traded until then.'
  const ticker_changes = [{ from: 'FB', to: 'META', sentence: 'Symbol change: 15 FB became 15 META.' }]
  const held = () => deployment({ ticker_changes, health_problem: problem })
  await liveTradingStandIn(page, { deployments: [held()] }, () => [
    on(watch.getDeploymentOverview, () => {
      const shown = overview()
      return { ...shown, deployment: held(), health: { ...shown.health, light: 'red' as const, reasons: [problem] } }
    }),
    on(contract.chooseTicker, ({ body }) => {
      bodies.push(body)
      return { success: true as const, deployment: deployment() }
    }),
  ])
  await page.goto('/live-trading')
  await expect(page.getByText('nothing is traded until then')).toBeVisible()
  await expectNoSidewaysScroll(page)
  await page.getByRole('button', { name: 'Trade META in place of FB' }).click()
  await expect(page.getByText('META is traded in place of FB from now on.')).toBeVisible()
  await page.goto('/live-trading/1')
  await page.getByRole('button', { name: 'Sell META at the next run' }).click()
  await expect(page.getByText('META is sold at the next run.')).toBeVisible()
  await expectNoSidewaysScroll(page)
  const change = { from: 'FB', to: 'META' }
  expect(bodies).toEqual([
    { ...change, action: 'trade' },
    { ...change, action: 'sell' },
  ])
})
