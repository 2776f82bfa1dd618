import type { OperatorOverview } from '@tradewright/contract/operator'
import { expect, it } from 'vitest'
import { bytes, duration, limitWords, serviceName, verdictOf } from './overview-words.ts'

const well: OperatorOverview = {
  version: '0.1.0',
  commit: null,
  schema: '0097-operator',
  node: '26.10.0',
  postgres: '18.4',
  users: 2,
  deployments: { running: 3, unattended: 0, missed: 0, disagreeing: 0, blocked: 0 },
  jobs: [],
  failed_jobs: [],
  accounts: [],
  storage: { database_bytes: 1, series_bytes: 1, disk_free_bytes: 1, disk_bytes: 2 },
  backups: null,
  processes: [],
  services: [],
  errors: [],
}

it('names the worst of what an operator would act on', () => {
  const word = (change: Partial<OperatorOverview>) => verdictOf({ ...well, ...change }).word
  expect(word({})).toBe('Healthy')
  expect(word({ deployments: { ...well.deployments, unattended: 1, missed: 1 } })).toBe('Deployments unattended')
  expect(word({ deployments: { ...well.deployments, missed: 1 } })).toBe('Runs missed')
  expect(word({ jobs: [{ kind: 'backtest', state: 'queued', count: 1, oldest_seconds: 901 }] })).toBe('Jobs wait')
  const backups = { count: 1, newest_at: '2026-11-17T00:00:00.000Z', is_running: false }
  expect(word({ backups: { ...backups, last_failure_at: '2026-11-16T00:00:00.000Z' } })).toBe('Healthy')
  expect(word({ backups: { ...backups, last_failure_at: '2026-11-18T00:00:00.000Z' } })).toBe('Backup failed')
})

it('writes sizes, ages and limits in words', () => {
  expect([bytes(1_234_000_000), bytes(48_000_000), bytes(1_400_000), bytes(0)]).toEqual([
    '1.2 GB',
    '48 MB',
    '1.4 MB',
    '0 MB',
  ])
  expect([duration(45), duration(720), duration(3 * 3600)]).toEqual(['45 s', '12 min', '3 h'])
  expect(limitWords({ calls: 200, window_seconds: 60 })).toBe('200 a minute')
  expect(limitWords({ calls: 1, window_seconds: 0.3 })).toBe('1 each 0.3 s')
  expect([serviceName('yahoo'), serviceName('alpaca')]).toEqual(['Yahoo Finance', 'Alpaca'])
})
