import { expect, it } from 'vitest'
import { wrongPassports } from '../../../test-support/passports.ts'

it('a passport of 200 random strategies is verified to the last bit, with rows and without', async () => {
  expect(await wrongPassports(200)).toEqual([])
}, 600_000)
