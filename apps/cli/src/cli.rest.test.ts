import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { mlForm } from '../../server/test-support/backtest-form.ts'
import { temporaryFolder } from '../../server/test-support/temporary-folder.ts'
import { inTerminal, keyOf, type ListeningApp, listeningApp } from '../test-support/cli.ts'

const program = join(dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url))))), 'scripts/tradewright.mjs')
const hasTerminal = spawnSync('script', ['--version']).status === 0

let server: ListeningApp
let env: Record<string, string>
beforeAll(async () => {
  server = await listeningApp()
  env = { TRADEWRIGHT_URL: server.url, TRADEWRIGHT_KEY: (await keyOf(server, ['read', 'research'])).key }
})

const SIXTY_FORTY = {
  name: 'Sixty forty',
  startDate: '2020-01-02',
  endDate: '2021-12-30',
  dataProvider: 'sample',
  allocations: { SPY: 60, AGG: 40 },
}

function fileOf(value: unknown, name = 'strategy.json'): string {
  const file = join(temporaryFolder(), name)
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value))
  return file
}

describe.skipIf(!hasTerminal)('on a terminal', () => {
  const command = (words: string) => `${process.execPath} ${program} ${words}`

  it('asks for address and key, and does not show the key', async () => {
    const { key } = await keyOf(server, ['read'])
    const session = inTerminal(command('login'), { XDG_CONFIG_HOME: temporaryFolder() })
    await expect.poll(session.screen).toContain('Address [http://127.0.0.1:3000]')
    session.type(`${server.url}\n`)
    await expect.poll(session.screen).toContain('API key (not shown)')
    session.type(`${key}\n`)
    expect(await session.ended).toBe(0)
    expect(session.screen()).toContain('Signed in to')
    expect(session.screen()).not.toContain(key)
  })

  it('shows a progress bar and colours', async () => {
    const session = inTerminal(command(`backtest ${fileOf(SIXTY_FORTY)}`), env)
    expect(await session.ended).toBe(0)
    expect(session.screen()).toMatch(/\[#*\.*\] /)
    expect(session.screen()).toContain('\u001b[1mSixty forty')
  })

  it('shows what it imports and downloads', async () => {
    const file = fileOf('date,close\n2020-01-02,10.5\n2020-01-03,11\n', 'fund.csv')
    const imported = inTerminal(command(`data import ${file} --ticker TERMFUND`), env)
    expect(await imported.ended, imported.screen()).toBe(0)
    expect(imported.screen()).toContain('Importing ')
    const parquet = join(temporaryFolder(), 'fund.parquet')
    const words = `data export TERMFUND --format parquet --out ${parquet}`
    const downloaded = inTerminal(command(words), env)
    expect(await downloaded.ended, downloaded.screen()).toBe(0)
    expect(downloaded.screen()).toContain('Downloading ')
    const size = statSync(parquet).size.toLocaleString('en-US')
    expect(downloaded.screen()).toContain(`Wrote ${size} bytes to ${parquet}.`)
    expect(readFileSync(parquet).subarray(0, 4).toString()).toBe('PAR1')

    const table = inTerminal(command('data export TERMFUND'), env)
    expect(await table.ended).toBe(0)
    expect(table.screen()).toContain('2020-01-03,11')
    const refused = inTerminal(command(`data export NOSUCH --format csv --out ${parquet}.csv`), env)
    expect(await refused.ended).toBe(1)
    expect(refused.screen()).toContain('There is no data for this selection.')
    expect(existsSync(`${parquet}.csv`)).toBe(false)
  })

  it('cancels the run on the server with Ctrl-C', async () => {
    const { features, target, ...ml } = mlForm
    const slow = fileOf({
      ...Object.fromEntries(Object.entries(ml).filter(([, value]) => value !== undefined)),
      features,
      target,
      startDate: '1995-01-03',
      n_estimators: 2000,
      wfStepSizePct: 1,
    })
    const { key } = await keyOf(server, ['read', 'research'])
    const session = inTerminal(command(`backtest ${slow} --save Slow`), { ...env, TRADEWRIGHT_KEY: key })
    await expect.poll(session.screen).toMatch(/Window|model|Training/i)
    session.type('\u0003')
    expect(await session.ended).toBe(130)
    expect(session.screen()).toContain('Cancelled.')
    const headers = { authorization: `Bearer ${key}` }
    expect((await server.app.inject({ url: '/api/v1/jobs', headers })).json()).toEqual({ jobs: [] })
  })
})
