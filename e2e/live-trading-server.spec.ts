import { card, deployButton, dialog, tab } from './live-trading-page.ts'
import { expect, type Page, test } from './story.ts'

test.describe('on the real server', () => {
  async function savedStrategy(page: Page): Promise<number> {
    const allocations = [
      { ticker: 'SPY', allocation: 60 },
      { ticker: 'TLT', allocation: 40 },
    ]
    const config = { allocations, startDate: '2022-01-03', endDate: '2026-11-13', dataProvider: 'sample' }
    const data = { name: 'Sixty forty', strategy_type: 'Asset Allocation', config }
    const answer = await page.request.post('/api/strategies', { data })
    expect(answer.ok(), await answer.text()).toBe(true)
    return ((await answer.json()) as { id: number }).id
  }

  /** Deployed by the calls of the form, whose own story is another. */
  async function deployed(page: Page, name: string): Promise<void> {
    const strategyId = await savedStrategy(page)
    const paper = await page.request.post('/api/alpaca/paper-account', { data: {} })
    const { account } = (await paper.json()) as { account: { id: number } }
    const data = {
      deployment_name: name,
      strategy_id: strategyId,
      alpaca_account_id: account.id,
      capital_policy_value: 1000,
    }
    const answer = await page.request.post('/api/deployment/create', { data })
    expect(answer.ok(), await answer.text()).toBe(true)
  }

  test('a new user deploys to the paper account, moves money, and leaves no trace [LIVE-108, LIVE-112, LIVE-113, LIVE-174]', async ({
    page,
    person: _person,
  }) => {
    test.slow()
    await savedStrategy(page)
    await page.goto('/strategies')
    // Four clicks from a saved strategy to a deployment that runs on paper.
    await page.getByRole('link', { name: 'Deploy Sixty forty' }).click()
    await page.getByRole('button', { name: 'Use the built-in paper account' }).click()
    await expect(page.getByText('Available: $100,000.00')).toBeVisible()
    await page.getByLabel('Contribution amount').fill('10000.10')
    const orders = page.getByRole('table', { name: 'Planned orders' })
    await expect(orders).toContainText('SPY', { timeout: 45_000 })
    await expect(orders).toContainText('$5,999.46')
    await expect(page.getByText('at the next check')).toBeVisible()
    await page.getByRole('switch', { name: 'Start Immediately' }).check()
    await deployButton(page).click()
    await expect(page.getByText('Deployment created successfully!')).toBeVisible()
    const first = card(page, 'Sixty forty')
    await expect(first.getByText('Running')).toBeVisible()
    await expect(first.getByText('$10,000.10').first()).toBeVisible()

    await first.getByRole('button', { name: 'Capital' }).click()
    await dialog(page).getByLabel('Amount').fill('500')
    await dialog(page).getByRole('button', { name: 'Record contribution' }).click()
    await expect(dialog(page).getByText('Contribution recorded successfully.')).toBeVisible()
    await expect(dialog(page).getByText('$10,500.10').first()).toBeVisible()
    await dialog(page).getByRole('tab', { name: 'Ledger' }).click()
    await expect(dialog(page).getByText('2 matching entries')).toBeVisible()
    await dialog(page).getByRole('button', { name: 'Close' }).click()
    await expect(dialog(page)).toBeHidden()

    await first.getByRole('button', { name: 'View Logs' }).click()
    await expect(page.getByRole('list', { name: 'Raw log lines' })).toContainText('Created with $10,000.10')
    await tab(page, 'Active Deployments').click()
    await first.getByRole('button', { name: 'Stop' }).click()
    await dialog(page).getByRole('button', { name: 'Stop deployment' }).click()
    await expect(page.getByText('Deployment stop successful')).toBeVisible()
    await expect(dialog(page)).toBeHidden()
    await first.getByRole('button', { name: 'Delete' }).click()
    await dialog(page).getByRole('button', { name: 'Delete deployment' }).click()
    await expect(page.getByText('No Active Deployments')).toBeVisible()
  })

  test('the page of a deployment previews what it would trade, and stops it at once', async ({
    page,
    person: _person,
  }) => {
    test.slow()
    await deployed(page, 'Watched')
    await page.goto('/live-trading')
    await card(page, 'Watched').getByRole('link', { name: 'Watched' }).click()
    await expect(page.getByText('Not running')).toBeVisible()
    const month = page.getByRole('region', { name: 'What the last month would have looked like' })
    await expect(month.getByText('Nothing is recorded')).toBeVisible({ timeout: 45_000 })
    await month.getByText('Decisions and orders of the replay').click()
    await expect(month.getByRole('table', { name: 'Orders of the replay' })).toContainText('Buy SPY')
    await page.getByRole('button', { name: 'Preview next decision' }).click()
    await expect(dialog(page).getByRole('table', { name: 'Planned orders' })).toContainText('SPY', { timeout: 45_000 })
    await expect(dialog(page).getByText('Synthetic sample data').first()).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toBeHidden()
    await page.getByLabel('Maximum drawdown').fill('20')
    await page.getByRole('button', { name: 'Save limits' }).click()
    await expect(page.getByText('Safety settings saved.')).toBeVisible()
    await page.getByRole('button', { name: 'Start' }).click()
    await expect(page.getByText('Running', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Emergency stop' }).click()
    await dialog(page).getByRole('button', { name: 'Stop at once' }).click()
    await expect(page.getByText('Stopped by the emergency stop.')).toBeVisible()
  })
})
