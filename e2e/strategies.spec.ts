import { expect, type Page, test } from './story.ts'

async function create(page: Page, name: string, strategy_type = 'Asset Allocation'): Promise<void> {
  const config = { allocations: [{ ticker: 'SPY', allocation: 100 }] }
  const answer = await page.request.post('/api/strategies', { data: { name, strategy_type, config } })
  expect(answer.ok(), await answer.text()).toBe(true)
}

const names = (page: Page) => page.locator('tbody tr td:nth-child(2)')

test('without strategies there is a way to the first one [STRAT-001..STRAT-003, STRAT-006, STRAT-025, STRAT-026]', async ({
  page,
  person: _person,
}) => {
  await page.goto('/strategies')
  await expect(page.getByRole('heading', { name: 'Investment Strategies' })).toBeVisible()
  await expect(page.getByText('No strategies found')).toBeVisible()
  await expect(page.getByText('Top Performing Strategies')).toBeHidden()
  await page.getByRole('link', { name: 'Create Strategy' }).first().click()
  await expect(page).toHaveURL('/backtest')
})

test('the list is searched, filtered, sorted, reset and paged [STRAT-010..STRAT-020, STRAT-033, STRAT-034, STRAT-058]', async ({
  page,
  person: _person,
}) => {
  for (let number = 1; number <= 11; number++) await create(page, `Plan ${String(number).padStart(2, '0')}`)
  await create(page, 'Forest', 'ML')
  await page.goto('/strategies')
  await expect(names(page)).toHaveCount(10)
  await expect(names(page).first()).toHaveText('Forest')
  await expect(page.getByText('No data').first()).toBeVisible()
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(names(page)).toHaveCount(2)
  await page.getByPlaceholder('Search strategies...').fill('plan 0')
  await expect(names(page)).toHaveCount(9)
  await expect(page.getByRole('button', { name: 'Next' })).toBeHidden()
  await page.getByRole('button', { name: 'Reset' }).click()
  await page.getByRole('combobox', { name: 'Type' }).selectOption('ML')
  await expect(names(page)).toHaveText(['Forest'])
  await page.getByRole('button', { name: 'Reset' }).click()
  await page.getByRole('combobox', { name: 'Sort' }).selectOption('Oldest First')
  await expect(names(page).first()).toHaveText('Plan 01')
})

