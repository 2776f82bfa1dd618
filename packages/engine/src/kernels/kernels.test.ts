import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { generatedPath, KERNELS, moduleOf } from '../../kernels/build.ts'
import { threadForestKernel } from '../models/forest/compiled-fit.ts'
import { accountWasm } from './account.wasm.ts'
import { boostingWasm } from './boosting.wasm.ts'
import { forestWasm } from './forest.wasm.ts'
import { smallForestWasm } from './small-forest.wasm.ts'

const committed = { forest: forestWasm, 'small-forest': smallForestWasm, boosting: boostingWasm, account: accountWasm }

// That the sources compile to these very bytes, kernels.campaign.ts finds out.
it.each(KERNELS)('the committed %s kernel was made of the sources, settings and compiler of today', (name) => {
  const made = moduleOf(name, Buffer.from(committed[name], 'base64'))
  expect(readFileSync(generatedPath(name), 'utf8') === made, 'run node packages/engine/kernels/build.ts').toBe(true)
})

it('the memory map of the README has the offsets of the kernel', () => {
  const readme = readFileSync(new URL('../../kernels/README.md', import.meta.url), 'utf8')
  const offsetOf = (name: string) =>
    Number(new RegExp(`^\\| ([\\d,]+) +\\| \`${name}\``, 'm').exec(readme)?.[1]?.replaceAll(',', ''))
  const { exports } = threadForestKernel(0)
  expect(offsetOf('DRAWS')).toBe(exports.drawsOffset())
  expect(offsetOf('LABELS')).toBe(exports.labelsOffset())
  expect(offsetOf('SUMS')).toBe(exports.sumsOffset())
  expect(offsetOf('RECORDS')).toBe(exports.recordsOffset())
})
