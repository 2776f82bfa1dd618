import { expectAccessible, expectAccessibleDialog, expectNoSidewaysScroll } from './accessible.ts'
import { previewDecision } from '../packages/contract/src/live-trading-watch.ts'
import { card, chooseStrategy, deployButton, dialog, tab } from './live-trading-page.ts'
import { liveTradingStandIn } from './live-trading-stand-in.ts'
import { DECISION, ledgerEntry, position } from '../apps/web/test-support/live-trading-world.ts'
import { on, refuse } from './stand-in.ts'
import { expect, test } from './story.ts'

test('logs are read, searched and filtered [LIVE-022, LIVE-048..054, LIVE-100, LIVE-215, LIVE-216]', async ({
  signedIn: page,
}) => {
  const tails: string[] = []
  await liveTradingStandIn(page)
  page.on('request', (request) => {
    if (/logs\/tail|activity/.test(request.url())) tails.push(request.url())
  })
  await page.goto('/live-trading')
  await card(page, 'Regime switch, core').getByRole('button', { name: 'View Logs' }).click()
  await expect(page.getByRole('combobox', { name: 'Deployment' }).locator('option:checked')).toHaveText(
    'Regime switch, core',
  )
  await expect(page.getByRole('combobox', { name: 'Raw lines' })).toHaveValue('300')
  await expect(page.getByRole('region', { name: 'Activity' })).toContainText('Signal: Buy · 61.2% confidence')
  await expect(page.getByRole('region', { name: 'Activity' })).toContainText('13 Nov 2026, 3:30:06 PM EST')
  const lines = page.getByRole('list', { name: 'Raw log lines' }).getByRole('listitem')
  await expect(lines).toHaveCount(6)
  await page.getByRole('button', { name: 'DEBUG' }).click()
  await expect(lines).toHaveCount(7)
  await page.getByRole('button', { name: 'Loading Model' }).click()
  await expect(lines).toHaveCount(6)
  await page.getByPlaceholder('Search the log...').fill('market data')
  await expect(lines).toHaveText([/Fetching market data for SPY, TLT/])
  await expectAccessible(page)
  await page.getByRole('combobox', { name: 'Raw lines' }).selectOption('1000')
  await expect.poll(() => tails.some((url) => url.endsWith('lines=1000'))).toBe(true)
  expect(tails.some((url) => url.endsWith('lines=300'))).toBe(true)
  expect(tails.some((url) => url.endsWith('limit=100'))).toBe(true)
  await expect(page.getByRole('button', { name: 'Refresh' })).toBeEnabled()
})

