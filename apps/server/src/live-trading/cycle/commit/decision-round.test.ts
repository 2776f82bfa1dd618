import { expect, it } from 'vitest'
import { DecisionRound } from './decision-round.ts'

it('decisions of one poll wait until each of them is made, or will not be', async () => {
  const round = new DecisionRound([1, 2, 3])
  const joined: number[] = []
  const first = round.join(1).then(() => joined.push(1))
  await new Promise(setImmediate)
  expect(joined).toEqual([])
  round.leave(3)
  round.leave(3)
  await Promise.all([first, round.join(2)])
  expect(joined).toEqual([1])
})

it('a decision does not wait for one that takes too long, nor where it is the only one', async () => {
  await new DecisionRound([1, 2], 0).join(1)
  await new DecisionRound([1]).join(1)
  await new DecisionRound([]).join(1)
})
