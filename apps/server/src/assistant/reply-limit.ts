import { Problem } from '@tradewright/core/problem'

/** How many answers a user may have under way at once, in this process. */
export interface ReplyLimit {
  run<Result>(userId: number, work: () => Promise<Result>): Promise<Result>
}

export function limitReplies(atOnce: number): ReplyLimit {
  const running = new Map<number, number>()
  const add = (userId: number, change: number) => {
    const next = (running.get(userId) ?? 0) + change
    if (next > 0) running.set(userId, next)
    else running.delete(userId)
  }
  return {
    async run(userId, work) {
      if ((running.get(userId) ?? 0) >= atOnce) throw tooMany()
      add(userId, 1)
      try {
        return await work()
      } finally {
        add(userId, -1)
      }
    },
  }
}

const tooMany = () =>
  new Problem(
    'limited',
    'assistant.busy',
    'Other answers of yours are still in progress. Wait for them, or stop them.',
    {
      retryAfterSeconds: 5,
    },
  )
