import { saveFormats } from '@tradewright/contract/formats'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import {
  expectAccessible,
  madeCalls,
  openScreen,
  signIn,
  signInAsNew,
  standIn,
} from '../../../../test-support/screen.tsx'
import { on } from '../../../../test-support/served.ts'

const formats = page.getByRole('region', { name: 'Formats & Time Zone' })
const BERLIN = { numbers: 'point-comma', dates: 'dots', clock: '24', time_zone: 'Asia/Tokyo' }

test('formats and time zone follow the user to another browser', async () => {
  await signInAsNew()
  openScreen('/settings#formats')
  await expect.element(formats.getByText(/−\$1,234\.56 · .* E[SD]T$/)).toBeVisible()

  // As another browser chose them.
  const json = { 'Content-Type': 'application/json' }
  await fetch('/api/user/formats', { method: 'PUT', headers: json, body: JSON.stringify(BERLIN) })
  openScreen('/settings#formats')
  await expect.element(formats.getByText(/^−\$1\.234,56 · \d\d\.\d\d\.\d{4}.* GMT\+9$/)).toBeVisible()
  await expect.element(formats.getByLabelText('Numbers')).toHaveDisplayValue('1.234,56')
  await expectAccessible()

  // Sentences of the server, too.
  openScreen('/backtest')
  await page.getByLabelText('Strategy name').fill('Too early')
  await page.getByRole('tab', { name: 'Backtest Config' }).click()
  await page.getByLabelText('Start date').fill('1850-01-02')
  await page.getByRole('button', { name: 'Run backtest' }).click()
  await expect.element(page.getByText(/The start date 02\.01\.1850 is too early/).first()).toBeVisible()
})

test.each([
  ['Numbers', '1.234,56', { numbers: 'point-comma' }],
  ['Dates', '14.11.2026', { dates: 'dots' }],
] as const)('the choice of %s is saved with the account', async (label, option, change) => {
  await signIn()
  // An answer would load the page again, which the test is in.
  standIn([on(saveFormats, () => new Promise(() => {}))])
  openScreen('/settings#formats')
  await formats.getByLabelText(label).selectOptions(option)
  await expect
    .poll(() => madeCalls('PUT', '/api/user/formats').map(({ body }) => body))
    .toEqual([expect.objectContaining(change)])
})

test('the time zone is found by typing among hundreds', async () => {
  await signIn()
  standIn([on(saveFormats, () => new Promise(() => {}))])
  openScreen('/settings#formats')
  await formats.getByRole('combobox', { name: 'Time zone' }).fill('tok')
  await expectAccessible()
  await page.getByRole('option', { name: 'Asia/Tokyo' }).click()
  await expect
    .poll(() => madeCalls('PUT', '/api/user/formats').map(({ body }) => body))
    .toEqual([expect.objectContaining({ time_zone: 'Asia/Tokyo' })])
})
