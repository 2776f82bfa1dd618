import { chained, RECORD_FORMAT } from '@tradewright/core/forward-record'
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { bundledCli } from '../../../scripts/bundled-cli.ts'
import { temporaryFolder } from '../../server/test-support/temporary-folder.ts'
import { keyOf, listeningApp } from '../test-support/cli.ts'

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))))

/** The files of a release that the command line consists of. */
async function releaseIn(folder: string): Promise<void> {
  mkdirSync(join(folder, 'apps/cli/dist'), { recursive: true })
  writeFileSync(join(folder, 'apps/cli/dist/tradewright.mjs'), await bundledCli(root))
  const launcher = ['tradewright', 'operator-commands', 'project-node'].map((name) => `scripts/${name}.mjs`)
  for (const file of ['package.json', ...launcher]) cpSync(join(root, file), join(folder, file))
}

it('is installed from its tarball into an empty folder, without install scripts, and works with a server', async () => {
  const [release, folder] = [temporaryFolder(), temporaryFolder()]
  await releaseIn(join(release, 'tradewright-0.0.0'))
  const tarball = join(release, 'tradewright.tar.gz')
  expect(spawnSync('tar', ['-czf', tarball, '-C', release, 'tradewright-0.0.0']).status).toBe(0)
  writeFileSync(join(folder, 'package.json'), '{}')
  const server = await listeningApp()
  const env = { PATH: process.env['PATH'], HOME: folder, XDG_CONFIG_HOME: join(folder, 'config') }
  const run = async (command: string, args: readonly string[], input = '') => {
    const child = spawn(command, args, { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe'] })
    child.stdin.end(input)
    const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    return { status: status[0] as number, stdout, stderr }
  }
  const options = ['--offline', '--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund']
  const installed = await run('npm', ['install', ...options, tarball])
  expect(installed, installed.stderr).toMatchObject({ status: 0 })
  const tradewright = (args: string[], input?: string) => run('npx', ['--offline', 'tradewright', ...args], input)
  expect((await tradewright(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  const { key } = await keyOf(server, ['read', 'research'])
  const signedIn = await tradewright(['login', '--url', server.url], `${key}\n`)
  expect(signedIn, signedIn.stderr).toMatchObject({ status: 0 })
  const strategy = {
    startDate: '2020-01-02',
    endDate: '2021-12-30',
    dataProvider: 'sample',
    allocations: { SPY: 100 },
  }
  writeFileSync(join(folder, 'strategy.json'), JSON.stringify(strategy))
  const tested = await tradewright(['backtest', 'strategy.json', '--json'])
  expect(tested, tested.stderr).toMatchObject({ status: 0 })
  expect(JSON.parse(tested.stdout)).toMatchObject({ settings: { start_value: 10_000 } })
})

it('runs from the files of a release, by npx as well, before anything is installed', async () => {
  const folder = temporaryFolder()
  await releaseIn(folder)
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
  const header = '{"name":"Momentum"}'
  const entry = chained(sha256, sha256(header), JSON.stringify({ seq: 1, at: '2026-03-01T20:00:00.000Z', weights: {} }))
  const record = { format: RECORD_FORMAT, version: 1, header, entries: [entry], head: entry.hash }
  writeFileSync(join(folder, 'record.json'), JSON.stringify(record))
  const run = (command: string, args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' })
    return { status, stdout, stderr }
  }
  const verified = run(process.execPath, ['scripts/tradewright.mjs', 'verify', 'record.json', '--json'])
  expect(verified, verified.stderr).toMatchObject({ status: 0 })
  expect(JSON.parse(verified.stdout)).toMatchObject({ is_whole: true })
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const byNpx = run('npx', ['--offline', 'tradewright', '--version'])
  expect(byNpx, byNpx.stderr).toMatchObject({ status: 0, stdout: `${version}\n` })
  expect(run('npx', ['--offline', 'tradewright', 'trade'])).toMatchObject({ status: 2, stdout: '' })
})
