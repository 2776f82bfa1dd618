import { acknowledgeAlert, acknowledgeAlerts, getInbox, type InboxAlert } from '@tradewright/contract/alerts'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  look,
  LOOKS,
  openScreen,
  signIn,
  standIn,
} from '../../../test-support/screen.tsx'
import { on } from '../../../test-support/served.ts'

const success = true as const

const alert = (id: number, changes: Partial<InboxAlert>): InboxAlert => ({
  id,
  kind: 'disagreement',
  title: 'Disagreement',
  about: 'Sixty forty',
  level: 'urgent',
  state: 'open',
  recovery: null,
  deployments: [
    {
      deployment_id: 7,
      name: 'Sixty forty',
      account_name: 'Alpaca',
      is_paper: false,
      text: 'Broker and books disagree; nothing is traded until they agree. The broker has 3 SPY less.',
      since: '2026-11-13T20:00:00.000Z',
      ended_at: null,
    },
  ],
  opened_at: '2026-11-13T20:00:00.000Z',
  ended_at: null,
  told: 3,
  told_next_at: '2026-11-13T22:00:00.000Z',
  acknowledged_at: null,
  acknowledged_by: null,
  ...changes,
})

function standInInbox(alerts: InboxAlert[]) {
  const known = { alerts }
  const seen = (ids: readonly number[]) => {
    known.alerts = known.alerts.map((one) =>
      ids.includes(one.id)
        ? { ...one, acknowledged_at: '2026-11-13T21:00:00.000Z', acknowledged_by: 'ann', told_next_at: null }
        : one,
    )
    return { success, ...known }
  }
  standIn([
    on(getInbox, () => ({ success, ...known })),
    on(acknowledgeAlert, ({ params }) => seen([Number(params.id)])),
    on(acknowledgeAlerts, () => seen(known.alerts.map(({ id }) => id))),
  ])
}

const two = (): InboxAlert[] => [
  alert(1, {}),
  alert(2, {
    kind: 'problem',
    title: 'Other problem',
    about: '2 deployments',
    level: 'notice',
    deployments: ['One', 'Two'].map((name, i) => ({
      deployment_id: i + 1,
      name,
      account_name: 'Paper',
      is_paper: true,
      text: 'GLD has no bar of 12 November.',
      since: '2026-11-13T20:30:00.000Z',
      ended_at: null,
    })),
  }),
  alert(3, {
    state: 'over',
    ended_at: '2026-11-12T21:00:00.000Z',
    recovery: 'Broker and books agree again.',
    about: 'Golden cross',
    told_next_at: null,
  }),
]

const card = (name: string) => page.getByRole('region', { name })

test('the inbox lists alerts by cause, and acknowledges them', async () => {
  await signIn()
  standInInbox(two())
  openScreen('/inbox')
  await expect.element(page.getByRole('link', { name: 'Inbox: 2 alerts not acknowledged' })).toBeVisible()
  await expect.element(card('Asks for you').getByText(/GLD has no bar of 12 November\./)).toBeVisible()
  await expect.element(card('Earlier').getByText(/Broker and books agree again\./)).toBeVisible()
  await expectAccessible()
  await card('Asks for you').getByRole('button', { name: 'Acknowledge Disagreement: Sixty forty' }).click()
  await expect.element(card('Acknowledged, not over').getByText(/Acknowledged by ann/)).toBeVisible()
  await page.getByRole('button', { name: 'Acknowledge all' }).click()
  await expect.element(card('Asks for you')).not.toBeInTheDocument()
  await expect.element(page.getByRole('link', { name: 'Inbox', exact: true })).toBeVisible()
})

test('without alerts it says what would be there', async () => {
  await signIn()
  standInInbox([])
  openScreen('/inbox')
  await expect.element(page.getByText('Nothing to know')).toBeVisible()
})

test.each(LOOKS)('the inbox fits a desk and a phone, $colorScheme', async (asked) => {
  await signIn()
  standInInbox(two())
  await look(asked)
  openScreen('/inbox')
  await expect.element(card('Asks for you')).toBeVisible()
  await expectNoSidewaysScroll()
})
