import { runBacktest as runCall } from '@tradewright/contract/backtests'
import { expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { openScreen, signIn } from '../../../test-support/screen.tsx'
import { addFeature, results, runBacktest } from './test-support/studio.ts'

test('a run that fails says why and keeps what was typed [BT-050, BT-051, BT-108, BT-155, BT-156]', async () => {
  await signIn()
  openScreen('/backtest')
  await page.getByLabelText('Allocation ticker 1').fill('NOSUCHTICKER')
  await page.getByRole('button', { name: 'Run backtest' }).click()
  await expect.element(page.getByRole('alert')).toMatchTextContent('Backtest failed: Bad Request')
  await expect.element(page.getByRole('alert')).toMatchTextContent('NOSUCHTICKER')
  await expect.element(page.getByLabelText('Allocation ticker 1')).toHaveValue('NOSUCHTICKER')

  let answer = () => {}
  const asked = new Promise<void>((resolve) => (answer = resolve))
  const send = window.fetch
  const sent = vi.spyOn(window, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init)
    // The form asks for warnings beside the run, now and then.
    if (new URL(request.url).pathname !== runCall.path) return send(request)
    await asked
    return new Response('<html>gateway</html>')
  })
  onTestFinished(() => sent.mockRestore())
  await page.getByRole('button', { name: 'Run backtest' }).click()
  await expect.element(page.getByRole('button', { name: 'Running...' })).toBeDisabled()
  answer()
  await expect
    .element(page.getByRole('alert'))
    .toMatchTextContent('Backtest returned invalid JSON (first 300 chars): <html>gateway</html>')
})

test('a long run shows its progress and can be cancelled', async () => {
  await signIn()
  openScreen('/backtest')
  await page.getByText('ML', { exact: true }).click()
  await addFeature('Rolling volatility')
  await page.getByRole('combobox', { name: 'Target' }).selectOptions('1')
  await page.getByLabelText('Trees (n_estimators)').fill('5000')
  await page.getByRole('tab', { name: 'Advanced' }).click()
  await page.getByLabelText('Walk-forward analysis').click()
  await page.getByLabelText('Step size').fill('1')
  await userEvent.type(page.getByRole('button', { name: 'Run backtest' }), '{Enter}')
  await expect.element(results).toHaveFocus()
  await expect.element(results.getByText(/Training window \d+ of \d+/)).toBeVisible()
  await page.getByRole('button', { name: 'Cancel run' }).click()
  await expect.element(page.getByText('The run was cancelled.')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Run backtest' })).toBeEnabled()
})

test('the charts are drawn in a browser that names a language tag which is not valid', async () => {
  await signIn()
  // Chromium on Linux without a locale (LANG=C) says this; Intl refuses it.
  vi.spyOn(navigator, 'language', 'get').mockReturnValue('en-US@posix')
  onTestFinished(() => void vi.restoreAllMocks())
  const errors: string[] = []
  const note = ({ message }: ErrorEvent) => errors.push(message)
  window.addEventListener('error', note)
  onTestFinished(() => window.removeEventListener('error', note))
  openScreen('/backtest')
  await runBacktest()
  await expect.poll(() => results.element().querySelector('canvas')?.height).toBe(300)
  expect(errors).toEqual([])
})
