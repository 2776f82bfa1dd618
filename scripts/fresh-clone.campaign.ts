import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'

const MAX_MB = 450

const root = dirname(dirname(fileURLToPath(import.meta.url)))

it("starts from a fresh clone with the README's own command", { timeout: 300_000 }, async () => {
  const clone = cloneInto(mkdtempSync(join(tmpdir(), 'tradewright-clone-')))
  const began = performance.now()
  const program = run(readmeCommand(), clone)
  const url = await program.address
  expect(await (await fetch(`${url}/health`)).json()).toEqual({ status: 'ok' })
  expect(await (await fetch(url, { headers: { accept: 'text/html' } })).text()).toContain('<title>Tradewright</title>')
  const seconds = Math.round((performance.now() - began) / 1000)
  const history = historySize()
  const first = megabytes(clone) + history
  process.kill(-program.group, 'SIGINT')
  await program.exit
  // The end writes what was compiled, and the log of the database.
  const last = megabytes(clone) + history
  // oxlint-disable-next-line no-console -- the figures of docs/performance.md
  console.log(`healthy after ${seconds} s with ${first} MB, ended with ${last} MB, of which .git has ${history}`)
  expect(Math.max(first, last)).toBeLessThanOrEqual(MAX_MB)
  expect(existsSync(join(clone, 'data/postgres/PG_VERSION'))).toBe(true)
  expect(existsSync(join(clone, 'data/postgres/postmaster.pid')), 'the database is still running').toBe(false)
})

it('starts after `npm ci` with what that installed', { timeout: 300_000 }, async () => {
  const clone = cloneInto(mkdtempSync(join(tmpdir(), 'tradewright-clone-')))
  await run('npm ci', clone).exit
  const program = run(readmeCommand(), clone)
  expect(await (await fetch(`${await program.address}/health`)).json()).toEqual({ status: 'ok' })
  process.kill(-program.group, 'SIGINT')
  await program.exit
  expect(program.output()).not.toContain('Installing')
  expect(existsSync(join(clone, 'node_modules/vitest'))).toBe(true)
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

function megabytes(folder: string): number {
  return Number(execFileSync('du', ['-sm', folder], { encoding: 'utf8' }).split('\t')[0])
}

/** What a clone has beside the files. */
function historySize(): number {
  const folder = mkdtempSync(join(tmpdir(), 'tradewright-history-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  // A path would be copied with all that lies in it; an address is packed as a server does.
  execFileSync('git', ['clone', '--quiet', '--bare', '--single-branch', pathToFileURL(root).href, folder])
  return megabytes(folder)
}

function readmeCommand(): string {
  const section = readFileSync(join(root, 'README.md'), 'utf8').split('## Run it')[1]!
  return /```sh\n(.*?)\n```/s.exec(section)![1]!
}

function run(command: string, folder: string) {
  // The machine's own Node, not ours: a stranger does not have our node_modules on the path.
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((entry) => !entry.includes('node_modules'))
  // The clone keeps what is compiled for it.
  const { NODE_COMPILE_CACHE: _, ...own } = process.env
  const env = { ...own, PATH: path.join(delimiter), PORT: '0', DATA_DIR: './data', DATABASE_URL: '' }
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
  return { address, exit, group: child.pid!, output: () => output }
}
