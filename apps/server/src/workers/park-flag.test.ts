import { expect, it } from 'vitest'
import { letGoOn, requestPark, standStill } from './thread-messages.ts'

const newFlag = () => new Int32Array(new SharedArrayBuffer(4))

it('goes on at once without a request', () => {
  standStill(newFlag(), () => expect.unreachable())
})

it('answers a second request that came before the thread had fallen asleep', () => {
  const flag = newFlag()
  requestPark(flag)
  const answered: number[] = []
  standStill(flag, (request) => {
    answered.push(request)
    letGoOn(flag)
    if (answered.length === 1) requestPark(flag)
  })
  expect(answered).toHaveLength(2)
  expect(answered[1]).not.toBe(answered[0])
})

it('takes a request that is repeated as one', () => {
  const flag = newFlag()
  requestPark(flag)
  requestPark(flag)
  let answered = 0
  standStill(flag, () => {
    answered++
    letGoOn(flag)
  })
  expect(answered).toBe(1)
})
