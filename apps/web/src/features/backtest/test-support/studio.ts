import { expect } from 'vitest'
import { page } from 'vitest/browser'

/** Where things are in the Backtest Studio, and what several tests do there. */
export const results = page.getByRole('region', { name: 'Results', exact: true })

export async function runBacktest(): Promise<void> {
  await page.getByRole('button', { name: 'Run backtest' }).click()
  await expect.element(page.getByRole('region', { name: 'Full Results', exact: true })).toBeVisible()
}

export async function addFeature(name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Feature', exact: true }).selectOptions(name)
  await page.getByRole('button', { name: 'Add Feature' }).click()
}
