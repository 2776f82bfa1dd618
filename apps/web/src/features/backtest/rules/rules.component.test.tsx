import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { runBacktest } from '../test-support/studio.ts'
import {
  addressNow,
  expectAccessible,
  expectAddress,
  expectNoSidewaysScroll,
  openScreen,
  reloadScreen,
  signInAsNew,
} from '../../../../test-support/screen.tsx'

test('rules are built by keyboard, read in plain English, refused at their card, run and taken up again', async () => {
  await signInAsNew()
  openScreen('/backtest')
  await page.getByRole('radiogroup', { name: 'Strategy type' }).getByText('Rules').click()
  const reading = page.getByRole('region', { name: 'In plain English' })
  await expect.element(reading).toMatchTextContent('If SPY’s close is above SPY’s 200-bar average:')

  // A latched tolerance, and a pick in the place of the hold.
  await page.getByLabelText('Tolerance', { exact: true }).click()
  await expect.element(reading).toMatchTextContent('more than 3% above')
  await page.getByRole('combobox', { name: 'Kind of Stocks' }).selectOptions('Pick')
  const pick = page.getByRole('group', { name: 'Then: Pick, Stocks' })
  await pick.getByLabelText('Add a ticker to pick from').fill('TLT')
  await userEvent.type(pick.getByLabelText('Add a ticker to pick from'), '{Enter}')
  await pick.getByLabelText('Which of the tickers').selectOptions('the top')
  await pick.getByLabelText('How the picked tickers are weighted').selectOptions('by inverse volatility')
  await expect.element(reading).toMatchTextContent('Hold the top 1 of SPY and TLT by 126-bar return')

  // From card to card by keys: deleting leaves cash, and is taken back.
  ;(await pick.findElement()).focus()
  await expectAccessible()
  await userEvent.keyboard('{Delete}')
  await expect.element(reading).not.toMatchTextContent('126-bar return')
  await userEvent.keyboard('{Control>}z{/Control}')
  await expect.element(reading).toMatchTextContent('126-bar return')
  ;(await page.getByRole('group', { name: /^Strategy: If/ }).findElement()).focus()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(page.getByRole('group', { name: 'If: Compare, Above average' })).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}')
  await userEvent.keyboard('{Control>}d{/Control}')
  await expect.element(reading).toMatchTextContent('In equal parts:')
  await userEvent.keyboard('{Control>}z{/Control}')

  // Who leaves the menu of a card goes on from its button.
  const more = page.getByRole('button', { name: /^More for / }).first()
  ;(await more.findElement()).focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('menuitem', { name: 'Rename' })).toBeVisible()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(more).not.toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('menuitem', { name: 'Rename' })).not.toBeInTheDocument()
  await expect.element(more).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('menuitem', { name: 'Rename' })).toBeVisible()
  ;(await page.getByRole('menuitem', { name: 'Rename' }).findElement()).focus()
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => document.activeElement?.tagName).toBe('INPUT')
  await userEvent.keyboard('{Escape}')

  // What is no set of rules changes nothing.
  const file = document.querySelector<HTMLElement>('input[type=file]')
  await userEvent.upload(
    file!,
    new File(['{"version":1,"root":{"kind":"magic"}}'], 'rules.json', { type: 'application/json' }),
  )
  await expect.element(page.getByRole('alert')).toMatchTextContent('Nothing was imported.')
  await expect.element(reading).toMatchTextContent('126-bar return')

  // Typed wrongly: refused at its card, which gets the focus; nothing is lost over a reload.
  await pick.getByLabelText('How many').fill('3')
  await page.getByRole('button', { name: 'Run backtest' }).click()
  await expect.element(pick).toHaveFocus()
  await expect.element(pick).toMatchTextContent('The top 3 cannot be picked from 2 tickers.')
  reloadScreen()
  await expect.element(pick).toMatchTextContent('The top 3 cannot be picked from 2 tickers.')
  await pick.getByLabelText('How many').fill('1')

  await page.getByLabelText('Strategy name').fill('Trend by cards')
  await page.getByRole('tab', { name: 'Backtest Config' }).click()
  await page.getByLabelText('Save strategy').click()
  await runBacktest()
  await expect.element(page.getByRole('region', { name: 'Which block decided' })).toMatchTextContent('checks')
  await userEvent.type(page.getByRole('slider', { name: 'Check' }), '{Home}')
  await expect.element(page.getByRole('region', { name: 'Which block decided' })).toMatchTextContent('Traded.')
  await expect
    .element(page.getByRole('table', { name: 'Latches and conditions' }))
    .toMatchTextContent('Compare, latched')
  await expect.element(page.getByRole('table', { name: 'Turnover by block' })).toMatchTextContent('Stocks')
  await expectAccessible()

  // Beside the cards stands what they hold now, until they are changed.
  await page.getByRole('radiogroup', { name: 'Show rules or results' }).getByText('Rules').click()
  await expect
    .element(page.getByRole('region', { name: 'Today it would hold' }))
    .toMatchTextContent(/Decided .*(SPY|TLT|TBILLX) 100%/)
  await page.getByLabelText('Size of the tolerance').fill('4')
  await expect.element(page.getByRole('region', { name: 'Today it would hold' })).not.toBeInTheDocument()
  await page.viewport(390, 844)
  await expect.element(page.getByRole('button', { name: 'Run backtest' })).toBeInViewport()

  // The saved strategy opens as its cards.
  await page.viewport(1440, 900)
  openScreen('/strategies')
  await expect.element(page.getByRole('row', { name: /Trend by cards/ })).toMatchTextContent('Rules')
  await page
    .getByRole('link', { name: /View.*Trend by cards|Trend by cards/ })
    .first()
    .click()
  await expect.element(page.getByRole('combobox', { name: 'Kind of Stocks' })).toHaveValue('pick')

  // A study of two of its numbers: counted before it starts, its heat map is walked by keys, and a cell goes into the rules.
  await page.getByRole('button', { name: 'Parameter study' }).click()
  await page.getByRole('button', { name: /^Do not vary Tolerance/ }).click()
  await page.getByLabelText('Step', { exact: true }).first().fill('100')
  await expect.element(page.getByRole('button', { name: 'Run study' })).toBeEnabled()
  await expect.element(page.getByText(/3 variants · about/)).toBeVisible()
  await page.getByLabelText('Add a number').selectOptions('root.yes.weights.window')
  await page.getByLabelText('From', { exact: true }).nth(1).fill('40')
  await page.getByLabelText('To', { exact: true }).nth(1).fill('60')
  await page.getByLabelText('Step', { exact: true }).nth(1).fill('10')
  await expect.element(page.getByText(/3 × 3 = 9 variants · about/)).toBeVisible()
  await page.getByRole('button', { name: 'Run study' }).click()
  const map = page.getByRole('grid', { name: /^Sharpe ratio by Window of SPY’s/ })
  await expect.element(map).toBeVisible()
  await expect.element(page.getByRole('region', { name: 'What it says' })).toMatchTextContent('9 variants were tried')
  await expectAddress(/study=\d+/)
  const address = addressNow()
  ;(await map.getByRole('gridcell').first().findElement()).focus()
  await userEvent.keyboard('{PageDown}')
  await userEvent.keyboard('{End}')
  await expect
    .element(map.getByRole('gridcell', { name: /average, condition of .* 300, .* 60: Sharpe ratio/ }))
    .toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText(/^(Selected|Best variant): .* 300 · .* 60$/)).toBeVisible()
  await page.viewport(390, 844)
  await expectNoSidewaysScroll()
  await page.viewport(1440, 900)
  await page.getByRole('button', { name: 'Use these numbers' }).click()
  await expect.element(reading).toMatchTextContent('300-bar average')
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect.element(reading).toMatchTextContent('200-bar average')
  openScreen(address)
  await expect.element(map).toBeVisible()
})
