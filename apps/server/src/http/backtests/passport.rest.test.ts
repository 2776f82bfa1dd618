import { expect, it } from 'vitest'
import { unnamedChanges, wrongPassports } from '../../../test-support/passports.ts'

it('a passport of 200 random strategies is verified to the last bit, with rows and without', async () => {
  expect(await wrongPassports(200)).toEqual([])
}, 600_000)

it('a change of any field of a passport of each kind of strategy is named', async () => {
  expect(await unnamedChanges(6)).toEqual([])
}, 600_000)
