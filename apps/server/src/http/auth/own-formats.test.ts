import { beforeAll, expect, it } from 'vitest'
import { caller, type Caller } from '../../../test-support/caller.ts'
import { sharedTestApp, type TestServer } from '../../../test-support/test-app.ts'

let server: TestServer
let ann: Caller
beforeAll(async () => {
  server = await sharedTestApp()
  ann = await caller(server)
})

const read = async (who: Caller) => (await who.get('/api/user/formats')).json<unknown>()
const BERLIN = { numbers: 'point-comma', dates: 'dots', clock: '24', time_zone: 'Europe/Berlin' }

it('keeps the formats of a user, and of no other', async () => {
  expect(await read(ann)).toEqual({ formats: null })
  expect((await ann.put('/api/user/formats', BERLIN)).statusCode).toBe(200)
  expect(await read(ann)).toEqual({ formats: BERLIN })
  expect(await read(await caller(server))).toEqual({ formats: null })
  await ann.put('/api/user/formats', { ...BERLIN, time_zone: 'exchange' })
  expect(await read(ann)).toEqual({ formats: { ...BERLIN, time_zone: 'exchange' } })
})

it.each([
  [{ time_zone: 'Mars/Base' }, 'There is no such time zone.'],
  [{ time_zone: 'x'.repeat(65) }, 'There is no such time zone.'],
  [{ clock: '13' }, 'The clock must be one of 12, 24.'],
  [{ numbers: undefined }, 'The format of numbers must be one of'],
])('refuses %j', async (change, sentence) => {
  const answer = await ann.put('/api/user/formats', { ...BERLIN, ...change })
  expect(answer.statusCode).toBe(400)
  expect(answer.body).toContain(sentence)
})
