import { Problem } from '@tradewright/core/problem'
import type { TaskContext } from '../../src/workers/task.ts'

const MISBEHAVIOURS = {
  refuse() {
    throw new Problem('invalid', 'rows.none', 'There are no rows to learn from.')
  },
  throw() {
    throw new RangeError('index 7 of 5')
  },
  exit() {
    process.exit(3)
  },
  'run out of memory'() {
    const hoard: string[][] = []
    for (;;) hoard.push(Array.from({ length: 10_000 }, (_, i) => `${hoard.length} ${i}`))
  },
  'loop politely'(context: TaskContext) {
    while (!context.isCancelled()) continue
  },
  'loop rudely'() {
    for (;;) continue
  },
}
export type Misbehaviour = keyof typeof MISBEHAVIOURS

/** `begun` is shared: the task raises it when it is under way. */
export function run({ how, begun }: { how: Misbehaviour; begun: Int32Array }, context: TaskContext): void {
  Atomics.store(begun, 0, 1)
  Atomics.notify(begun, 0)
  MISBEHAVIOURS[how](context)
}
