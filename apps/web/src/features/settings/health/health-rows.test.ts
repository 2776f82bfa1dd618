import type { SystemHealth } from '@tradewright/contract/health'
import { expect, it } from 'vitest'
import { healthRows } from './health-rows.ts'

const NOW = Date.parse('2026-11-16T12:00:00Z')
const minutesAgo = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString()

const healthy: SystemHealth = {
  process: {
    started_at: minutesAgo(180),
    restarts: 0,
    last_end: null,
    unhandled_rejections: { count: 0, last_at: null },
    memory_mb: 312,
    event_loop_delay_ms: { p50: 0.4, p99: 3.2, max: 21 },
  },
  database: {
    is_own: true,
    restarts: { count: 0, last_at: null },
    connections: { open: 4, idle: 4, waiting_calls: 0, limit: 20 },
    is_listening: true,
  },
  jobs: { queued: 0, running: 0 },
  live_trading: { last_beat_at: minutesAgo(0), running: 2, unattended: 0 },
}

const words = (health: SystemHealth) => healthRows(health, NOW).map(({ name, word }) => `${name}: ${word}`)

it('says that all is well when it is', () => {
  expect(words(healthy)).toEqual(['Program: Healthy', 'Database: Healthy', 'Jobs: Idle', 'Live trading: Running'])
})

it('tells of restarts and failures that were survived, and when', () => {
  const rows = healthRows(
    {
      ...healthy,
      process: {
        ...healthy.process,
        restarts: 2,
        last_end: { reason: 'killed by SIGKILL', at: minutesAgo(180) },
        unhandled_rejections: { count: 1, last_at: minutesAgo(5) },
      },
      database: { ...healthy.database, restarts: { count: 1, last_at: minutesAgo(7) } },
    },
    NOW,
  )
  expect(rows[0]).toMatchObject({ word: 'Recovered' })
  expect(rows[0]!.sentences.join(' ')).toContain(
    'Restarted 2 times, the last time 3 hours ago: it had ended unexpectedly (killed by SIGKILL). 1 unexpected failure since then, the last 5 minutes ago. See the log.',
  )
  expect(rows[1]!.sentences.at(-1)).toBe('Restarted once after it ended unexpectedly, the last time 7 minutes ago.')
})

it('warns of a deployment that no process looks after, and of a runner that is silent', () => {
  const unattended = { ...healthy, live_trading: { ...healthy.live_trading, unattended: 1 } }
  const silent = { ...healthy, live_trading: { ...healthy.live_trading, last_beat_at: minutesAgo(3) } }
  expect(words(unattended)).toContain('Live trading: Not attended')
  expect(words(silent)).toContain('Live trading: Not attended')
})
