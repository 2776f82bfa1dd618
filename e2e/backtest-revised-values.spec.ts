import { expect, test } from './story.ts'

/** Imported values come without their releases. */
function unemployment(): string {
  const months = Array.from({ length: 130 }, (_, month) => {
    const date = new Date(Date.UTC(2016, month, 1)).toISOString().slice(0, 10)
    return `${date},${(4 + Math.sin(month / 7)).toFixed(1)}`
  })
  return ['Date,Value', ...months, ''].join('\n')
}

test('an ML result names the features that were made from values that may be later revisions', async ({
  page,
  person: _person,
}) => {
  test.slow()
  const imported = await page.request.post('/api/data-collector/import', {
    multipart: {
      ticker: 'UNRATE',
      file: { name: 'UNRATE.csv', mimeType: 'text/csv', buffer: Buffer.from(unemployment()) },
    },
  })
  expect(imported.ok(), await imported.text()).toBe(true)
  await page.goto('/backtest')
  await page.getByText('ML', { exact: true }).click()
  for (const name of ['Economic change', 'Rolling volatility']) {
    await page.getByRole('combobox', { name: 'Feature', exact: true }).selectOption(name)
    await page.getByRole('button', { name: 'Add Feature' }).click()
  }
  await page.getByRole('combobox', { name: 'Target' }).selectOption({ index: 1 })
  await page.getByLabel('Trees (n_estimators)').fill('20')
  await page.getByRole('button', { name: 'Run backtest' }).click()
  const configuration = page.getByRole('region', { name: 'ML Configuration' })
  await expect(configuration).toContainText('Made from values that may be later revisions: Economic change (UNRATE', {
    timeout: 60_000,
  })
  await expect(configuration).not.toContainText('revisions: Rolling volatility')
  await expect(page.getByText(/values of UNRATE may be later revisions/)).toBeVisible()
})
