import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'

/** Of 450 MB, without the .git of a clone. */
const MAX_MB = 450 - 34

const root = dirname(dirname(fileURLToPath(import.meta.url)))

it("starts from a fresh clone with the README's own command", { timeout: 300_000 }, async () => {
  const clone = cloneInto(mkdtempSync(join(tmpdir(), 'tradewright-clone-')))
  const began = performance.now()
  const program = run(readmeCommand(), clone)
  const url = await program.address
  expect(await (await fetch(`${url}/health`)).json()).toEqual({ status: 'ok' })
  expect(await (await fetch(url, { headers: { accept: 'text/html' } })).text()).toContain('<title>Tradewright</title>')
  const seconds = Math.round((performance.now() - began) / 1000)
  const [size = ''] = execFileSync('du', ['-sm', clone], { encoding: 'utf8' }).split('\t')
  // oxlint-disable-next-line no-console -- the figures of docs/performance.md
  console.log(`${size} MB without .git, healthy after ${seconds} s`)
  expect(Number(size)).toBeLessThanOrEqual(MAX_MB)
  process.kill(-program.group, 'SIGINT')
  await program.exit
  expect(existsSync(join(clone, 'data/postgres/PG_VERSION'))).toBe(true)
  expect(existsSync(join(clone, 'data/postgres/postmaster.pid')), 'the database is still running').toBe(false)
})

/** The files that a clone would have, as they are now: what is committed, and what is about to be. */
function cloneInto(folder: string): string {
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  for (const file of files.trim().split('\n')) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(root, file), join(folder, file))
  }
  return folder
}

function readmeCommand(): string {
  const section = readFileSync(join(root, 'README.md'), 'utf8').split('## Run it')[1]!
  return /```sh\n(.*?)\n```/s.exec(section)![1]!
}

function run(command: string, folder: string) {
  // The machine's own Node, not ours: a stranger does not have our node_modules on the path.
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((entry) => !entry.includes('node_modules'))
  const env = { ...process.env, PATH: path.join(delimiter), PORT: '0', DATA_DIR: './data', DATABASE_URL: '' }
  const child = spawn('sh', ['-c', command], { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const exit = new Promise<number | null>((resolve) => {
    child.once('close', resolve)
  })
  const address = new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      const found = /running at (\S+)/.exec(output)?.[1]
      if (found) resolve(found)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    void exit.then((code) => reject(new Error(`ended with ${code}: ${output}`)))
  })
  return { address, exit, group: child.pid! }
}
