import { deleteStrategy, getStrategyPerformance, listStrategies } from '@tradewright/contract/strategies'
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import {
  expectAddress,
  expectTexts,
  inside,
  openScreen,
  postToServer,
  signIn,
  signInAsNew,
  standIn,
} from '../../../test-support/screen.tsx'
import { on, refuse } from '../../../test-support/served.ts'

async function create(name: string, strategy_type = 'Asset Allocation'): Promise<number> {
  const config = { allocations: [{ ticker: 'SPY', allocation: 100 }] }
  const { id } = await postToServer('/api/strategies', { name, strategy_type, config })
  return Number(id)
}

const named = inside(page.getByRole('table'), 'tbody tr td:nth-child(2)')
const names = () => named.elements().map(({ textContent }) => textContent)

test('without strategies there is a way to the first one [STRAT-001..STRAT-003, STRAT-006, STRAT-025, STRAT-026]', async () => {
  await signInAsNew()
  openScreen('/strategies')
  await expect.element(page.getByRole('heading', { name: 'Investment Strategies' })).toBeVisible()
  await expect.element(page.getByText('No strategies found')).toBeVisible()
  await expect.element(page.getByText('Top Performing Strategies')).not.toBeInTheDocument()
  await page.getByRole('link', { name: 'Create Strategy' }).first().click()
  await expectAddress('/backtest')
})

test('the list is searched, filtered, sorted, reset and paged [STRAT-010..STRAT-020, STRAT-033, STRAT-034, STRAT-058]', async () => {
  await signInAsNew()
  for (let number = 1; number <= 11; number++) await create(`Plan ${String(number).padStart(2, '0')}`)
  await create('Forest', 'ML')
  openScreen('/strategies')
  await expect.poll(names).toHaveLength(10)
  expect(names()[0]).toBe('Forest')
  await expect.element(page.getByText('No data').first()).toBeVisible()
  await page.getByRole('button', { name: 'Next' }).click()
  await expect.poll(names).toHaveLength(2)
  await page.getByPlaceholder('Search strategies...').fill('plan 0')
  await expect.poll(names).toHaveLength(9)
  await expect.element(page.getByRole('button', { name: 'Next' })).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Reset' }).click()
  await page.getByRole('combobox', { name: 'Type' }).selectOptions('ML')
  await expectTexts(named, ['Forest'])
  await page.getByRole('button', { name: 'Reset' }).click()
  await page.getByRole('combobox', { name: 'Sort' }).selectOptions('Oldest First')
  await expect.poll(() => names()[0]).toBe('Plan 01')
})

