// `npm run dev`: the server, restarted when its sources change, and the web app with hot reload in front of it.
import { spawn, type ChildProcess } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const children: ChildProcess[] = [
  start(root, ['--watch', join(root, 'apps/server/src/main.ts')]),
  start(join(root, 'apps/web'), [join(root, 'node_modules/vite/bin/vite.js')]),
]

for (const child of children) {
  child.on('exit', (code) => {
    for (const other of children) other.kill('SIGTERM')
    process.exitCode ??= code ?? 0
  })
}
// Ctrl-C reaches the children by itself; we only wait for them.
process.on('SIGINT', () => {})

function start(cwd: string, args: string[]): ChildProcess {
  return spawn(process.execPath, args, { cwd, stdio: 'inherit' })
}
