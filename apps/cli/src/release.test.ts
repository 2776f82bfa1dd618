import { chained, RECORD_FORMAT } from '@tradewright/core/forward-record'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { bundledCli } from '../../../scripts/bundled-cli.ts'
import { temporaryFolder } from '../../server/test-support/temporary-folder.ts'

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))))

it('runs from the files of a release, by npx as well, before anything is installed', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'apps/cli/dist'), { recursive: true })
  writeFileSync(join(folder, 'apps/cli/dist/tradewright.mjs'), await bundledCli(root))
  const launcher = ['tradewright', 'operator-commands', 'project-node'].map((name) => `scripts/${name}.mjs`)
  for (const file of ['package.json', ...launcher]) cpSync(join(root, file), join(folder, file))

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
