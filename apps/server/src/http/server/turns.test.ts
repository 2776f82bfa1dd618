import { expect, it } from 'vitest'
import { turnsPerUser } from './turns.ts'

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
  await expect(turns(1, async () => void done.push('ann 3'))).rejects.toMatchObject({ code: 'request.turns' })
  await turns(2, async () => void done.push('bob 1'))
  first.resolve()
  expect((await Promise.allSettled(ann)).map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  await turns(1, async () => void done.push('ann 4'))
  expect(done).toEqual(['bob 1', 'ann 1', 'ann 2', 'ann 4'])
})
