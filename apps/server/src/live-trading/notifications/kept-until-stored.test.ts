import { expect, it } from 'vitest'
import { createLog } from '../../log.ts'
import { KeptUntilStored } from './kept-until-stored.ts'

const failure = (code: string) => Object.assign(new Error('refused'), { code })

function keeping(failures: Map<string, Error>) {
  const stored: string[] = []
  const store = async (item: string) => {
    const error = failures.get(item)
    if (error) throw error
    stored.push(item)
  }
  return { stored, kept: new KeptUntilStored('alerts', store, createLog({ logLevel: 'silent' })) }
}

it('stores everything in order once the database is back', async () => {
  const failures = new Map([['first', failure('ECONNREFUSED')]])
  const { stored, kept } = keeping(failures)
  await kept.add('first')
  await kept.add('second')
  expect(stored).toEqual([])
  failures.clear()
  await kept.save()
  expect(stored).toEqual(['first', 'second'])
})

it.each([
  ['23503', 'its deployment or channel was deleted meanwhile'],
  ['22021', 'its text cannot be stored'],
  ['54000', 'it is too long for an index'],
])('lets what the database refuses for good (%s: %s) hold up nothing else', async (code) => {
  const { stored, kept } = keeping(new Map([['refused', failure(code)]]))
  await kept.add('refused')
  await kept.add('of another user')
  expect(stored).toEqual(['of another user'])
})