test('a preview without real prices says why, and offers to retry and to import', async ({ signedIn: page }) => {
  let tries = 0
  const sentence = 'Yahoo Finance could not be reached. There is no data for SPY.'
  await liveTradingStandIn(page, {}, () => [
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
  await page.goto('/live-trading')
  await card(page, 'Regime switch, core').getByRole('link', { name: 'Regime switch, core' }).click()
  await page.getByRole('button', { name: 'Preview next decision' }).click()
  await expect(dialog(page).getByRole('alert')).toContainText(sentence)
  await expect(dialog(page).getByRole('link', { name: 'Import' })).toHaveAttribute('href', '/data-collector?import=csv')
  await expectAccessibleDialog(page)
  await dialog(page).getByRole('button', { name: 'Retry' }).click()
  await expect(dialog(page)).toContainText('It would not trade.')
  await expect(dialog(page).getByRole('button', { name: 'Retry' })).toBeHidden()
})

test('the page of a deployment explains, previews, limits and stops it', async ({ signedIn: page }) => {
  const world = await liveTradingStandIn(page)
  await page.goto('/live-trading')
  await card(page, 'Regime switch, core').getByRole('link', { name: 'Regime switch, core' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Regime switch, core' })).toBeVisible()
  await expect(page.getByText('Healthy')).toBeVisible()
  const drift = page.getByRole('region', { name: 'Drift' })
  await expect(drift).toContainText('Drift−0.39 pp')
  await drift.getByText('Fill price against the backtest’s price').click()
  await expect(drift.getByRole('table', { name: /Fill price/ })).toContainText('17.8 bp')
  await expect(drift).toContainText('the backtest assumes 1.0 bp in all')
  const decision = page.getByRole('region', { name: 'Last decision' })
  await expect(decision).toContainText('Buy, 61.2% probable')
  await expect(decision).toContainText('rolling_volatility(SPY, 20)')
  await expect(decision).toContainText('Version 1')
  const orders = page.getByRole('table', { name: 'Orders' })
  await expect(orders).toContainText('The asset is halted.')
  await expect(orders).toContainText('Bought from "Bonds and gold" inside the account, without costs')
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Preview next decision' }).click()
  await expect(dialog(page).getByRole('table', { name: 'Planned orders' })).toContainText('$442.80')
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()

  await page.getByRole('switch', { name: 'Dry run' }).click()
  await expect(page.getByRole('switch', { name: 'Dry run' })).toBeChecked()
  await expect(page.getByText('Safety settings saved.')).toBeVisible()
  await page.getByLabel('Maximum daily loss').fill('0')
  await expect(page.getByText('Please enter a percent above 0 and at most 100, or leave it empty.')).toBeVisible()
  await page.getByLabel('Maximum daily loss').fill('3')
  await page.getByRole('button', { name: 'Save limits' }).click()
  await expect(page.getByRole('button', { name: 'Save limits' })).toBeDisabled()
  await expect
    .poll(() => world.asked.map(({ body }) => body))
    .toEqual([{ dry_run: true }, { max_daily_loss_pct: 3, max_drawdown_pct: null }])

  await page.getByRole('button', { name: 'Emergency stop' }).click()
  await expect(dialog(page)).toContainText('No new orders will be sent')
  await dialog(page).getByRole('button', { name: 'Stop at once' }).click()
  await expect(page.getByText('The broker could not be reached; its orders are cancelled when it can.')).toBeVisible()
  await expect(dialog(page)).toBeHidden()
  await page.getByRole('link', { name: 'View Logs' }).click()
  await expect(tab(page, 'Logs')).toHaveAttribute('aria-selected', 'true')
})

test('the page of an unknown deployment says so', async ({ signedIn: page }) => {
  await page.goto('/live-trading/404')
  await expect(page.getByText('This deployment does not exist')).toBeVisible()
})

test.describe('on a phone in the dark', () => {
  test.use({ colorScheme: 'dark', viewport: { width: 390, height: 844 } })

  test('nothing is wider than the screen, and all of it can be used', async ({ signedIn: page }) => {
    test.slow()
    const expectFits = async () => {
      await expectNoSidewaysScroll(page)
      await expectAccessible(page)
    }
    await liveTradingStandIn(page, { ledger: [ledgerEntry(1)], positions: [position()] })
    await page.goto('/live-trading')
    await expect(card(page, 'Regime switch, core')).toBeVisible()
    await expectFits()
    await card(page, 'Regime switch, core').getByRole('button', { name: 'Ledger' }).click()
    await expect(dialog(page).getByText('First money')).toBeVisible()
    await expectNoSidewaysScroll(page)
    await expectAccessibleDialog(page)
    await dialog(page).getByRole('button', { name: 'Close' }).click()
    await expect(dialog(page)).toBeHidden()
    await tab(page, 'Deploy New Strategy').click()
    await chooseStrategy(page)
    await page.getByRole('radiogroup', { name: 'Contribution mode' }).getByText('Positions').click()
    await expect(page.getByRole('checkbox', { name: 'AAPL' })).toBeVisible()
    await expect(deployButton(page)).toBeInViewport()
    await expectFits()
    await page.goto('/live-trading/1')
    await expect(page.getByRole('region', { name: 'Last decision' })).toBeVisible()
    await expectFits()
  })
})
