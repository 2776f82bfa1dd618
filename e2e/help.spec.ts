import { expectAccessible } from './accessible.ts'
import { expect, test } from './story.ts'

test('help opens at the page of the screen, is searched, and gives the focus back', async ({ signedIn: page }) => {
  const help = page.getByRole('dialog', { name: 'Help' })
  await page.goto('/backtest')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('?')
  await expect(help.getByRole('heading', { name: 'Backtest Studio', exact: true })).toBeFocused()
  await expectAccessible(page)

  // Links lead to other pages inside, and back.
  await help.getByRole('searchbox', { name: 'Search the guide' }).fill('real data')
  await help.getByRole('button', { name: /^Will I get real data\?/ }).click()
  await expect(help.getByRole('heading', { name: 'Questions and answers' })).toBeVisible()
  await expect(help.getByRole('heading', { name: 'Will I get real data?' })).toBeInViewport()
  await help.getByRole('button', { name: 'import prices' }).click()
  await expect(help.getByRole('heading', { name: 'Use your own data' })).toBeFocused()
  await help.getByRole('button', { name: 'Back' }).click()
  await expect(help.getByRole('heading', { name: 'Questions and answers' })).toBeVisible()
  await help.getByRole('searchbox', { name: 'Search the guide' }).fill('xyzzy')
  await expect(help.getByText('Nothing found')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(help).toHaveCount(0)

  // A question mark that is typed is a question mark.
  await page.getByRole('textbox', { name: 'Strategy name' }).fill('')
  await page.keyboard.press('?')
  await expect(page.getByRole('textbox', { name: 'Strategy name' })).toHaveValue('?')
  await expect(help).toHaveCount(0)

  // What a setting means, by the keyboard.
  await page.getByRole('tab', { name: 'Advanced' }).click()
  await page.getByRole('button', { name: 'What does Rebalance band mean?' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('How many percentage points a weight may drift')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByText('How many percentage points a weight may drift')).toBeHidden()

  await page.setViewportSize({ width: 390, height: 844 })
  const button = page.getByRole('button', { name: 'Help', exact: true })
  await button.click()
  await expect(help.getByRole('heading', { name: 'Backtest Studio', exact: true })).toBeFocused()
  expect((await help.boundingBox())?.width).toBe(390)
  await expectAccessible(page)
  await help.getByRole('button', { name: 'Backtest Studio, reference' }).click()
  await expect(help.getByRole('heading', { name: 'Keep and share it' })).toBeAttached()
  await help.getByRole('button', { name: 'Close help' }).click()
  await expect(button).toBeFocused()
})
