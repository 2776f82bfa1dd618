import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible, openScreen, signIn } from '../../test-support/screen.tsx'

test('help opens at the page of the screen, is searched, and gives the focus back', async () => {
  await signIn()
  const help = page.getByRole('dialog', { name: 'Help' })
  openScreen('/backtest')
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
  await userEvent.keyboard('?')
  await expect.element(help.getByRole('heading', { name: 'Backtest Studio', exact: true })).toHaveFocus()
  await expectAccessible()

  // Links lead to other pages inside, and back.
  await help.getByRole('searchbox', { name: 'Search the guide' }).fill('real data')
  await help.getByRole('button', { name: /^Will I get real data\?/ }).click()
  await expect.element(help.getByRole('heading', { name: 'Questions and answers' })).toBeVisible()
  await expect.element(help.getByRole('heading', { name: 'Will I get real data?' })).toBeInViewport()
  await help.getByRole('button', { name: 'import prices' }).click()
  await expect.element(help.getByRole('heading', { name: 'Use your own data' })).toHaveFocus()
  await help.getByRole('button', { name: 'Back' }).click()
  await expect.element(help.getByRole('heading', { name: 'Questions and answers' })).toBeVisible()
  await help.getByRole('searchbox', { name: 'Search the guide' }).fill('xyzzy')
  await expect.element(help.getByText('Nothing found')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(help).not.toBeInTheDocument()

  // A question mark that is typed is a question mark.
  await page.getByRole('textbox', { name: 'Strategy name' }).fill('')
  await userEvent.keyboard('?')
  await expect.element(page.getByRole('textbox', { name: 'Strategy name' })).toHaveValue('?')
  await expect.element(help).not.toBeInTheDocument()

  // What a setting means, by the keyboard.
  await page.getByRole('tab', { name: 'Advanced' }).click()
  ;(await page.getByRole('button', { name: 'What does Rebalance band mean?' }).findElement()).focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('How many percentage points a weight may drift')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByText('How many percentage points a weight may drift')).not.toBeInTheDocument()

  await page.viewport(390, 844)
  const button = page.getByRole('button', { name: 'Help', exact: true })
  await button.click()
  await expect.element(help.getByRole('heading', { name: 'Backtest Studio', exact: true })).toHaveFocus()
  expect(help.element().getBoundingClientRect().width).toBe(390)
  await expectAccessible()
  await help.getByRole('button', { name: 'Backtest Studio, reference' }).click()
  await expect.element(help.getByRole('heading', { name: 'Keep and share it' })).toBeInTheDocument()
  await help.getByRole('button', { name: 'Close help' }).click()
  await expect.element(button).toHaveFocus()
})
