import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { compileKernel, generatedPath, KERNELS, moduleOf } from '../../kernels/build.ts'

it.each(KERNELS)('the committed %s kernel is what its source compiles to', { timeout: 120_000 }, async (name) => {
  const committed = readFileSync(generatedPath(name), 'utf8')
  const made = moduleOf(name, await compileKernel(name))
  expect(committed === made, 'run node packages/engine/kernels/build.ts').toBe(true)
})
