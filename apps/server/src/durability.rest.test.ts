import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { startProgram, type RunningProgram } from '../test-support/program.ts'
import { readyDataDir } from '../test-support/ready-data-dir.ts'

/** `npm run campaign` kills twenty times. */
const KILLS = Number(process.env['KILLS'] ?? 3)
const WRITERS = 4
const credentials = { username: 'writer', email: 'writer', password: 'correct horse battery staple' }

it('keeps every acknowledged write through many kills', async () => {
  const folder = readyDataDir()
  const acknowledged: string[] = []
  let program = await startProgram({ DATA_DIR: folder })
  acknowledged.push(await signIn(program, '/api/register'))
  for (let kill = 0; kill < KILLS; kill++) {
    const before = acknowledged.length
    const writing = Promise.all(Array.from({ length: WRITERS }, () => writeUntilItEnds(program, acknowledged)))
    await untilWritten(acknowledged, before + 1)
    await pause(randomInt(100))
    // Every second time the database dies with the program, as in a power cut.
    if (kill % 2 === 1) process.kill(databaseProcess(folder), 'SIGKILL')
    await program.stop('SIGKILL')
    await writing
    program = await startProgram({ DATA_DIR: folder })
    for (const token of acknowledged.slice(before)) expect(await isKnown(program, token)).toBe(true)
  }
  for (const token of acknowledged) expect(await isKnown(program, token)).toBe(true)
  expect(await program.stop()).toBe(0)
})

/** A sign-in writes a session; its answer is the acknowledgement. */
async function signIn(program: RunningProgram, path = '/api/login'): Promise<string> {
  const answer = await fetch(program.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credentials),
  })
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
  const { token } = (await answer.json()) as { token: string }
  return token
}

async function writeUntilItEnds(program: RunningProgram, acknowledged: string[]): Promise<void> {
  for (;;) {
    try {
      acknowledged.push(await signIn(program))
    } catch {
      return
    }
  }
}

async function untilWritten(acknowledged: string[], count: number): Promise<void> {
  await expect.poll(() => acknowledged.length, { interval: 5 }).toBeGreaterThanOrEqual(count)
}

async function isKnown(program: RunningProgram, token: string): Promise<boolean> {
  const answer = await fetch(`${program.url}/api/user`, { headers: { authorization: `Bearer ${token}` } })
  return answer.status === 200
}

function databaseProcess(folder: string): number {
  return Number(readFileSync(join(folder, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
}
