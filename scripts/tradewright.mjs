#!/usr/bin/env node
// The command line of an installation: each word is a script of package.json.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { version, scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const COMMANDS = {
  start: 'the web app, with jobs and live trading',
  worker: 'jobs only, beside a web process with the same DATABASE_URL',
  backup: '--to file [--secrets] [--test]: everything in one archive, while it runs',
  restore: '--from file [--trade]: into an empty instance',
  invite: '[days]: prints an invitation that makes one account',
  'rotate-secret': 'seals stored keys with a new secret',
  add: 's3|gcs|azure|mongodb|exchanges: installs a package before it is needed',
}

const [command, ...args] = process.argv.slice(2)
if (command === '--version' || command === '-v') console.log(version)
else if (command in COMMANDS) {
  const [, ...words] = scripts[command].split(' ')
  const env = { ...process.env, INIT_CWD: process.cwd() }
  const { status } = spawnSync(process.execPath, [...words, ...args], { cwd: root, stdio: 'inherit', env })
  process.exitCode = status ?? 1
} else {
  const lines = Object.entries(COMMANDS).map(([name, does]) => `  ${name.padEnd(14)} ${does}`)
  console.log(`Tradewright ${version}\n\nUsage: tradewright <command>\n\n${lines.join('\n')}\n  --version`)
  process.exitCode = command === undefined || command === '--help' ? 0 : 1
}
