import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { afterEach, expect, it, vi } from 'vitest'
import { Downloads } from './downloads.ts'

afterEach(() => vi.useRealTimers())

const ONE = 'One at a time.'
const endless = () =>
  Readable.from(
    (function* () {
      while (true) yield Buffer.alloc(16_384)
    })(),
  )
const turn = () => new Promise((resolve) => setImmediate(resolve))

it('leaves connections to the database to everything else, however many users read slowly', async () => {
  const downloads = new Downloads()
  const files = [1, 2, 3, 4].map((userId) => downloads.begin(userId, ONE).carries(endless()))
  expect(() => downloads.begin(1, ONE)).toThrow(ONE)
  expect(() => downloads.begin(5, ONE)).toThrow('Other users are downloading files.')
  files[0]!.destroy()
  await finished(files[0]!).catch(() => {})
  expect(() => downloads.begin(5, ONE)).not.toThrow()
  for (const file of files) file.destroy()
})

it('takes the place of the slowest of four readers who do not read', async () => {
  let now = 0
  const downloads = new Downloads(() => now)
  const files = [1, 2, 3, 4].map((userId) => downloads.begin(userId, ONE).carries(endless()))
  const failed = files.map((file) => new Promise((resolve) => file.once('error', resolve)))
  for (const file of files.slice(1))
    for (let i = 0; i < 40; i++) {
      file.read()
      await turn()
    }
  now += 11_000
  expect(() => downloads.begin(5, ONE)).not.toThrow()
  expect(await failed[0]).toMatchObject({ message: expect.stringContaining('too slowly') })
  for (const file of files) file.destroy()
})

it('lets a reader finish who reads as fast as a file comes', async () => {
  let now = 0
  const downloads = new Downloads(() => now)
  const files = [1, 2, 3, 4].map((userId) => downloads.begin(userId, ONE).carries(endless()))
  for (const file of files)
    for (let i = 0; i < 400; i++) {
      file.read()
      await turn()
    }
  now += 11_000
  expect(() => downloads.begin(5, ONE)).toThrow('Other users are downloading files.')
  for (const file of files) file.destroy()
})

it('ends one that is not read at all, and lets one wait whose rows are slow to come', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const downloads = new Downloads()
  const unread = downloads.begin(1, ONE).carries(endless())
  const waiting = downloads.begin(2, ONE).carries(new Readable({ read() {} }))
  const failure = new Promise((resolve) => unread.once('error', resolve))
  await turn()
  await turn()
  vi.advanceTimersByTime(16_000)
  expect(await failure).toMatchObject({ message: 'a download was not read' })
  expect(() => downloads.begin(2, ONE)).toThrow(ONE)
  waiting.destroy()
})

it('gives a place back once, also when the next file of the user has begun', async () => {
  const downloads = new Downloads()
  const first = downloads.begin(1, ONE)
  first.release()
  downloads.begin(1, ONE)
  first.release()
  expect(() => downloads.begin(1, ONE)).toThrow(ONE)
})
