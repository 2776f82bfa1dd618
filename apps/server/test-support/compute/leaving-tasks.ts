import { tasks as learning } from './learning-tasks.ts'

/** Helpers of a boosted model leave it in the middle. */
export const tasks = { ...learning, 'backtests/boost': () => import('./boost-and-leave.ts') }
