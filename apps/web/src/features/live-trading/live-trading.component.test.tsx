import { previewDecision } from '@tradewright/contract/live-trading-watch'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import {
  card,
  chooseStrategy,
  deployButton,
  dialog,
  standInLiveTrading,
  tab,
} from '../../../test-support/live-trading-page.ts'
import { DECISION, ledgerEntry, position } from '../../../test-support/live-trading-world.ts'
import {
  expectTexts,
  expectAccessible,
  expectNoSidewaysScroll,
  look,
  LOOKS,
  madeCalls,
  openScreen,
  signIn,
} from '../../../test-support/screen.tsx'
import { on, refuse } from '../../../test-support/served.ts'

test('logs are read, searched and filtered [LIVE-022, LIVE-048..054, LIVE-100, LIVE-215, LIVE-216]', async () => {
  await signIn()
  standInLiveTrading()
  openScreen('/live-trading')
  await card('Regime switch, core').getByRole('button', { name: 'View Logs' }).click()
  await expect.element(page.getByRole('combobox', { name: 'Deployment' })).toHaveDisplayValue('Regime switch, core')
  await expect.element(page.getByRole('combobox', { name: 'Raw lines' })).toHaveValue('300')
  await expect
    .element(page.getByRole('region', { name: 'Activity' }))
    .toMatchTextContent('Signal: Buy · 61.2% confidence')
  await expect.element(page.getByRole('region', { name: 'Activity' })).toMatchTextContent('13 Nov 2026, 3:30:06 PM EST')
  const lines = page.getByRole('list', { name: 'Raw log lines' }).getByRole('listitem')
  await expect.element(lines).toHaveLength(6)
  await page.getByRole('button', { name: 'DEBUG' }).click()
  await expect.element(lines).toHaveLength(7)
  await page.getByRole('button', { name: 'Loading Model' }).click()
  await expect.element(lines).toHaveLength(6)
  await page.getByPlaceholder('Search the log...').fill('market data')
  await expectTexts(lines, [/Fetching market data for SPY, TLT/])
  await expectAccessible()
  await page.getByRole('combobox', { name: 'Raw lines' }).selectOptions('1000')
  const asked = () => [
    ...madeCalls('GET', '/api/deployment/1/logs/tail'),
    ...madeCalls('GET', '/api/deployment/1/activity'),
  ]
  const limits = () => asked().map(({ path }) => path.split('?')[1])
  await expect.poll(limits).toContain('lines=1000')
  expect(limits()).toEqual(expect.arrayContaining(['lines=300', 'limit=100']))
  await expect.element(page.getByRole('button', { name: 'Refresh' })).toBeEnabled()
})

test('a preview without real prices says why, and offers to retry and to import', async () => {
  await signIn()
  let tries = 0
  const sentence = 'Yahoo Finance could not be reached. There is no data for SPY.'
  standInLiveTrading({}, () => [
    on(previewDecision, () => {
      if (++tries === 1) return refuse(sentence, { status: 400, code: 'backtest.no-data' })
      return {
        success: true as const,
        decision: { ...DECISION, id: null, outcome: 'held' as const },
        orders: [],
        volumes: [],
        market_open: true,
        next_check_at: null,
      }
    }),
  ])
  openScreen('/live-trading')
  await card('Regime switch, core').getByRole('link', { name: 'Regime switch, core' }).click()
  await page.getByRole('button', { name: 'Preview next decision' }).click()
  await expect.element(dialog().getByRole('alert')).toMatchTextContent(sentence)
  await expect
    .element(dialog().getByRole('link', { name: 'Import' }))
    .toHaveAttribute('href', '/data-collector?import=csv')
  await expectAccessible(dialog().element())
  await dialog().getByRole('button', { name: 'Retry' }).click()
  await expect.element(dialog()).toMatchTextContent('It would not trade.')
  await expect.element(dialog().getByRole('button', { name: 'Retry' })).not.toBeInTheDocument()
})

