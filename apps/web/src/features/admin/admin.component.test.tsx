import {
  actOnAccount,
  getOperatorAccess,
  getOperatorOverview,
  listInvitations,
  listOperatorSecurityLog,
  listOperatorUsers,
  type OperatorOverview,
} from '@tradewright/contract/operator'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  look,
  LOOKS,
  openScreen,
  signInAsNew,
  standIn,
} from '../../../test-support/screen.tsx'
import { on, refuse } from '../../../test-support/served.ts'

const NOW = new Date().toISOString()

const OVERVIEW: OperatorOverview = {
  version: '1.0.0',
  commit: null,
  schema: '0123',
  node: '26.1.0',
  postgres: '18.0',
  users: 2,
  deployments: { running: 1, unattended: 0, missed: 0, disagreeing: 0, blocked: 0 },
  jobs: [
    { kind: 'optimizer', state: 'running', count: 1, oldest_seconds: 40 },
    { kind: 'optimizer', state: 'queued', count: 1, oldest_seconds: 38 },
  ],
  failed_jobs: [
    { kind: 'data-collection', cause: 'Yahoo Finance', code: 'provider.limited', count: 2, users: 1, last_at: NOW },
  ],
  accounts: [{ broker: 'alpaca', accounts: 1, unverified: 1 }],
  storage: { database_bytes: 9e7, series_bytes: 4e6, disk_free_bytes: 5e10, disk_bytes: 1e11 },
  backups: { count: 0, newest_at: null, last_failure_at: NOW, is_running: false },
  processes: [
    {
      id: 'web-1',
      kind: 'web',
      host: 'a-host-with-a-rather-long-name.example.com',
      pid: 4711,
      version: '1.0.0',
      started_at: NOW,
      reported_at: NOW,
      restarts: 0,
      memory_mb: 412,
      event_loop_delay_ms: 12.4,
      lanes: [{ lane: 'optimizer', waiting: 1, running: 1 }],
    },
  ],
  services: [service('yahoo', { limited: 12 }), service('alpaca', { is_broker: true, refused: 1 })],
  errors: [
    {
      at: NOW,
      process: 'web-1',
      message: 'The backup failed: its folder cannot be made.',
      type: 'Error',
      code: 'ENOTDIR',
      call: null,
    },
  ],
}

type Service = OperatorOverview['services'][number]
function service(name: string, changes: Partial<Service>): Service {
  const none = { calls: 40, refused: 0, limited: 0, unreachable: 0, failed: 0, waited_seconds: 3.5 }
  return {
    service: name,
    is_broker: false,
    ...none,
    limit: { calls: 5, window_seconds: 1 },
    last_failure_at: NOW,
    ...changes,
  }
}

const rowOf = (table: string, words: RegExp) =>
  page.getByRole('table', { name: table }).getByRole('row', { name: words })

test.each(LOOKS)(
  'the operator sees health, users and invitations in $colorScheme at $viewport.width',
  async (wanted) => {
    const { username } = await signInAsNew()
    await look(wanted)
    const user = {
      user_id: 1,
      username,
      registered_at: NOW,
      last_seen_at: NOW,
      sessions: 1,
      series_bytes: 4e6,
      jobs: 2,
    }
    const invitation = { id: 'a', created_at: NOW, expires_at: new Date(Date.now() + 7 * 86_400_000).toISOString() }
    const place = { address: '198.51.100.7', device: 'Chrome on Windows' }
    const entry = { id: 1, kind: 'sign-in.failed' as const, at: NOW, count: 14, ...place, detail: null }
    const failure = { ...entry, user_id: null, username: null }
    standIn([
      on(getOperatorAccess, () => ({ is_operator: true })),
      on(getOperatorOverview, () => OVERVIEW),
      on(listOperatorUsers, () => ({
        total: 1,
        users: [{ ...user, running_deployments: 1, is_operator: true, is_suspended: false }],
      })),
      on(listInvitations, () => ({ registration: 'invite' as const, invitations: [invitation] })),
      on(listOperatorSecurityLog, () => ({ entries: [failure], has_more: false })),
    ])
    openScreen('/admin')
    await expect.element(page.getByRole('heading', { level: 1, name: 'Administration' })).toBeVisible()
    await expect.element(page.getByText(username).first()).toBeVisible()
    await expect.element(rowOf('Jobs', /Optimizer.*Running/)).toBeVisible()
    await expect.element(rowOf('Providers and brokers', /Yahoo/)).toBeVisible()
    await expect.element(rowOf('Providers and brokers', /Alpaca.*broker/)).toBeVisible()
    await expect.element(rowOf('Recent errors', /backup/i).first()).toBeVisible()
    await expect.element(rowOf('Security log', /Wrong password at sign-in.*14.*198.51.100.7/)).toBeVisible()
    await expectAccessible()
    await expectNoSidewaysScroll()
  },
)

test('the operator suspends and resets an account, told beforehand what happens', async () => {
  await signInAsNew()
  const user = {
    user_id: 7,
    username: 'mallory',
    registered_at: NOW,
    last_seen_at: NOW,
    sessions: 2,
    series_bytes: 4e6,
    jobs: 2,
    running_deployments: 1,
    is_operator: false,
  }
  let isSuspended = false
  standIn([
    on(getOperatorAccess, () => ({ is_operator: true })),
    on(getOperatorOverview, () => OVERVIEW),
    on(listOperatorUsers, () => ({ total: 1, users: [{ ...user, is_suspended: isSuspended }] })),
    on(listInvitations, () => ({ registration: 'open' as const, invitations: [] })),
    on(listOperatorSecurityLog, () => ({ entries: [], has_more: false })),
    on(actOnAccount, ({ body }) => {
      const { action } = body as { action: string }
      isSuspended ||= action === 'suspend'
      return { success: true as const, password: action === 'reset-password' ? 'abcd-efgh-ijkl-mnop' : null }
    }),
  ])
  openScreen('/admin')
  const choose = async (label: string) => {
    await page.getByRole('button', { name: 'Actions for mallory' }).click()
    await page.getByRole('menuitem', { name: label }).click()
  }
  await choose('Suspend')
  await expect
    .element(page.getByRole('dialog').getByText('Running deployments are paused', { exact: false }))
    .toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
  await expect.element(rowOf('Users', /mallory Suspended/)).toBeVisible()
  await choose('Reset the password')
  await page.getByRole('dialog').getByRole('button', { name: 'Reset the password' }).click()
  await expect.element(page.getByRole('textbox', { name: 'Password', exact: true })).toHaveValue('abcd-efgh-ijkl-mnop')
  await expectAccessible()
})

test('to any other user there is no such page', async () => {
  await signInAsNew()
  // The first account of the tests' server may be this one.
  standIn([
    on(getOperatorAccess, () => ({ is_operator: false })),
    on(getOperatorOverview, () => refuse('There is no such call.', { status: 404 })),
  ])
  openScreen('/admin')
  await expect.element(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
})
