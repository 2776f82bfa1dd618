import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { compileCache } from '../test-support/program.ts'

const program = fileURLToPath(new URL('../test-support/failing-program.ts', import.meta.url))

function run(fault: 'rejection' | 'exception') {
  const env = { PATH: process.env['PATH'] ?? '', LOG_LEVEL: 'info', ...compileCache }
  return spawnSync(process.execPath, [program, fault], { encoding: 'utf8', env })
}

it('logs and counts a rejection that nothing handles, and goes on', () => {
  const { status, stdout } = run('rejection')
  expect(stdout).toContain('rejected without a handler')
  expect(stdout).toContain('"stack":')
  expect(stdout).toContain('goes on after 1 unhandled rejection')
  expect([status, stdout.includes('closed in order')]).toEqual([0, true])
})

it('closes in order after an exception that nothing caught, with the code that has it started again', () => {
  const { status, stdout } = run('exception')
  expect(stdout).toContain('thrown outside of any promise')
  expect([status, stdout.includes('closed in order')]).toEqual([70, true])
})
