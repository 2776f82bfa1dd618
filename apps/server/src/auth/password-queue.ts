import { Problem } from '@tradewright/core/problem'

/** Who asks for a password to be hashed or checked. */
export interface Asker {
  /** The account, or the name that was typed. */
  readonly account: string
  /** Empty where a session asks. */
  readonly address: string
  /** A session of the account, or a browser that signed in to it before. */
  readonly isKnown: boolean
}

/** A signed-in user who is asked for the password again. */
export const ownSession = (userId: number): Asker => ({ account: `user ${userId}`, address: '', isKnown: true })

export interface PasswordQueue {
  run<Result>(asker: Asker, work: () => Promise<Result>): Promise<Result>
}

interface QueueLimits {
  readonly atOnce: number
  readonly waiting: number
  readonly perAccount: { readonly atOnce: number; readonly waiting: number }
  readonly waitingPerAddress: number
}

interface Waiting extends Asker {
  readonly begin: () => void
  readonly refuse: (problem: Problem) => void
}

/**
 * Hashing takes memory and time on purpose, so a few at once and the others wait. Known browsers come first; then addresses
 * take turns, and within one the accounts: an account that asks five hundred times waits for itself. When everything is full, the
 * address with the most gives way, not the newcomer.
 */
export function passwordQueue({ atOnce, waiting: most, perAccount, waitingPerAddress }: QueueLimits): PasswordQueue {
  const running = new Map<string, number>()
  let count = 0
  /** In the order in which they came; an address that was served goes to the end. */
  const waiting: Waiting[] = []
  const servedAt = new Map<string, number>()
  let serves = 0

  const runningOf = (account: string) => running.get(account) ?? 0
  const waitingOf = (isOf: (one: Waiting) => boolean) => waiting.filter(isOf).length

  function next(): Waiting | undefined {
    let chosen: Waiting | undefined
    for (const one of waiting) {
      if (runningOf(one.account) >= perAccount.atOnce) continue
      if (!chosen || comesBefore(one, chosen)) chosen = one
    }
    if (chosen) waiting.splice(waiting.indexOf(chosen), 1)
    return chosen
  }

  function comesBefore(a: Waiting, b: Waiting): boolean {
    if (a.isKnown !== b.isKnown) return a.isKnown
    const last = (key: string) => servedAt.get(key) ?? 0
    const byAddress = last(`address ${a.address}`) - last(`address ${b.address}`)
    return byAddress === 0 ? last(`account ${a.account}`) < last(`account ${b.account}`) : byAddress < 0
  }

  function start({ account, address }: Asker): void {
    count += 1
    serves += 1
    running.set(account, runningOf(account) + 1)
    servedAt.set(`address ${address}`, serves)
    servedAt.set(`account ${account}`, serves)
  }

  function leave({ account }: Asker): void {
    count -= 1
    if (runningOf(account) > 1) running.set(account, runningOf(account) - 1)
    else running.delete(account)
    for (let one = count < atOnce ? next() : undefined; one; one = count < atOnce ? next() : undefined) {
      start(one)
      one.begin()
    }
    if (waiting.length === 0 && count === 0) servedAt.clear()
  }

  /** Makes room by refusing the newest of the address that has the most. */
  function makeRoom(): void {
    if (waiting.length < most) return
    const strangers = waiting.filter(({ isKnown }) => !isKnown)
    const groups = Map.groupBy(strangers.length > 0 ? strangers : waiting, ({ address }) => address)
    const largest = [...groups.values()].reduce((a, b) => (b.length > a.length ? b : a))
    const last = largest.at(-1)!
    waiting.splice(waiting.indexOf(last), 1)
    last.refuse(busy())
  }

  async function enter(asker: Asker): Promise<void> {
    if (count < atOnce && runningOf(asker.account) < perAccount.atOnce && waiting.length === 0) return start(asker)
    const isFull =
      waitingOf(({ account }) => account === asker.account) >= perAccount.waiting ||
      (!asker.isKnown && waitingOf(({ address }) => address === asker.address) >= waitingPerAddress)
    if (isFull) throw tooMany()
    makeRoom()
    await new Promise<void>((begin, refuse) => {
      waiting.push({ ...asker, begin, refuse })
      // The account that everything waits for may be at its own limit, with places free for others.
      const ready = count < atOnce ? next() : undefined
      if (!ready) return
      start(ready)
      ready.begin()
    })
  }

  return {
    async run(asker, work) {
      await enter(asker)
      try {
        return await work()
      } finally {
        leave(asker)
      }
    },
  }
}

const busy = () =>
  new Problem('unavailable', 'server.busy', 'The server is busy. Please try again in a moment.', {
    retryAfterSeconds: 5,
  })

const tooMany = () =>
  new Problem('limited', 'sign-in.queue', 'Too many sign-ins at the same time. Please try again in a few seconds.', {
    retryAfterSeconds: 5,
  })