test('the page of a deployment explains, previews, limits and stops it', async () => {
  await signIn()
  const world = standInLiveTrading()
  openScreen('/live-trading')
  await card('Regime switch, core').getByRole('link', { name: 'Regime switch, core' }).click()
  await expect.element(page.getByRole('heading', { level: 1, name: 'Regime switch, core' })).toBeVisible()
  await expect.element(page.getByText('Healthy')).toBeVisible()
  const drift = page.getByRole('region', { name: 'Drift' })
  await expect.element(drift).toMatchTextContent('Drift−0.39 pp')
  await drift.getByText('Fill price against the backtest’s price').click()
  await expect.element(drift.getByRole('table', { name: /Fill price/ })).toMatchTextContent('17.8 bp')
  await expect.element(drift).toMatchTextContent('the backtest assumes 1.0 bp in all')
  const decision = page.getByRole('region', { name: 'Last decision' })
  await expect.element(decision).toMatchTextContent('Buy, 61.2% probable')
  await expect.element(decision).toMatchTextContent('rolling_volatility(SPY, 20)')
  await expect.element(decision).toMatchTextContent('Version 1')
  const orders = page.getByRole('table', { name: 'Orders' })
  await expect.element(orders).toMatchTextContent('The asset is halted.')
  await expect.element(orders).toMatchTextContent('Bought from "Bonds and gold" inside the account, without costs')
  await expectAccessible()

  await page.getByRole('button', { name: 'Preview next decision' }).click()
  await expect.element(dialog().getByRole('table', { name: 'Planned orders' })).toMatchTextContent('$442.80')
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog()).not.toBeInTheDocument()

  await page.getByRole('switch', { name: 'Dry run' }).click()
  await expect.element(page.getByRole('switch', { name: 'Dry run' })).toBeChecked()
  await expect.element(page.getByText('Safety settings saved.')).toBeVisible()
  await page.getByLabelText('Maximum daily loss').fill('0')
  await expect
    .element(page.getByText('Please enter a percent above 0 and at most 100, or leave it empty.'))
    .toBeVisible()
  await page.getByLabelText('Maximum daily loss').fill('3')
  await page.getByRole('switch', { name: 'Sell when a limit is broken' }).click()
  await page.getByRole('button', { name: 'Save limits' }).click()
  await expect.element(page.getByRole('button', { name: 'Save limits' })).toBeDisabled()
  await expect
    .poll(() => world.asked.map(({ body }) => body))
    .toEqual([{ dry_run: true }, { max_daily_loss_pct: 3, max_drawdown_pct: null, loss_action: 'sell' }])

  await page.getByRole('button', { name: 'Emergency stop' }).click()
  await expect.element(dialog()).toMatchTextContent('No new orders will be sent')
  await dialog().getByRole('button', { name: 'Stop at once' }).click()
  await expect
    .element(page.getByText('The broker could not be reached; its orders are cancelled when it can.'))
    .toBeVisible()
  await expect.element(dialog()).not.toBeInTheDocument()
  await page.getByRole('link', { name: 'View Logs' }).click()
  await expect.element(tab('Logs')).toHaveAttribute('aria-selected', 'true')
})

test('the page of an unknown deployment says so', async () => {
  await signIn()
  openScreen('/live-trading/404')
  await expect.element(page.getByText('This deployment does not exist')).toBeVisible()
})

test('on a phone in the dark, nothing is wider than the screen, and all of it can be used', async () => {
  await signIn()
  await look(LOOKS[1])
  const expectFits = async () => {
    await expectNoSidewaysScroll()
    await expectAccessible()
  }
  standInLiveTrading({ ledger: [ledgerEntry(1)], positions: [position()] })
  openScreen('/live-trading')
  await expect.element(card('Regime switch, core')).toBeVisible()
  await expectFits()
  await card('Regime switch, core').getByRole('button', { name: 'Ledger' }).click()
  await expect.element(dialog().getByText('First money')).toBeVisible()
  await expectNoSidewaysScroll()
  await expectAccessible(dialog().element())
  await dialog().getByRole('button', { name: 'Close' }).click()
  await expect.element(dialog()).not.toBeInTheDocument()
  await tab('Deploy New Strategy').click()
  await chooseStrategy()
  await page.getByRole('radiogroup', { name: 'Contribution mode' }).getByText('Positions').click()
  await expect.element(page.getByRole('checkbox', { name: 'AAPL' })).toBeVisible()
  await expect.element(deployButton()).toBeInViewport()
  await expectFits()
  openScreen('/live-trading/1')
  await expect.element(page.getByRole('region', { name: 'Last decision' })).toBeVisible()
  await expectFits()
})
