import { expect, it } from 'vitest'
import { watermarkOf } from './compared.ts'

const [real, synthetic] = [{ synthetic: false }, { synthetic: true }]

it('marks a comparison as synthetic only where all of it is', () => {
  expect(watermarkOf([real, real])).toBeNull()
  expect(watermarkOf([synthetic, synthetic])).toBe('Synthetic sample data')
  expect(watermarkOf([real, synthetic])).toBe('In part synthetic sample data')
})
