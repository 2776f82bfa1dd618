import { expect, test } from './story.ts'
import { expectAccessible } from './accessible.ts'
import { runBacktest } from './backtest-page.ts'

const hostile = (text: string) => ({ name: 'rules.json', mimeType: 'application/json', buffer: Buffer.from(text) })

test('rules are built by keyboard, read in plain English, refused at their card, run and taken up again', async ({
  page,
  person: _person,
}) => {
  test.slow()
  await page.goto('/backtest')
  await page.getByRole('radiogroup', { name: 'Strategy type' }).getByText('Rules').click()
  const reading = page.getByRole('region', { name: 'In plain English' })
  await expect(reading).toContainText('If SPY’s close is above SPY’s 200-bar average:')

  // A latched tolerance, and a pick in the place of the hold.
  await page.getByLabel('Tolerance', { exact: true }).check()
  await expect(reading).toContainText('more than 3% above')
  await page.getByRole('combobox', { name: 'Kind of Stocks' }).selectOption('Pick')
  const pick = page.getByRole('group', { name: 'Then: Pick, Stocks' })
  await pick.getByLabel('Add a ticker to pick from').fill('TLT')
  await pick.getByLabel('Add a ticker to pick from').press('Enter')
  await pick.getByLabel('Which of the tickers').selectOption('the top')
  await pick.getByLabel('How the picked tickers are weighted').selectOption('by inverse volatility')
  await expect(reading).toContainText('Hold the top 1 of SPY and TLT by 126-bar return')

  // From card to card by keys: deleting leaves cash, and is taken back.
  await pick.focus()
  await expectAccessible(page)
  await page.keyboard.press('Delete')
  await expect(reading).not.toContainText('126-bar return')
  await page.keyboard.press('Control+z')
  await expect(reading).toContainText('126-bar return')
  await page.getByRole('group', { name: /^Strategy: If/ }).focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('group', { name: 'If: Compare, Above average' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Control+d')
  await expect(reading).toContainText('In equal parts:')
  await page.keyboard.press('Control+z')

  // What is no set of rules changes nothing.
  await page.locator('input[type=file]').setInputFiles(hostile('{"version":1,"root":{"kind":"magic"}}'))
  await expect(page.getByRole('alert')).toContainText('Nothing was imported.')
  await expect(reading).toContainText('126-bar return')

  // Typed wrongly: refused at its card, which gets the focus; nothing is lost over a reload.
  await pick.getByLabel('How many').fill('3')
  await page.getByRole('button', { name: 'Run backtest' }).click()
  await expect(pick).toBeFocused()
  await expect(pick).toContainText('The top 3 cannot be picked from 2 tickers.')
  await page.reload()
  await expect(pick).toContainText('The top 3 cannot be picked from 2 tickers.')
  await pick.getByLabel('How many').fill('1')

  await page.getByLabel('Strategy name').fill('Trend by cards')
  await page.getByRole('tab', { name: 'Backtest Config' }).click()
  await page.getByLabel('Save strategy').check()
  await runBacktest(page)
  await expect(page.getByRole('region', { name: 'Which block decided' })).toContainText('checks')
  await page.getByRole('slider', { name: 'Check' }).press('Home')
  await expect(page.getByRole('region', { name: 'Which block decided' })).toContainText('Traded.')
  await expect(page.getByRole('table', { name: 'Latches and conditions' })).toContainText('Compare, latched')
  await expect(page.getByRole('table', { name: 'Turnover by block' })).toContainText('Stocks')
  await expectAccessible(page)

  // Beside the cards stands what they hold now, until they are changed.
  await page.getByRole('radiogroup', { name: 'Show rules or results' }).getByText('Rules').click()
  await expect(page.getByRole('region', { name: 'Today it would hold' })).toContainText(
    /Decided .*(SPY|TLT|TBILLX) 100%/,
  )
  await page.getByLabel('Size of the tolerance').fill('4')
  await expect(page.getByRole('region', { name: 'Today it would hold' })).toBeHidden()
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('button', { name: 'Run backtest' })).toBeInViewport()

  // The saved strategy opens as its cards.
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/strategies')
  await expect(page.getByRole('row', { name: /Trend by cards/ })).toContainText('Rules')
  await page
    .getByRole('link', { name: /View.*Trend by cards|Trend by cards/ })
    .first()
    .click()
  await expect(page.getByRole('combobox', { name: 'Kind of Stocks' })).toHaveValue('pick')

  // A study of two of its numbers: counted before it starts, its heat map is walked by keys, and a cell goes into the rules.
  await page.getByRole('button', { name: 'Parameter study' }).click()
  await page.getByRole('button', { name: /^Do not vary Tolerance/ }).click()
  await page.getByLabel('Step', { exact: true }).first().fill('100')
  await expect(page.getByRole('button', { name: 'Run study' })).toBeEnabled()
  await expect(page.getByText(/3 variants · about/)).toBeVisible()
  await page.getByLabel('Add a number').selectOption('root.yes.weights.window')
  await page.getByLabel('From', { exact: true }).nth(1).fill('40')
  await page.getByLabel('To', { exact: true }).nth(1).fill('60')
  await page.getByLabel('Step', { exact: true }).nth(1).fill('10')
  await expect(page.getByText(/3 × 3 = 9 variants · about/)).toBeVisible()
  await page.getByRole('button', { name: 'Run study' }).click()
  const map = page.getByRole('grid', { name: /^Sharpe ratio by Window of SPY’s/ })
  await expect(map).toBeVisible({ timeout: 60_000 })
  await expect(page.getByRole('region', { name: 'What it says' })).toContainText('9 variants were tried')
  const address = page.url()
  expect(address).toMatch(/study=\d+/)
  await map.getByRole('gridcell').first().focus()
  await page.keyboard.press('PageDown')
  await page.keyboard.press('End')
  await expect(map.getByRole('gridcell', { name: /average, condition of .* 300, .* 60: Sharpe ratio/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^(Selected|Best variant): .* 300 · .* 60$/)).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('button', { name: 'Use these numbers' }).click()
  await expect(reading).toContainText('300-bar average')
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(reading).toContainText('200-bar average')
  await page.goto(address)
  await expect(map).toBeVisible()
})
