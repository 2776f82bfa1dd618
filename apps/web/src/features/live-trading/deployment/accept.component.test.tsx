import * as contract from '@tradewright/contract/live-trading'
import * as watch from '@tradewright/contract/live-trading-watch'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { dialog, standInLiveTrading } from '../../../../test-support/live-trading-page.ts'
import { deployment, overview } from '../../../../test-support/live-trading-world.ts'
import { expectAccessible, expectNoSidewaysScroll, openScreen, signIn } from '../../../../test-support/screen.tsx'
import { on, refuse } from '../../../../test-support/served.ts'

const LOSS =
  'The broker no longer holds 15 SPY, and nothing was received for it: a loss of $6,000.00. If it is a corporate action, the ' +
  'broker lists it within a day or two and it is booked then. Nothing was changed.'

test('figures of the broker are accepted, and a loss only when it is confirmed', async () => {
  await signIn()
  const bodies: unknown[] = []
  standInLiveTrading({}, () => [
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
  openScreen('/live-trading/1')
  await page.getByRole('button', { name: 'Accept the broker’s figures' }).click()
  await expect
    .element(dialog())
    .toMatchTextContent('What changed is assigned to the deployments of this account that held it')
  await dialog().getByRole('button', { name: 'Accept figures' }).click()
  await expect.element(dialog()).toMatchTextContent('Book a loss in Main account?')
  await expect.element(dialog()).toMatchTextContent('a loss of $6,000.00')
  await expectAccessible(dialog().element())
  expectNoSidewaysScroll()
  await dialog().getByRole('button', { name: 'Book the loss' }).click()
  await expect.element(page.getByText("The broker's figures were accepted with 1 correction.")).toBeVisible()
  await expect.element(dialog()).not.toBeInTheDocument()
  expect(bodies).toEqual([{ accept_losses: false }, { accept_losses: true }])
})

test('a holding that became another ticker is asked about on its card and its page', async () => {
  await signIn()
  const bodies: unknown[] = []
  const problem =
    'Symbol change: 15 FB became 15 META. The strategy trades FB: choose whether to trade META in its place or to sell ' +
    'META. What it holds is kept, and nothing is traded until then.'
  const ticker_changes = [{ from: 'FB', to: 'META', sentence: 'Symbol change: 15 FB became 15 META.' }]
  const held = () => deployment({ ticker_changes, health_problem: problem })
  standInLiveTrading({ deployments: [held()] }, () => [
    on(watch.getDeploymentOverview, () => {
      const shown = overview()
      return { ...shown, deployment: held(), health: { ...shown.health, light: 'red' as const, reasons: [problem] } }
    }),
    on(contract.chooseTicker, ({ body }) => {
      bodies.push(body)
      return { success: true as const, deployment: deployment() }
    }),
  ])
  openScreen('/live-trading')
  await expect.element(page.getByText('nothing is traded until then')).toBeVisible()
  expectNoSidewaysScroll()
  await page.getByRole('button', { name: 'Trade META in place of FB' }).click()
  await expect.element(page.getByText('META is traded in place of FB from now on.')).toBeVisible()
  openScreen('/live-trading/1')
  await page.getByRole('button', { name: 'Sell META at the next run' }).click()
  await expect.element(page.getByText('META is sold at the next run.')).toBeVisible()
  expectNoSidewaysScroll()
  const change = { from: 'FB', to: 'META' }
  expect(bodies).toEqual([
    { ...change, action: 'trade' },
    { ...change, action: 'sell' },
  ])
})
