import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { expect, it } from 'vitest'
import { Downloads } from './downloads.ts'

const slow = () => new Readable({ read() {} })

it('leaves connections to the database to everything else, however many users read slowly', async () => {
  const downloads = new Downloads()
  const files = [1, 2, 3, 4].map((userId) => downloads.begin(userId, 'One at a time.').carries(slow()))
  expect(() => downloads.begin(1, 'One at a time.')).toThrow('One at a time.')
  expect(() => downloads.begin(5, 'One at a time.')).toThrow('Other users are downloading files.')
  files[0]!.destroy()
  await finished(files[0]!).catch(() => {})
  expect(() => downloads.begin(5, 'One at a time.')).not.toThrow()
  for (const file of files) file.destroy()
})

it('gives a place back once, also when the next file of the user has begun', async () => {
  const downloads = new Downloads()
  const first = downloads.begin(1, 'One at a time.')
  first.release()
  downloads.begin(1, 'One at a time.')
  first.release()
  expect(() => downloads.begin(1, 'One at a time.')).toThrow('One at a time.')
})
