import { Problem } from '@tradewright/core/problem'

/** Does a user's work when their earlier ones are done. */
type Turns = <Result>(userId: number, work: () => Promise<Result>) => Promise<Result>

/** For calls whose answers take much memory: each user has one at a time, and a few that wait. */
export function turnsPerUser(maxWaiting: number): Turns {
  const queues = new Map<number, { last: Promise<unknown>; count: number }>()
  return async (userId, work) => {
    const queue = queues.get(userId) ?? { last: Promise.resolve(), count: 0 }
    if (queue.count > maxWaiting) throw tooMany(queue.count)
    queues.set(userId, queue)
    queue.count += 1
    const turn = queue.last.then(work, work)
    queue.last = turn.catch(() => {})
    try {
      return await turn
    } finally {
      queue.count -= 1
      if (queue.count === 0) queues.delete(userId)
    }
  }
}

const tooMany = (count: number): Problem =>
  new Problem(
    'limited',
    'request.turns',
    `You have ${count} such requests under way. Please wait until they are answered.`,
    {
      retryAfterSeconds: 5,
    },
  )
