import { expectAccessible } from './accessible.ts'
import { expect, signInByForm, test } from './story.ts'

test('formats and time zone follow the user to another browser', async ({ page, person, browser }) => {
  await page.goto('/settings#formats')
  const formats = page.getByRole('region', { name: 'Formats & Time Zone' })
  await expect(formats.getByText(/−\$1,234\.56 · .* E[SD]T$/)).toBeVisible()
  await formats.getByLabel('Numbers').selectOption('1.234,56')
  await expect(formats.getByText(/−\$1\.234,56 ·/)).toBeVisible()
  // The choice before loads the page again, which closes a list that was opened too early.
  await expect(async () => {
    await formats.getByRole('combobox', { name: 'Time zone' }).fill('tokyo')
    await page.getByRole('option', { name: 'Asia/Tokyo' }).click({ timeout: 3_000 })
  }).toPass()
  await expect(formats.getByText(/−\$1\.234,56 · .* GMT\+9$/)).toBeVisible()
  await expectAccessible(page)

  // Sentences of the server, too.
  await formats.getByLabel('Dates').selectOption('14.11.2026')
  await expect(formats.getByText(/ · \d\d\.\d\d\.\d{4}/)).toBeVisible()
  await page.goto('/backtest')
  await page.getByLabel('Strategy name').fill('Too early')
  await page.getByRole('tab', { name: 'Backtest Config' }).click()
  await page.getByLabel('Start date').fill('1850-01-02')
  await page.getByRole('button', { name: 'Run backtest' }).click()
  await expect(page.getByText(/The start date 02\.01\.1850 is too early/).first()).toBeVisible()

  const other = await browser.newContext()
  const elsewhere = await other.newPage()
  await signInByForm(elsewhere, person)
  await elsewhere.waitForURL((url) => url.pathname !== '/login')
  await elsewhere.goto('/settings#formats')
  await expect(elsewhere.getByText(/−\$1\.234,56 · .* GMT\+9$/)).toBeVisible()
  await other.close()
})
