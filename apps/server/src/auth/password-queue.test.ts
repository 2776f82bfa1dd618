import { expect, it } from 'vitest'
import { type Asker, passwordQueue } from './password-queue.ts'

const limits = { atOnce: 2, waiting: 20, perAccount: { atOnce: 1, waiting: 4 }, waitingPerAddress: 10 }
const asker = (account: string, more: Partial<Asker> = {}): Asker => ({
  account,
  address: '203.0.113.1',
  isKnown: false,
  ...more,
})

/** A queue whose work is done one piece at a time, and who has begun in which order. */
function open() {
  const queue = passwordQueue(limits)
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
  expect(await ask('greedy')).toBe('sign-in.queue')
  void ask('ann')
  await turn()
  expect(began).toEqual(['greedy', 'ann'])
})

it('serves known browsers first, and then address by address', async () => {
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
  const queue = passwordQueue(limits)
  const fail = () => Promise.reject(new Error('no'))
  for (let i = 0; i < 5; i++) await expect(queue.run(asker('ann'), fail)).rejects.toThrow('no')
  expect(await queue.run(asker('ann'), async () => 'done')).toBe('done')
})
