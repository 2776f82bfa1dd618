import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

const supervisor = new URL('./supervise.mjs', import.meta.url).href

/** A launcher over a program that behaves differently in each of its lives; both are real processes. */
function launch(lives: string[], maxDelayMs = 1, endWithinMs = 20_000) {
  const folder = mkdtempSync(join(tmpdir(), 'tradewright-supervise-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(
    join(folder, 'program.mjs'),
    `import { appendFileSync, readFileSync } from 'node:fs'
     const { TRADEWRIGHT_RESTARTS: restarts = '0', PORT: port } = process.env
     appendFileSync(${JSON.stringify(join(folder, 'lives'))}, \`\${restarts} \${port}\\n\`)
     const ready = (port) => new Promise((resolve) => process.send({ is: 'ready', port }, resolve))
     const misconfigured = () => new Promise((resolve) => process.send({ is: 'misconfigured' }, resolve))
     const lives = [${lives.map((life) => `async () => { ${life} }`).join(',')}]
     await lives[Number(restarts)]()`,
  )
  writeFileSync(
    join(folder, 'launcher.mjs'),
    `import { supervise } from ${JSON.stringify(supervisor)}
     const args = [${JSON.stringify(join(folder, 'program.mjs'))}]
     const env = { ...process.env, PORT: '0' }
     process.exit(await supervise({ command: process.execPath, args, env, maxDelayMs: ${maxDelayMs}, endWithinMs: ${endWithinMs} }))`,
  )
  const launcher = spawn(process.execPath, [join(folder, 'launcher.mjs')], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [launcher.stdout, launcher.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  }
  const ended = new Promise<number | null>((resolve) => {
    launcher.once('close', resolve)
  })
  return {
    launcher,
    ended,
    output: () => output,
    lives: () => readFileSync(join(folder, 'lives'), 'utf8').trim().split('\n'),
  }
}

const killed = `process.kill(process.pid, 'SIGKILL'); await new Promise(() => setInterval(() => {}, 1000))`

it('starts a killed program again on the port it had, says so, and ends with it', async () => {
  const run = launch([`await ready(4321); ${killed}`, `await ready(4321); process.exit(70)`, `process.exit(0)`])
  expect(await run.ended).toBe(0)
  expect(run.lives()).toEqual(['0 0', '1 4321', '2 4321'])
  expect(run.output()).toContain('ended unexpectedly (killed by SIGKILL). Starting it again')
  expect(run.output()).toContain('ended unexpectedly (exit code 70). Starting it again')
})

it('does not start again what could not start at all', async () => {
  const run = launch(['process.exit(1)'])
  expect(await run.ended).toBe(1)
  expect(run.lives()).toHaveLength(1)
})

it('tries again after a restart that fails, but not with settings that are wrong', async () => {
  const run = launch([`await ready(); ${killed}`, 'process.exit(1)', 'await misconfigured(); process.exit(1)'])
  expect(await run.ended).toBe(1)
  expect(run.lives()).toHaveLength(3)
})

it.each(['SIGTERM', 'SIGINT'] as const)('stops for good on %s while it waits', async (signal) => {
  const run = launch([`await ready(); ${killed}`], 30_000)
  await expect.poll(() => run.output()).toContain('Starting it again')
  run.launcher.kill(signal)
  expect(await run.ended).toBe(0)
  expect(run.lives()).toHaveLength(1)
})

it('kills a program that closes and never ends, and starts it again', async () => {
  const hangs = `await new Promise((resolve) => process.send({ is: 'closing' }, resolve)); for (;;);`
  const run = launch([`await ready(); ${hangs}`, 'process.exit(0)'], 1, 50)
  expect(await run.ended).toBe(0)
  expect(run.lives()).toHaveLength(2)
})

it('lets a program that closes take the time it asks for, and more', async () => {
  const closing = (withinMs: number) =>
    `await new Promise((resolve) => process.send({ is: 'closing', withinMs: ${withinMs} }, resolve));`
  const endsLater = `${closing(10_100)} setTimeout(() => process.exit(0), 1_000)`
  const run = launch([`await ready(); ${endsLater}`], 1, 50)
  expect(await run.ended).toBe(0)
  expect(run.lives()).toHaveLength(1)
})

it('ends when the program was stopped by itself', async () => {
  const run = launch([`await ready(); process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000)`])
  expect(await run.ended).toBe(143)
  expect(run.lives()).toHaveLength(1)
})