test('rows are viewed, deployed and deleted, one or several [STRAT-023, STRAT-024, STRAT-027..STRAT-032, STRAT-035..STRAT-037]', async () => {
  await signInAsNew()
  for (const name of ['One', 'Two', 'Three']) await create(name)
  openScreen('/strategies')
  await expect
    .element(page.getByRole('link', { name: 'Deploy Two' }))
    .toHaveAttribute('href', expect.stringMatching(/^\/live-trading\?strategy_id=\d+$/))
  await page.getByRole('button', { name: 'Delete Two' }).click()
  await expect.element(page.getByText('Are you sure you want to delete this strategy?')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(names).toHaveLength(3)
  await page.getByRole('button', { name: 'Delete Two' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete strategy' }).click()
  await expectTexts(named, ['Three', 'One'])
  const messages = page.getByRole('region', { name: 'Messages' })
  await expect.element(messages).toMatchTextContent('Deleted strategy “Two”')
  await messages.getByRole('button', { name: 'Undo' }).click()
  await expectTexts(named, ['Three', 'Two', 'One'])
  await page.getByRole('button', { name: 'Delete Two' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete strategy' }).click()
  await expectTexts(named, ['Three', 'One'])

  await page.getByLabelText('Select all on this page').click()
  await expect.element(page.getByText('2 selected')).toBeVisible()
  await page.getByRole('button', { name: 'Clear' }).click()
  await expect.element(page.getByText('2 selected')).not.toBeInTheDocument()
  await page.getByLabelText('Select all on this page').click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect.element(page.getByText('Delete 2 strategies?')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete 2 strategies' }).click()
  await expect.element(page.getByText('No strategies found')).toBeVisible()
})

test('View opens the Studio with the strategy loaded [STRAT-023]', async () => {
  await signInAsNew()
  await create('Core')
  openScreen('/strategies')
  await page.getByRole('link', { name: 'View Core' }).click()
  await expect.element(page.getByLabelText('Strategy name')).toHaveValue('Core')
})

test('a list that cannot be loaded says so; figures that cannot are left out [STRAT-054, STRAT-055]', async () => {
  await signIn()
  standIn([on(listStrategies, () => refuse('')), on(getStrategyPerformance, () => refuse(''))])
  openScreen('/strategies')
  await expect.element(page.getByRole('alert')).toMatchTextContent('Failed to load strategies')
})

test('the best five are ranked, and text for a CAGR stays as it is [STRAT-004..STRAT-009, STRAT-041, STRAT-059]', async () => {
  await signIn()
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
  standIn([on(getStrategyPerformance, () => ({ all }))])
  openScreen('/strategies')
  const ranks = page.getByRole('region', { name: 'Top Performing Strategies' }).getByRole('listitem')
  await expect.element(ranks).toHaveLength(5)
  await expect.element(ranks.nth(0)).toMatchTextContent('21.47%')
  await expect.element(ranks.nth(1)).toMatchTextContent('+11.8%')
  await expect.element(ranks.nth(1)).toMatchTextContent('Sharpe 0.91')
})

test('a row tells its risk and its day; a deletion that fails is told in passing [STRAT-021, STRAT-022, STRAT-056]', async () => {
  await signInAsNew()
  await create('Bare')
  const strategies = [
    { id: await create('Calm'), name: 'Calm' },
    { id: await create('Known'), name: 'Known' },
  ]
  const figures = {
    cagr_numeric: 0.1183,
    total_return: null,
    max_drawdown: null,
    backtest_id: 1,
    spliced_tickers: [
      { ticker: 'GLD?FB=SPY', stand_ins: [{ ticker: 'SPY', start_date: '2004-06-01', end_date: '2004-11-17' }] },
    ],
  }
  const all = strategies.map(({ id, name }) =>
    Object.assign(
      { strategy_id: id, strategy_name: name, sharpe: name === 'Known' ? 0.914 : null, synthetic: name === 'Known' },
      figures,
    ),
  )
  standIn([on(getStrategyPerformance, () => ({ all }))])
  openScreen('/strategies')
  const row = (name: string) => page.getByRole('row').filter({ has: page.getByLabelText(`Select ${name}`) })
  await expect.element(row('Known')).toMatchTextContent('0.91')
  await expect.element(row('Known')).toMatchTextContent('Synthetic sample data')
  await expect.element(row('Calm')).not.toMatchTextContent('Synthetic sample data')
  await expect.element(row('Calm')).toMatchTextContent('Includes fallback prices. GLD is SPY until ')
  await expect.element(row('Calm')).toMatchTextContent('Max DD: N/A')
  await expect.element(row('Bare')).toMatchTextContent('N/A')
  await expect.element(row('Bare')).not.toMatchTextContent('Max DD')
  await expect.element(row('Bare').getByRole('time')).toMatchTextContent(/^\d{1,2} [A-Z][a-z]{2} \d{4}$/)

  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  standIn([on(deleteStrategy, () => refuse('', { status: 500 }))])
  await page.getByRole('button', { name: 'Delete Calm' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete strategy' }).click()
  await expect.poll(() => logged.mock.calls.flat()).toContainEqual(expect.stringContaining('Failed to delete strategy'))
  logged.mockRestore()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await expect.element(row('Calm')).toBeVisible()
})
