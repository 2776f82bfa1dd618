import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { openScreen, postToServer, signInAsNew } from '../../../test-support/screen.tsx'
import { addFeature } from './test-support/studio.ts'

/** Imported values come without their releases. */
function unemployment(): string {
  const months = Array.from({ length: 130 }, (_, month) => {
    const date = new Date(Date.UTC(2016, month, 1)).toISOString().slice(0, 10)
    return `${date},${(4 + Math.sin(month / 7)).toFixed(1)}`
  })
  return ['Date,Value', ...months, ''].join('\n')
}

test('an ML result names the features that were made from values that may be later revisions', async () => {
  await signInAsNew()
  const file = new FormData()
  file.append('ticker', 'UNRATE')
  file.append('file', new File([unemployment()], 'UNRATE.csv', { type: 'text/csv' }))
  await postToServer('/api/data-collector/import', file)
  openScreen('/backtest')
  await page.getByText('ML', { exact: true }).click()
  for (const name of ['Economic change', 'Rolling volatility']) await addFeature(name)
  await page.getByRole('combobox', { name: 'Target' }).selectOptions('1')
  await page.getByLabelText('Trees (n_estimators)').fill('20')
  await page.getByRole('button', { name: 'Run backtest' }).click()
  const configuration = page.getByRole('region', { name: 'ML Configuration' })
  await expect
    .element(configuration)
    .toMatchTextContent('Made from values that may be later revisions: Economic change (UNRATE')
  await expect.element(configuration).not.toMatchTextContent('revisions: Rolling volatility')
  await expect.element(page.getByText(/values of UNRATE may be later revisions/)).toBeVisible()
})
