#!/usr/bin/env node
// The command `tradewright`: words of operators are scripts of package.json, all others belong to apps/cli.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { OPERATOR_COMMANDS } from './operator-commands.mjs'
import { projectNode } from './project-node.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { version, scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

const [command, ...args] = process.argv.slice(2)
if (command === '--version' || command === '-v') console.log(version)
else if (Object.hasOwn(OPERATOR_COMMANDS, command ?? '')) {
  const [, ...words] = scripts[command].split(' ')
  const env = { ...process.env, INIT_CWD: process.cwd() }
  const { status } = spawnSync(process.execPath, [...words, ...args], { cwd: root, stdio: 'inherit', env })
  process.exitCode = status ?? 1
} else process.exitCode = await client()

/** A release has the client in one file that needs no packages; a checkout runs its sources on the project's Node.js. */
async function client() {
  const bundled = join(root, 'apps', 'cli', 'dist', 'tradewright.mjs')
  if (existsSync(bundled)) return run(process.execPath, bundled)
  const node = projectNode(root)
  if (!existsSync(node) || !existsSync(join(root, 'node_modules', 'zod'))) {
    // What it says goes to stderr: stdout is for the result of the command.
    const prepare = spawnSync(process.execPath, [join(root, 'scripts', 'prepare.mjs')], { stdio: ['ignore', 2, 2] })
    if (prepare.status !== 0) return prepare.status ?? 1
  }
  return run(node, join(root, 'apps', 'cli', 'src', 'main.ts'))
}

/** Ctrl-C reaches the client itself, which may have to cancel a run: this process waits for it. */
function run(node, file) {
  const env = { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled'), ...process.env }
  const child = spawn(node, [file, ...process.argv.slice(2)], { stdio: 'inherit', env })
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  return new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(`tradewright: ${error.message}`)
      resolve(1)
    })
    child.once('exit', (code) => resolve(code ?? 1))
  })
}
