import { tasks as learning } from './learning-tasks.ts'

/** Those who grow a model together leave it in the middle. */
export const tasks = {
  ...learning,
  'backtests/boost': () => import('./boost-and-leave.ts'),
  'backtests/grow': () => import('./grow-and-leave.ts'),
}
