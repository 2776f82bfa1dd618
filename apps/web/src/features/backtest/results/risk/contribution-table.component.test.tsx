import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { inside, openPart, signIn } from '../../../../../test-support/screen.tsx'
import { ContributionTable } from './contribution-table.tsx'

test('the contributions that are shown add up to the total, whether some assets are folded or not', async () => {
  await signIn()
  const assets = Array.from({ length: 11 }, (_, i) => ({ ticker: `FUND${i}`, to_return: 0.01, to_volatility: 0.02 }))
  const rest = { to_return: -0.005, to_volatility: 0 }
  const total = { to_return: 0.105, to_volatility: 0.22 }
  openPart(<ContributionTable contributions={{ assets, rest, total }} />)
  const table = page.getByRole('table', { name: 'Contribution by asset' })
  await expect.element(table.getByText('3 more assets')).toBeVisible()
  const added = (column: number) =>
    inside(table, `tbody td:nth-child(${column})`)
      .elements()
      .reduce((sum, { textContent }) => sum + Number(textContent.replace('−', '-').replace('%', '')), 0)
  expect([added(2), added(3)].map((sum) => sum.toFixed(2))).toEqual(['10.50', '22.00'])
  await page.getByRole('button', { name: /^Show all 11/ }).click()
  await expect.element(table.getByText('FUND10')).toBeVisible()
  expect([added(2), added(3)].map((sum) => sum.toFixed(2))).toEqual(['10.50', '22.00'])
})
