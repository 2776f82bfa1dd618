import { expect, type Page, test } from './story.ts'

/** Where things are on the screens of Live Trading. */
const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
const tab = (page: Page, name: string) => page.getByRole('tab', { name })
const dialog = (page: Page) => page.getByRole('dialog')
const deployButton = (page: Page) => page.getByRole('button', { name: 'Deploy Strategy' })

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
  await expect(orders).toContainText('SPY')
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
