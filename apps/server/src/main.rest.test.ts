import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { failedStart, startProgram, type Environment } from '../test-support/program.ts'
import { readyDataDir } from '../test-support/ready-data-dir.ts'
import { temporaryFolder } from '../test-support/temporary-folder.ts'
import { openCluster } from './adapters/postgres/cluster.ts'
import { startServer } from './adapters/postgres/embedded-postgres.ts'
import { freePort } from './free-port.ts'

async function start(environment: Environment) {
  const program = await startProgram(environment)
  onTestFinished(async () => {
    await program.stop('SIGKILL')
  })
  return program
}

describe('the program', () => {
  it('goes on with the database that a killed run left running, and lets no second program use it', async () => {
    const folder = readyDataDir()
    const killed = await start({ DATA_DIR: folder })
    await killed.stop('SIGKILL')
    const next = await start({ DATA_DIR: folder, LOG_LEVEL: 'info' })
    expect((await fetch(`${next.url}/health`)).status).toBe(200)
    expect(next.output()).toContain('took over the database')
    const { output } = await failedStart({ DATA_DIR: folder })
    expect(output).toMatch(/^Another Tradewright is running on DATA_DIR .*\n$/)
    expect((await fetch(`${next.url}/health`)).status).toBe(200)
    expect(await next.stop()).toBe(0)
    expect(() => statSync(join(folder, 'postgres/postmaster.pid'))).toThrow('ENOENT')
  })

  it('answers 503 with a sentence while the database is away, and goes on when it is back', async () => {
    const cluster = await openCluster(readyDataDir())
    const port = await freePort()
    const database = await startServer(cluster, port)
    onTestFinished(() => database.stop())
    const url = `postgres://tradewright:${cluster.password}@127.0.0.1:${port}/postgres`
    const program = await start({ DATABASE_URL: url, DATA_DIR: temporaryFolder() })
    const health = async () => (await fetch(`${program.url}/health`)).status
    expect(await health()).toBe(200)

    await database.stop()
    await expect.poll(health).toBe(503)
    const away = (await (await fetch(`${program.url}/health`)).json()) as { error: string; message: string }
    expect(away.error).toBe('The database cannot be reached right now.')
    expect(away.message).toBe(away.error)

    const again = await startServer(cluster, port)
    onTestFinished(() => again.stop())
    await expect.poll(health).toBe(200)
    expect(await program.stop()).toBe(0)
  })
})

describe('a start that cannot succeed', () => {
  it('says that DATA_DIR cannot be written', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'file'), '')
    const { exitCode, output } = await failedStart({ DATA_DIR: join(folder, 'file', 'data') })
    expect(exitCode).toBe(1)
    expect(output).toMatch(
      /^DATA_DIR .* cannot be written \(ENOTDIR\)\. Make it writable, or set DATA_DIR to another folder\.\n$/,
    )
  })

  it('says that the database is damaged when it is, in one line', async () => {
    const folder = readyDataDir()
    rmSync(join(folder, 'postgres/global/pg_control'))
    const { exitCode, output } = await failedStart({ DATA_DIR: folder })
    expect(exitCode).toBe(1)
    expect(output).toMatch(/^The database in .* does not start: .*pg_control.* restore DATA_DIR from a backup, .*\n$/)
  })

  it('refuses a folder that holds something else', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'postgres'))
    writeFileSync(join(folder, 'postgres/notes.txt'), 'mine')
    const { output } = await failedStart({ DATA_DIR: folder })
    expect(output).toMatch(/is damaged: it does not hold a PostgreSQL database\..*\n$/)
    expect(readFileSync(join(folder, 'postgres/notes.txt'), 'utf8')).toBe('mine')
  })
})
