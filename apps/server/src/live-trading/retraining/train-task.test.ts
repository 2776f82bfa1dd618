import { expect, it } from 'vitest'
import type { TaskContext } from '../../workers/task.ts'
import { controlOf } from './train-task.ts'

it('a training that is cancelled while it runs sees so', () => {
  let isCancelled = false
  const { signal } = controlOf({ isCancelled: () => isCancelled } as TaskContext)
  expect(signal?.aborted).toBe(false)
  isCancelled = true
  expect(signal?.aborted).toBe(true)
})
