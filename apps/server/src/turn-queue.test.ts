import { Problem } from '@tradewright/core/problem'
import { expect, it } from 'vitest'
import { type Asker, limitConcurrency, TurnQueue, turnsPerUser } from './turn-queue.ts'

const limits = {
  atOnce: 2,
  waiting: 20,
  perAccount: { atOnce: 1, waiting: 4 },
  waitingPerAddress: 10,
  tooMany: () => new Problem('limited', 'too-many', 'Too many.'),
}
const asker = (account: string, more: Partial<Asker> = {}): Asker => ({
  account,
  address: '203.0.113.1',
  isKnown: false,
  ...more,
})

/** A queue whose work is done one piece at a time, and who has begun in which order. */
function open() {
  const queue = new TurnQueue(limits)
  const began: string[] = []
  const ends: (() => void)[] = []
  const ask = (name: string, more?: Partial<Asker>) => {
    const work = () => {
      began.push(name)
      return new Promise<void>((resolve) => ends.push(resolve))
    }
    return queue.run(asker(name, more), work).catch((error: { code: string }) => error.code)
  }
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  const finish = async () => {
    ends.shift()!()
    await turn()
  }
  return { ask, began, finish, turn }
}

it('does not let one account take every place, and tells it when too many of its own wait', async () => {
  const { ask, began, turn } = open()
  for (let i = 0; i < 5; i++) void ask('greedy')
  expect(await ask('greedy')).toBe('too-many')
  void ask('ann')
  await turn()
  expect(began).toEqual(['greedy', 'ann'])
})

it('serves known askers first, and then address by address', async () => {
  const { ask, began, finish, turn } = open()
  void ask('a')
  void ask('b')
  await turn()
  for (const name of ['c', 'd', 'e']) void ask(name)
  void ask('far', { address: '198.51.100.9' })
  void ask('known', { isKnown: true })
  for (let i = 0; i < 4; i++) await finish()
  expect(began.slice(2, 4)).toEqual(['known', 'far'])
})

it('makes room for a newcomer at the expense of the address that has the most', async () => {
  const { ask, turn } = open()
  void ask('a', { address: 'x' })
  void ask('b', { address: 'y' })
  const flood = Array.from({ length: 10 }, (_, i) => ask(`many ${i}`, { address: 'flood' }))
  for (let i = 0; i < 10; i++) void ask(`one ${i}`, { address: `address ${i}` })
  await turn()
  const newcomer = ask('newcomer', { address: 'new' })
  expect(await Promise.race(flood)).toBe('server.busy')
  expect(await Promise.race([newcomer, turn().then(() => 'waits')])).toBe('waits')
})

it('goes on when a work fails, and forgets it', async () => {
  const queue = new TurnQueue(limits)
  const fail = () => Promise.reject(new Error('no'))
  for (let i = 0; i < 5; i++) await expect(queue.run(asker('ann'), fail)).rejects.toThrow('no')
  expect(await queue.run(asker('ann'), async () => 'done')).toBe('done')
  expect(queue.has('ann')).toBe(false)
})

it('begins what waits when its limits rise', async () => {
  let atOnce = 0
  const queue = new TurnQueue({ ...limits, perAccount: { atOnce: () => atOnce, waiting: 4 } })
  const done = queue.run(asker('ann'), async () => 'done')
  expect(queue.has('ann')).toBe(true)
  atOnce = 1
  queue.startReady()
  expect(await done).toBe('done')
})

it('runs a few at once, lets the others wait their turn, and refuses beyond that', async () => {
  const limit = limitConcurrency(2, 3)
  const ended = Promise.withResolvers<void>()
  let running = 0
  let most = 0
  const work = async () => {
    running += 1
    most = Math.max(most, running)
    await ended.promise
    running -= 1
  }
  const all = Array.from({ length: 6 }, () => limit.run(work))
  await expect(all[5]).rejects.toThrow('The server is busy.')
  ended.resolve()
  await Promise.all(all.slice(0, 5))
  expect(most).toBe(2)
  await limit.run(work)
})

it('does one work of a user at a time, in order, beside those of others, and refuses more than may wait', async () => {
  const turns = turnsPerUser(1)
  const done: string[] = []
  const first = Promise.withResolvers<void>()
  const ann = [
    turns(1, async () => {
      await first.promise
      done.push('ann 1')
      throw new Error('failed')
    }),
    turns(1, async () => void done.push('ann 2')),
  ]
  await expect(turns(1, async () => void done.push('ann 3'))).rejects.toMatchObject({
    code: 'request.turns',
    message: 'You have 2 such requests under way. Please wait until they are answered.',
  })
  await turns(2, async () => void done.push('bob 1'))
  first.resolve()
  expect((await Promise.allSettled(ann)).map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  await turns(1, async () => void done.push('ann 4'))
  expect(done).toEqual(['bob 1', 'ann 1', 'ann 2', 'ann 4'])
})
