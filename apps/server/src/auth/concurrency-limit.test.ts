import { expect, it } from 'vitest'
import { limitConcurrency } from './concurrency-limit.ts'

it('runs a few at once, lets the others wait their turn, and refuses beyond that', async () => {
  const limit = limitConcurrency(2, 3)
  const open = Promise.withResolvers<void>()
  let running = 0
  let most = 0
  const work = async () => {
    running += 1
    most = Math.max(most, running)
    await open.promise
    running -= 1
  }
  const all = Array.from({ length: 6 }, () => limit.run(work))
  await expect(all[5]).rejects.toThrow('The server is busy.')
  open.resolve()
  await Promise.all(all.slice(0, 5))
  expect(most).toBe(2)
  await limit.run(work)
})

it('hands the place on when a work fails', async () => {
  const limit = limitConcurrency(1, 1)
  const failing = limit.run(() => Promise.reject(new Error('no')))
  const next = limit.run(() => Promise.resolve('done'))
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
})
