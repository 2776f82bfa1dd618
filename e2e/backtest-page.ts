import { expect, type Page } from './story.ts'

/** Where things are in the Backtest Studio, and what several stories do there. */
export const results = (page: Page) => page.getByRole('region', { name: 'Results', exact: true })

export async function runBacktest(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Run backtest' }).click()
  await expect(page.getByRole('region', { name: 'Full Results', exact: true })).toBeVisible({ timeout: 60_000 })
}

export async function addFeature(page: Page, name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Feature', exact: true }).selectOption(name)
  await page.getByRole('button', { name: 'Add Feature' }).click()
}
