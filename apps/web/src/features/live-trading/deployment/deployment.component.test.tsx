import * as contract from '@tradewright/contract/live-trading'
import * as watch from '@tradewright/contract/live-trading-watch'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { card, dialog, standInLiveTrading } from '../../../../test-support/live-trading-page.ts'
import { deployment, overview } from '../../../../test-support/live-trading-world.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  openScreen,
  postToServer,
  signIn,
  signInAsNew,
} from '../../../../test-support/screen.tsx'
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
  await expectNoSidewaysScroll()
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
  await expectNoSidewaysScroll()
  await page.getByRole('button', { name: 'Trade META in place of FB' }).click()
  await expect.element(page.getByText('META is traded in place of FB from now on.')).toBeVisible()
  openScreen('/live-trading/1')
  await page.getByRole('button', { name: 'Sell META at the next run' }).click()
  await expect.element(page.getByText('META is sold at the next run.')).toBeVisible()
  await expectNoSidewaysScroll()
  const change = { from: 'FB', to: 'META' }
  expect(bodies).toEqual([
    { ...change, action: 'trade' },
    { ...change, action: 'sell' },
  ])
})

test('an order that was cancelled at the broker is asked about on its card and its page', async () => {
  await signIn()
  const bodies: unknown[] = []
  const sentence =
    'The order to buy AGG was cancelled at the broker, and not by this program. It is not sent again until you choose: send it again, or leave it.'
  const held = () => deployment({ held_orders: [{ ticker: 'AGG', side: 'buy' as const, sentence }] })
  standInLiveTrading({ deployments: [held()] }, () => [
    on(watch.getDeploymentOverview, () => {
      const shown = overview()
      return {
        ...shown,
        deployment: held(),
        health: { ...shown.health, light: 'yellow' as const, reasons: [sentence] },
      }
    }),
    on(contract.answerHeldOrder, ({ body }) => {
      bodies.push(body)
      return { success: true as const, deployment: deployment() }
    }),
  ])
  openScreen('/live-trading')
  await expect.element(page.getByText('not sent again until you choose')).toBeVisible()
  await expectNoSidewaysScroll()
  await page.getByRole('button', { name: 'Leave AGG as it is' }).click()
  await expect.element(page.getByText('is left until the signal changes or a rebalance is due.')).toBeVisible()
  openScreen('/live-trading/1')
  await expect.element(page.getByText('It waits for your choice.')).toBeVisible()
  await page.getByRole('button', { name: 'Buy AGG again' }).click()
  await expect.element(page.getByText('The order to buy AGG is sent again with the next check.')).toBeVisible()
  await expectNoSidewaysScroll()
  const order = { ticker: 'AGG', side: 'buy' }
  expect(bodies).toEqual([
    { ...order, action: 'leave' },
    { ...order, action: 'send' },
  ])
})

test('the page of a deployment previews what it would trade, and stops it at once', async () => {
  await signInAsNew()
  const allocations = [
    { ticker: 'SPY', allocation: 60 },
    { ticker: 'TLT', allocation: 40 },
  ]
  const config = { allocations, startDate: '2022-01-03', endDate: '2026-11-13', dataProvider: 'sample' }
  const strategy = { name: 'Sixty forty', strategy_type: 'Asset Allocation', config }
  const { id: strategy_id } = await postToServer('/api/strategies', strategy)
  const { account } = (await postToServer('/api/alpaca/paper-account')) as { account: { id: number } }
  const deployed = { deployment_name: 'Watched', strategy_id, capital_policy_value: 1000 }
  await postToServer('/api/deployment/create', { ...deployed, alpaca_account_id: account.id })
  openScreen('/live-trading')
  await card('Watched').getByRole('link', { name: 'Watched' }).click()
  await expect.element(page.getByText('Not running')).toBeVisible()
  const month = page.getByRole('region', { name: 'What the last month would have looked like' })
  await expect.element(month.getByText('Nothing is recorded')).toBeVisible()
  await month.getByText('Decisions and orders of the replay').click()
  await expect.element(month.getByRole('table', { name: 'Orders of the replay' })).toMatchTextContent('Buy SPY')
  await page.getByRole('button', { name: 'Preview next decision' }).click()
  await expect.element(dialog().getByRole('table', { name: 'Planned orders' })).toMatchTextContent('SPY')
  await expect.element(dialog().getByText('Synthetic sample data').first()).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog()).not.toBeInTheDocument()
  await page.getByLabelText('Maximum drawdown').fill('20')
  await page.getByRole('button', { name: 'Save limits' }).click()
  await expect.element(page.getByText('Safety settings saved.')).toBeVisible()
  await page.getByRole('button', { name: 'Start' }).click()
  await expect.element(page.getByText('Running', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Emergency stop' }).click()
  await dialog().getByRole('button', { name: 'Stop at once' }).click()
  await expect.element(page.getByText('Stopped by the emergency stop.')).toBeVisible()
})
