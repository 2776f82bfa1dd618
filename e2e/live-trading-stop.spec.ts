import { expectAccessibleDialog, expectNoSidewaysScroll } from './accessible.ts'
import { card, dialog } from './live-trading-page.ts'
import { liveTradingStandIn } from './live-trading-stand-in.ts'
import { expect, test } from './story.ts'

test('a stop offers to keep the positions or to sell everything, and says what follows [LIVE-103]', async ({
  signedIn: page,
}) => {
  const world = await liveTradingStandIn(page)
  await page.goto('/live-trading')
  const running = card(page, 'Regime switch, core')
  await running.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(dialog(page)).toContainText('Are you sure you want to stop this deployment?')
  await expect(dialog(page).getByRole('radio', { name: 'Keep positions' })).toBeChecked()
  await dialog(page).getByRole('radio', { name: 'Cancel and sell everything' }).check()
  await expect(dialog(page)).toContainText('Every position is sold at market prices')
  await expect(dialog(page)).toContainText('Sales of stocks wait at the broker for the open')
  await expectAccessibleDialog(page)
  await expectNoSidewaysScroll(page)
  await dialog(page).getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(dialog(page)).toBeHidden()
  expect(world.asked).toEqual([])

  // What was chosen and not confirmed is not chosen the next time.
  await running.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(dialog(page).getByRole('radio', { name: 'Keep positions' })).toBeChecked()
  await dialog(page).getByRole('radio', { name: 'Cancel and sell everything' }).check()
  await dialog(page).getByRole('button', { name: 'Stop and sell everything' }).click()
  await expect(page.getByText('Everything it holds is sold; its activity says when that is done.')).toBeVisible()
  expect(world.asked.map(({ body }) => body)).toEqual([{ action: 'stop', positions: 'sell' }])
  await expect(running.getByText('Selling everything')).toBeVisible()
  await expect(running.getByRole('button', { name: 'Start' })).toBeDisabled()
  await expect(running.getByRole('button', { name: 'Delete' })).toBeDisabled()
})
