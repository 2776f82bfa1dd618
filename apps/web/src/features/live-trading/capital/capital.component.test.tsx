import * as calls from '@tradewright/contract/live-trading'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { card, dialog, standInLiveTrading } from '../../../../test-support/live-trading-page.ts'
import { deployment, ledgerEntry } from '../../../../test-support/live-trading-world.ts'
import { expectTexts, expectAccessible, openScreen, signIn } from '../../../../test-support/screen.tsx'
import { on, refuse } from '../../../../test-support/served.ts'

const success = true as const

test('capital is seen, paid in, taken out and given back [LIVE-055..064, LIVE-110, LIVE-140..145, LIVE-189..193]', async () => {
  await signIn()
  const world = standInLiveTrading({
    ledger: [ledgerEntry(2, { entry_type: 'FEE', note: 'Broker fee' }), ledgerEntry(1)],
  })
  openScreen('/live-trading')
  await card('Regime switch, core').getByRole('button', { name: 'Capital' }).click()
  const modal = page.getByRole('dialog', { name: 'Capital of Regime switch, core' })
  for (const text of ['Original commitment', 'Committed capital', 'Total contributions', 'Deployment cash']) {
    await expect.element(modal.getByText(text)).toBeVisible()
  }
  await expect.element(modal.getByRole('region', { name: 'Account availability' })).toMatchTextContent('$35,291.36')
  await expect
    .element(modal.getByRole('region', { name: 'Last snapshot' }))
    .toMatchTextContent('13 Nov 2026, 4:00 PM EST')
  await modal.getByRole('button', { name: 'Expand' }).click()
  await modal.getByRole('button', { name: 'Shrink' }).click()

  const adjust = modal.getByRole('form', { name: 'Adjust Capital' })
  await expect.element(adjust).toMatchTextContent('A contribution is invested at the next run.')
  await adjust.getByRole('button', { name: 'Record contribution' }).click()
  await expect.element(modal.getByRole('alert')).toMatchTextContent('Please enter a positive contribution amount.')
  await adjust.getByLabelText('Amount').fill('20000')
  await adjust.getByRole('button', { name: 'Record contribution' }).click()
  await expect
    .element(modal.getByRole('alert'))
    .toMatchTextContent('Contribution exceeds account available capital ($12,500.00).')
  await adjust.getByLabelText('Amount').fill('100.10')
  await adjust.getByRole('button', { name: 'Record contribution' }).click()
  await expect.element(modal.getByText('Contribution recorded successfully.')).toBeVisible()
  await adjust.getByText('Withdrawal', { exact: true }).click()
  await adjust.getByLabelText('Amount').fill('2000')
  await adjust.getByRole('button', { name: 'Record withdrawal' }).click()
  await expect.element(modal.getByRole('alert')).toMatchTextContent('Withdrawal exceeds available cash ($1,240.18).')
  await adjust.getByLabelText('Amount').fill('1000')
  await adjust.getByRole('button', { name: 'Record withdrawal' }).click()
  await expect.element(modal.getByText('Withdrawal recorded successfully.')).toBeVisible()
  expect(world.asked.map(({ body }) => [body['contribution_type'], body['amount']])).toEqual([
    ['CONTRIBUTION', '100.10'],
    ['WITHDRAWAL', '1000'],
  ])

  const disallocate = modal.getByRole('form', { name: 'Disallocate Capital' })
  await disallocate.getByLabelText('Percent').fill('101')
  await disallocate.getByRole('button', { name: 'Disallocate' }).click()
  await expect
    .element(modal.getByRole('alert'))
    .toMatchTextContent('Please enter a valid percentage between 1 and 100.')
  await disallocate.getByLabelText('Percent').fill('25')
  await expect.element(disallocate.getByText('$6,715.61')).toBeVisible()
  await disallocate.getByRole('button', { name: 'Disallocate' }).click()
  const question = page.getByRole('dialog', { name: 'Disallocate 25% of Regime switch, core?' })
  await expect.element(question).toMatchTextContent('Current capital: $26,862.44.')
  await expect.element(question).toMatchTextContent('$6,715.61. Remains in the deployment: $20,146.83.')
  await question.getByRole('button', { name: 'Disallocate capital' }).click()
  await expect.element(question).not.toBeInTheDocument()
  await expect
    .element(modal.getByRole('status'))
    .toMatchTextContent('Disallocation recorded: 25% ($6,715.61) removed from current capital. New total: $20,146.83.')
  await expectAccessible(dialog().element())

  await modal.getByRole('tab', { name: 'Ledger' }).click()
  await expect.element(modal.getByText('2 matching entries')).toBeVisible()
  await modal.getByPlaceholder('Search notes and types...').fill('fee')
  await expect.element(modal.getByText('1 matching entry')).toBeVisible()
  await modal.getByRole('button', { name: 'Close' }).click()
  await expect.element(modal).not.toBeInTheDocument()
})

