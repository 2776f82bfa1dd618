import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

it('loses nothing in a minute of faults', () => {
  const main = fileURLToPath(new URL('./main.ts', import.meta.url))
  const args = ['--users', '8', '--kills', '8', '--minutes', '1']
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], { encoding: 'utf8' })
  expect(status, `${stdout}\n${stderr}`).toBe(0)
})
