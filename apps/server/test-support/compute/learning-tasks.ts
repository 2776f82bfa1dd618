import { tasks as real } from '../../src/workers/tasks.ts'

/** The real tasks, and one that learns windows of any size. */
export const tasks = { ...real, 'test/learn': () => import('./learn.ts') }
