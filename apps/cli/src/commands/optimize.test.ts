import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { Invocation } from '../command.ts'
import { EXIT, Failure } from '../failure.ts'
import { optimizeFollow } from './optimize.ts'

const POLL_MS = 2_000
const delay = timers.setTimeout

type Poll = 'lost' | 'answered'

/** Follows a run whose polls end like this, one after the other, and then find it abandoned. */
async function follow(polls: readonly Poll[]): Promise<unknown> {
  // Others in this process wait as long as they say.
  const shortened: typeof delay = (ms, value, options) => delay(ms === POLL_MS ? 0 : ms, value, options)
  const wait = vi.spyOn(timers, 'setTimeout').mockImplementation(shortened)
  syncBuiltinESMExports()
  onTestFinished(() => {
    wait.mockRestore()
    syncBuiltinESMExports()
  })
  const left = [...polls]
  const call = async () => {
    const poll = left.shift()
    if (poll === 'lost') throw new Failure(EXIT.away, 'The server cannot be reached.')
    return { id: 7, status: poll === 'answered' ? 'running' : 'abandoned', progress: null, results: null }
  }
  const invocation = {
    args: ['7'],
    text: () => undefined,
    client: () => ({ call }),
    out: { progress: () => {}, clearProgress: () => {}, result: () => {} },
    interrupted: new AbortController().signal,
  } as unknown as Invocation
  return optimizeFollow.run(invocation).catch((error: unknown) => error)
}

const times = (count: number, ...polls: Poll[]): Poll[] => Array.from({ length: count }, () => polls).flat()

it('follows a run of a night, in which answers are lost again and again', async () => {
  expect(await follow(times(40, 'lost', 'lost', 'answered'))).toBe(EXIT.negative)
  expect(await follow([...times(15, 'lost'), 'answered', ...times(15, 'lost')])).toBe(EXIT.negative)
})

it('gives up when the server stays away', async () => {
  expect(await follow(times(16, 'lost'))).toMatchObject({ exit: EXIT.away })
})
