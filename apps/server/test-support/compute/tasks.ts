import type { TaskRegistry } from '../../src/workers/task.ts'

/** Tasks that only tests run. */
export const tasks = {
  sum: () => import('./sum.ts'),
  fill: () => import('./fill.ts'),
  misbehave: () => import('./misbehave.ts'),
  count: () => import('./count.ts'),
  note: () => import('./note.ts'),
  mapOnThreads: () => import('./map-on-threads.ts'),
  priority: () => import('./priority.ts'),
  gate: () => import('./gate.ts'),
} satisfies TaskRegistry
