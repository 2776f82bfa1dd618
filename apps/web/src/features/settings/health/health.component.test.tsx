import { getSystemHealth, type SystemHealth } from '@tradewright/contract/health'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { openScreen, signIn, standIn } from '../../../../test-support/screen.tsx'
import { on, refuse } from '../../../../test-support/served.ts'

const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString()

const recovered = (): SystemHealth => ({
  process: {
    started_at: ago(3.1 * 3600),
    restarts: 2,
    last_end: { reason: 'killed by SIGKILL', at: ago(3.1 * 3600) },
    unhandled_rejections: { count: 1, last_at: ago(300) },
    memory_mb: 412,
    event_loop_delay_ms: { p50: 0.3, p99: 12.4, max: 180 },
  },
  database: {
    is_own: true,
    restarts: { count: 1, last_at: ago(600) },
    connections: { open: 7, idle: 3, waiting_calls: 0, limit: 20 },
    is_listening: true,
  },
  jobs: { queued: 4, running: 2 },
  live_trading: { last_beat_at: ago(1), running: 3, unattended: 1 },
})

test('the health of the server is told in words, from the server itself', async () => {
  await signIn()
  openScreen('/settings#health')
  const health = page.getByRole('region', { name: 'System Health' })
  // Tests beside this one may have deployments at work on the same server.
  await expect.element(health.getByText(/^(No deployment is running|\d+ running deployments?)\. /)).toBeVisible()
  await expect.element(health.getByText(/connections open\.$/)).toBeVisible()
})

test('restarts, failures and deployments without a process are seen', async () => {
  await signIn()
  standIn([on(getSystemHealth, recovered)])
  openScreen('/settings#health')
  const health = page.getByRole('region', { name: 'System Health' })
  await expect
    .element(
      health.getByText(/Restarted 2 times, the last time 3 hours ago: it had ended unexpectedly \(killed by SIGKILL\)/),
    )
    .toBeVisible()
  await expect.element(health.getByText('Not attended')).toBeVisible()
  await expect.element(health.getByText('2 running, 4 waiting.')).toBeVisible()
})

test('a server that does not say how it is doing can be asked again', async () => {
  await signIn()
  let isAway = true
  standIn([
    on(getSystemHealth, () =>
      isAway ? refuse('The database cannot be reached right now.', { status: 503 }) : recovered(),
    ),
  ])
  openScreen('/settings#health')
  const health = page.getByRole('region', { name: 'System Health' })
  await expect.element(health.getByText('The health of the server could not be loaded')).toBeVisible()
  isAway = false
  await health.getByRole('button', { name: 'Try again' }).click()
  await expect.element(health.getByText('Not attended')).toBeVisible()
})
