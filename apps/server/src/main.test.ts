import { readFileSync, statSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readEvents } from '../test-support/event-reader.ts'
import { failedStart, startProgram, type Environment, type RunningProgram } from '../test-support/program.ts'
import { readyDataDir } from '../test-support/ready-data-dir.ts'
import { temporaryFolder } from '../test-support/temporary-folder.ts'

async function start(environment: Environment) {
  const program = await startProgram(environment)
  onTestFinished(async () => {
    await program.stop('SIGKILL')
  })
  return program
}

/** The events of a new user. */
async function listen({ url }: RunningProgram) {
  const answer = await fetch(`${url}/api/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'ann', password: 'correct horse' }),
  })
  const { token } = (await answer.json()) as { token: string }
  const reader = await readEvents(url, { authorization: `Bearer ${token}` })
  reader.ended.catch(() => {})
  onTestFinished(() => reader.leave())
  return reader
}

describe('the program', () => {
  it('starts in an empty folder, answers /health, keeps its secret to itself and stops on Ctrl-C with its database and streams', async () => {
    const folder = join(temporaryFolder(), 'data')
    const program = await start({ DATA_DIR: folder })
    const answer = await fetch(`${program.url}/health`)
    expect([answer.status, await answer.json()]).toEqual([200, { status: 'ok' }])
    expect(statSync(join(folder, 'app-secret')).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(folder, 'app-secret'), 'utf8').trim().length).toBeGreaterThanOrEqual(32)
    const events = await listen(program)
    expect(await program.stop('SIGINT')).toBe(0)
    await events.ended
    expect(() => statSync(join(folder, 'postgres/postmaster.pid'))).toThrow('ENOENT')
  })
})

describe('a start that cannot succeed', () => {
  it('says which port is in use and what to do, and leaves no database running', async () => {
    const occupied = createServer()
    await new Promise<void>((resolve) => occupied.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void occupied.close())
    const { port } = occupied.address() as AddressInfo
    const folder = readyDataDir()
    const { exitCode, output } = await failedStart({ DATA_DIR: folder, PORT: String(port) })
    expect(exitCode).toBe(1)
    expect(output).toBe(
      `Port ${port} is in use. Stop the other program, or choose another port: PORT=${port + 1} npm start\n`,
    )
    expect(() => statSync(join(folder, 'postgres/postmaster.pid'))).toThrow('ENOENT')
  })

  it.each([
    [{ PORT: 'many' }, 'Configuration: PORT must be a number.\n'],
    [{ DATABASE_URL: 'mysql://x' }, /DATABASE_URL must look like postgres:\/\//],
    [{ APP_SECRET: 'short' }, /APP_SECRET is too short/],
    [{ GOOGLE_CLIENT_ID: 'id' }, /GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET go together/],
    [{ DATABASE_URL: 'postgres://none:x@127.0.0.1:1/none' }, /^The database at DATABASE_URL cannot be used: .*\n$/],
  ] as [Environment, string | RegExp][])('names the setting that is wrong: %o', async (environment, sentence) => {
    const { exitCode, output } = await failedStart({ DATA_DIR: temporaryFolder(), ...environment })
    expect(exitCode).toBe(1)
    if (typeof sentence === 'string') expect(output).toBe(sentence)
    else expect(output).toMatch(sentence)
  })
})
