import { expect, it, onTestFinished } from 'vitest'
import { untilAborted } from './until-aborted.ts'

it('leaves no rejection unhandled when the signal has aborted before the work fails', async () => {
  const unhandled: unknown[] = []
  const note = (reason: unknown) => unhandled.push(reason)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))
  const { promise, reject } = Promise.withResolvers<never>()
  await expect(untilAborted(promise, AbortSignal.abort(new Error('left')))).rejects.toThrow('left')
  reject(new Error('too late'))
  await new Promise((resolve) => setImmediate(resolve))
  expect(unhandled).toEqual([])
})
