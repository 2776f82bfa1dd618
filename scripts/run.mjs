// Runs a file of the project on the project's own Node.js, whatever Node npm itself runs on. What has to be prepared is
// prepared here and not by a "pre" script: npm leaves those out while install scripts are blocked, as .npmrc has it.
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import './prepare.mjs'
import { projectNode } from './project-node.mjs'
import { supervise } from './supervise.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const node = projectNode(root)
// --web and --dev are for prepare.mjs.
const [file, ...args] = process.argv.slice(process.argv.findIndex((word, at) => at > 1 && !word.startsWith('--')))

// The IPC channel tells the program when this launcher is gone, so that it never lives on unseen.
const exitCode = await supervise({
  command: node,
  args: [join(root, file), ...args],
  env: {
    // Compiled sources are kept: a second start took 1.5 s instead of 2.3 s to a healthy /health.
    NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled'),
    ...process.env,
    PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
  },
  ...(process.env.RESTART_MAX_MS && { maxDelayMs: Number(process.env.RESTART_MAX_MS) }),
})
process.exit(exitCode)
