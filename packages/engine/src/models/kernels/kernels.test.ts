import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { compileKernel, generatedPath, KERNELS } from '../../../kernels/build.ts'

it.each(KERNELS)('the committed %s kernel is what its source compiles to', { timeout: 120_000 }, async (name) => {
  const base64 = Buffer.from(await compileKernel(name)).toString('base64')
  const committed = readFileSync(generatedPath(name), 'utf8')
  expect(committed.includes(`'${base64}'`), 'run node packages/engine/kernels/build.ts').toBe(true)
})
