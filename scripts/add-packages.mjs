// `npm run add -- s3 exchanges`: installs packages that are otherwise installed when they are first needed, for machines
// that reach the package registry only now, or that may not write to their own folder later.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ON_DEMAND } from '../apps/server/src/adapters/packages/on-demand.ts'
import { installPackages } from './packages.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const known = Object.keys(ON_DEMAND)
const asked = process.argv.slice(2)
if (asked.length === 0 || asked.some((id) => !known.includes(id))) {
  console.error(`npm run add takes one or more of: ${known.join(', ')}.`)
  process.exit(1)
}
const names = asked.map((id) => ON_DEMAND[id].name)
const failure = installPackages(root, {
  workspace: 'apps/server',
  names,
  into: join(root, 'node_modules'),
  output: 'pipe',
})
if (failure === undefined) console.log(`Installed: ${names.join(', ')}.`)
else console.error(`Not installed: ${failure}`)
process.exitCode = failure === undefined ? 0 : 1