test('percent deployments are not paid by hand, and a capital that cannot be loaded says why [LIVE-058, LIVE-061, LIVE-062, LIVE-066, LIVE-069, LIVE-111, LIVE-187]', async () => {
  await signIn()
  let isIll = false
  standInLiveTrading(
    {
      deployments: [
        deployment({ capital_policy: 'percent_of_account', capital_policy_value: 40, last_account_snapshot: null }),
        deployment({ id: 2, deployment_name: 'Second' }),
      ],
    },
    (known) => [
      on(calls.getDeploymentDetails, ({ query }) => {
        if (isIll) return refuse('The broker does not answer.', { status: 409 })
        const pagination = { page: Number(query.get('page')), page_size: 50, total_entries: 0 }
        const [first = deployment()] = known.deployments
        return {
          success,
          error: null,
          deployment: {
            ...first,
            ledger_entries: [],
            ledger_pagination: pagination,
            ledger_entry_types: [],
            account: null,
          },
        }
      }),
    ],
  )
  openScreen('/live-trading')
  await card('Regime switch, core').getByRole('button', { name: 'Capital' }).click()
  await expect.element(dialog().getByText('Configured allocation')).toBeVisible()
  await expect.element(dialog().getByText('No snapshot recorded yet')).toBeVisible()
  await expect.element(dialog().getByText('Adjust Capital')).not.toBeInTheDocument()
  await expect.element(dialog().getByText('Disallocate Capital')).toBeVisible()
  await dialog().getByRole('tab', { name: 'Ledger' }).click()
  await expect.element(dialog().getByText('No ledger entry types available yet.')).toBeVisible()
  await expect.element(dialog().getByText('No ledger entries recorded yet.')).toBeVisible()
  await expect.element(dialog().getByText('Page 1 of 1')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog()).not.toBeInTheDocument()
  isIll = true
  await card('Second').getByRole('button', { name: 'Capital' }).click()
  await expect.element(dialog().getByRole('alert')).toMatchTextContent('The broker does not answer.')
})

test('the ledger is paged and filtered over all its pages [LIVE-065..074, LIVE-214, LIVE-217, LIVE-220]', async () => {
  await signIn()
  const ledger = Array.from({ length: 120 }, (_, index) =>
    ledgerEntry(120 - index, index % 4 === 0 ? {} : { entry_type: 'TRADE_BUY', direction: 'out', note: null }),
  )
  standInLiveTrading({ ledger })
  openScreen('/live-trading')
  await card('Regime switch, core').getByRole('button', { name: 'Ledger' }).click()
  const modal = page.getByRole('dialog', { name: 'Ledger of Regime switch, core' })
  await expectTexts(modal.getByRole('row').first().getByRole('cell'), [
    'Time (ET)',
    'Type',
    'Direction',
    'Amount',
    'Cash After',
    'Equity After',
    'Account Value',
    'Positions After',
    'Note',
  ])
  await expect.element(modal.getByText('Showing 1-50 of 120')).toBeVisible()
  await expect.element(modal.getByText('Page 1 of 3')).toBeVisible()
  await expect.element(modal.getByRole('row').nth(1)).toMatchTextContent('13 Nov 2026, 3:30 PM EST')
  await expect.element(modal.getByRole('button', { name: 'Reset Filters' })).toBeDisabled()
  await modal.getByRole('button', { name: 'Next' }).click()
  await expect.element(modal.getByText('Showing 51-100 of 120')).toBeVisible()
  await modal.getByRole('button', { name: 'TRADE_BUY' }).click()
  await expect.element(modal.getByText('Showing 1-30 of 30')).toBeVisible()
  await expect.element(modal.getByRole('button', { name: 'TRADE_BUY' })).toMatchTextContent('excluded')
  await modal.getByRole('button', { name: 'CONTRIBUTION' }).click()
  await expect.element(modal.getByText('No entries match your filters.')).toBeVisible()
  await expectAccessible(dialog().element())
  await modal.getByRole('button', { name: 'Reset Filters' }).click()
  await expect.element(modal.getByText('Showing 1-50 of 120')).toBeVisible()
  await modal.getByRole('button', { name: 'Close' }).click()
  await expect.element(modal).not.toBeInTheDocument()
})

test('the last snapshot may come as JSON text [LIVE-061]', async () => {
  await signIn()
  const snapshot = { cash: '77.50', account_value: 1234.5, timestamp: '2026-11-13T21:00:00.000Z' }
  const asText = deployment({ last_account_snapshot: JSON.stringify(snapshot) as never })
  standInLiveTrading({ deployments: [asText] })
  openScreen('/live-trading')
  await card('Regime switch, core').getByRole('button', { name: 'Capital' }).click()
  await expect.element(dialog().getByRole('region', { name: 'Last snapshot' })).toMatchTextContent('$77.50')
})