test('rows are viewed, deployed and deleted, one or several [STRAT-023, STRAT-024, STRAT-027..STRAT-032, STRAT-035..STRAT-037]', async ({
  page,
  person: _person,
}) => {
  for (const name of ['One', 'Two', 'Three']) await create(page, name)
  await page.goto('/strategies')
  await expect(page.getByRole('link', { name: 'Deploy Two' })).toHaveAttribute(
    'href',
    /^\/live-trading\?strategy_id=\d+$/,
  )
  await page.getByRole('button', { name: 'Delete Two' }).click()
  await expect(page.getByText('Are you sure you want to delete this strategy?')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(names(page)).toHaveCount(3)
  await page.getByRole('button', { name: 'Delete Two' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete strategy' }).click()
  await expect(names(page)).toHaveText(['Three', 'One'])
  const messages = page.getByRole('region', { name: 'Messages' })
  await expect(messages).toContainText('Deleted strategy “Two”')
  await messages.getByRole('button', { name: 'Undo' }).click()
  await expect(names(page)).toHaveText(['Three', 'Two', 'One'])
  await page.getByRole('button', { name: 'Delete Two' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete strategy' }).click()
  await expect(names(page)).toHaveText(['Three', 'One'])

  await page.getByLabel('Select all on this page').check()
  await expect(page.getByText('2 selected')).toBeVisible()
  await page.getByRole('button', { name: 'Clear' }).click()
  await expect(page.getByText('2 selected')).toBeHidden()
  await page.getByLabel('Select all on this page').check()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('Delete 2 strategies?')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete 2 strategies' }).click()
  await expect(page.getByText('No strategies found')).toBeVisible()
})

test('View opens the Studio with the strategy loaded [STRAT-023]', async ({ page, person: _person }) => {
  await create(page, 'Core')
  await page.goto('/strategies')
  await page.getByRole('link', { name: 'View Core' }).click()
  await expect(page.getByLabel('Strategy name')).toHaveValue('Core')
})

test('a list that cannot be loaded says so; figures that cannot are left out [STRAT-054, STRAT-055]', async ({
  signedIn: page,
}) => {
  await page.route('**/api/strategies', (route) => route.fulfill({ status: 400, body: '' }))
  await page.route('**/api/strategy-performance', (route) => route.fulfill({ status: 400, body: '' }))
  await page.goto('/strategies')
  await expect(page.getByRole('alert')).toContainText('Failed to load strategies')
})

test('the best five are ranked, and text for a CAGR stays as it is [STRAT-004..STRAT-009, STRAT-041, STRAT-059]', async ({
  signedIn: page,
}) => {
  const item = (strategy_id: number, cagr_numeric: number | string) => ({
    strategy_id,
    strategy_name: `S${strategy_id}`,
    cagr_numeric,
    sharpe: 0.914,
    total_return: null,
    max_drawdown: null,
    backtest_id: strategy_id,
    synthetic: false,
    spliced_tickers: [],
  })
  const all = [item(1, 0.1183), item(2, '21.47%'), item(3, -0.01), item(4, 0.02), item(5, 0.03), item(6, 0.04)]
  await page.route('**/api/strategy-performance', (route) => route.fulfill({ json: { all } }))
  await page.goto('/strategies')
  const ranks = page.getByRole('region', { name: 'Top Performing Strategies' }).getByRole('listitem')
  await expect(ranks).toHaveCount(5)
  await expect(ranks.nth(0)).toContainText('21.47%')
  await expect(ranks.nth(1)).toContainText('+11.8%')
  await expect(ranks.nth(1)).toContainText('Sharpe 0.91')
})

test('a row tells its risk and its day; a deletion that fails is told in passing [STRAT-021, STRAT-022, STRAT-056]', async ({
  page,
  person: _person,
}) => {
  for (const name of ['Bare', 'Calm', 'Known']) await create(page, name)
  const { strategies } = (await (await page.request.get('/api/strategies')).json()) as {
    strategies: { id: number; name: string }[]
  }
  const figures = {
    cagr_numeric: 0.1183,
    total_return: null,
    max_drawdown: null,
    backtest_id: 1,
    spliced_tickers: [
      { ticker: 'GLD?FB=SPY', stand_ins: [{ ticker: 'SPY', start_date: '2004-06-01', end_date: '2004-11-17' }] },
    ],
  }
  const all = strategies
    .filter(({ name }) => name !== 'Bare')
    .map(({ id, name }) =>
      Object.assign(
        { strategy_id: id, strategy_name: name, sharpe: name === 'Known' ? 0.914 : null, synthetic: name === 'Known' },
        figures,
      ),
    )
  await page.route('**/api/strategy-performance', (route) => route.fulfill({ json: { all } }))
  await page.goto('/strategies')
  const row = (name: string) => page.getByRole('row').filter({ has: page.getByLabel(`Select ${name}`) })
  await expect(row('Known')).toContainText('0.91')
  await expect(row('Known')).toContainText('Synthetic sample data')
  await expect(row('Calm')).not.toContainText('Synthetic sample data')
  await expect(row('Calm')).toContainText('Includes fallback prices. GLD is SPY until ')
  await expect(row('Calm')).toContainText('Max DD: N/A')
  await expect(row('Bare')).toContainText('N/A')
  await expect(row('Bare')).not.toContainText('Max DD')
  await expect(row('Bare').getByRole('time')).toHaveText(/^\d{1,2} [A-Z][a-z]{2} \d{4}$/)

  const logged = page.waitForEvent('console', (message) => message.text().includes('Failed to delete strategy'))
  await page.route('**/api/strategies/*', (route) => route.fulfill({ status: 500, body: '' }))
  await page.getByRole('button', { name: 'Delete Calm' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete strategy' }).click()
  await logged
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(row('Calm')).toBeVisible()
})
