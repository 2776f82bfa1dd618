import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createMetrics } from '../apps/server/src/observe/metrics.ts'

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'deploy', 'observability')
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

const metrics = createMetrics({
  version: '0',
  kind: 'web',
  pool: { totalCount: 0, idleCount: 0, waitingCount: 0, options: { max: 1 } },
  isListening: () => true,
  lanes: () => [],
  threads: 1,
  count: () => Promise.reject(new Error('no database in this test')),
  backups: async () => ({ isRunning: false, newestAt: undefined, count: 0, lastFailureAt: undefined }),
  health: { restarts: 0, unhandledRejections: { count: 0 } },
})

/** Names of our metrics and of Node's in an expression, without the endings of histograms. */
const namesIn = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(/\b(?:tradewright|nodejs|process)_[a-z0-9_]+/g)].map(([name]) =>
      name.replace(/_(bucket|count|sum)$/, ''),
    ),
  ),
]

describe('files for Prometheus and Grafana', () => {
  it.each(['alerts.yml', 'grafana-dashboard.json'])('%s names metrics that exist', (name) => {
    const found = namesIn(read(name))
    expect(found.length).toBeGreaterThan(10)
    expect(found.filter((each) => !metrics.names().includes(each))).toEqual([])
  })

  it('have an alert or a panel for every metric that tells of trouble', () => {
    const shown = new Set(['alerts.yml', 'grafana-dashboard.json'].flatMap((name) => namesIn(read(name))))
    const silent = new Set([
      // Facts beside which others are read, in tables of your own.
      'info',
      'users',
      'backups',
      'compute_threads',
      'unhandled_rejections',
      'database_listening',
      'database_connections_limit',
      'outside_limit_calls',
      'outside_limit_window_seconds',
    ])
    const own = metrics.names().filter((name) => name.startsWith('tradewright_'))
    expect(own.filter((name) => !shown.has(name) && !silent.has(name.replace('tradewright_', '')))).toEqual([])
  })

  it('have panels that do not lie on each other', () => {
    const { panels } = JSON.parse(read('grafana-dashboard.json')) as {
      panels: { id: number; gridPos: { x: number; y: number; w: number; h: number } }[]
    }
    const overlaps = panels.flatMap((a) =>
      panels.filter(
        (b) =>
          a.id < b.id &&
          a.gridPos.x < b.gridPos.x + b.gridPos.w &&
          b.gridPos.x < a.gridPos.x + a.gridPos.w &&
          a.gridPos.y < b.gridPos.y + b.gridPos.h &&
          b.gridPos.y < a.gridPos.y + a.gridPos.h,
      ),
    )
    expect(overlaps).toEqual([])
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  })
})
