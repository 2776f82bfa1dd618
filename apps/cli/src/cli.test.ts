import { chained, RECORD_FORMAT } from '@tradewright/core/forward-record'
import { rulesExamples } from '@tradewright/core/rules/examples'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { mlForm } from '../../server/test-support/backtest-form.ts'
import { longForm, optimizationForm } from '../../server/test-support/optimization.ts'
import { temporaryFolder } from '../../server/test-support/temporary-folder.ts'
import { headersOf, post, register } from '../../server/test-support/visitor.ts'
import { keyOf, type ListeningApp, listeningApp, run } from '../test-support/cli.ts'
import { commands } from './catalogue.ts'

const isInstalled = (program: string) => spawnSync(program, ['--version']).status === 0

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

describe('login', () => {
  it('keeps address and key for later commands, readable by their owner alone', async () => {
    const { user, key, id } = await keyOf(server, ['read'])
    const home = { XDG_CONFIG_HOME: temporaryFolder() }
    const answer = await run(['login', '--url', `${server.url}/api/v1/`], home, { stdin: `${key}\n` })
    expect(answer).toMatchObject({ exit: 0, stderr: '' })
    expect(answer.stdout).toContain('Key “Notebook”: read; expires')
    const file = join(home.XDG_CONFIG_HOME, 'tradewright/credentials.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ url: server.url, key })
    expect((await run(['deployments'], home)).stdout).toBe('No deployments yet.\n')

    const elsewhere = { ...home, TRADEWRIGHT_URL: 'http://127.0.0.1:9' }
    expect(await run(['deployments'], elsewhere)).toMatchObject({
      exit: 3,
      stderr: expect.stringContaining(`The stored key is for ${server.url}.`),
    })

    const gone = { method: 'DELETE', url: `/api/keys/${id}`, headers: headersOf(user) } as const
    expect((await server.app.inject(gone)).statusCode).toBe(200)
    expect(await run(['deployments'], home)).toMatchObject({
      exit: 3,
      stderr: expect.stringContaining('The API key “Notebook” was revoked on'),
    })
  })

  it.each([
    ['a key of another form', { stdin: 'secret\n' }, 2, 'An API key begins with tw_.'],
    ['an unknown key', { stdin: `tw_${'a'.repeat(43)}\n` }, 3, 'API key'],
  ])('refuses %s and stores nothing', async (_, settings, exit, sentence) => {
    const home = { XDG_CONFIG_HOME: temporaryFolder() }
    const answer = await run(['login', '--url', server.url], home, settings)
    expect(answer).toMatchObject({ exit, stdout: '', stderr: expect.stringContaining(sentence) })
    expect((await run(['deployments'], home)).stderr).toContain('Not signed in.')
  })
})

describe('backtest', () => {
  it('shows every figure in aligned columns and says that the prices are synthetic', async () => {
    const { exit, stdout } = await run(['backtest', fileOf(SIXTY_FORTY)], env)
    expect(exit).toBe(0)
    expect(stdout).toMatch(/^Sixty forty \(Asset Allocation\), 2020-01-02 to 2021-12-30\n/)
    expect(stdout).toContain('! Synthetic data: the prices of AGG, SPY are made up by the sample market.')
    expect(stdout).toContain('Win rate')
    const figures = stdout.split('\n').filter((line) => /^(CAGR|Sharpe|Max drawdown) /.test(line))
    expect(figures).toHaveLength(3)
    expect(new Set(figures.map((line) => /^.*?\d(?=%?(  |$))%?/.exec(line)![0].length)).size).toBe(1)
    expect(stdout).not.toContain('\u001b')
    expect(stdout).not.toMatch(/NaN|undefined|null/)
  })

  it('answers one JSON document, writes files, and saves under a name', async () => {
    const folder = temporaryFolder()
    const [json, csv] = [join(folder, 'result.json'), join(folder, 'equity.csv')]
    const words = ['backtest', fileOf(SIXTY_FORTY), '--json', '--save', 'Kept', '--out', json, '--out', csv]
    const { exit, stdout } = await run([...words, '--set', 'startValue=5000'], env)
    expect(exit).toBe(0)
    const result = JSON.parse(stdout) as { strategy_name: string; backtest_id: number; detailed_results: unknown[] }
    expect(result).toMatchObject({
      strategy_name: 'Kept',
      backtest_id: expect.any(Number),
      settings: { start_value: 5000 },
    })
    expect(JSON.parse(readFileSync(json, 'utf8'))).toEqual(result)
    const rows = readFileSync(csv, 'utf8').trim().split('\n')
    expect(rows[0]).toBe('date,value,signal,source')
    expect(rows).toHaveLength(result.detailed_results.length + 1)
  })

  it('names in the file the days on which prices of a fallback stand in', async () => {
    const csv = join(temporaryFolder(), 'equity.csv')
    const gold = { ...SIXTY_FORTY, allocations: { 'GLD?FB=SPY': 100 } }
    const dates = ['--set', 'startDate=2004-06-01', '--set', 'endDate=2005-06-01']
    const { exit, stdout } = await run(['backtest', fileOf(gold), '--out', csv, ...dates], env)
    expect(exit, stdout).toBe(0)
    const [header, first, ...rest] = readFileSync(csv, 'utf8').trim().split('\n')
    expect(header).toBe('date,value,signal,source,stand_in_prices')
    expect(first).toMatch(/,Synthetic sample data,SPY for GLD$/)
    expect(rest.at(-1)).toMatch(/,Synthetic sample data,$/)
  })

  it('takes strategies of every type, and what the server has saved', async () => {
    const { allocations: _, ...period } = SIXTY_FORTY
    const rules = fileOf({ ...period, rules: rulesExamples[0]!.tree })
    expect((await run(['backtest', rules], env)).stdout).toContain('(Rules)')

    const { features, target, ...ml } = mlForm
    const learned = {
      strategy_type: 'ML',
      name: 'Learned',
      config: {
        ...Object.fromEntries(Object.entries(ml).filter(([name]) => !name.endsWith('[]') && name !== 'strategyName')),
        features: JSON.parse(features as string) as unknown,
        target: JSON.parse(target as string) as unknown,
        signal1_allocations: [{ ticker: 'SPY', allocation: 100 }],
        signal0Allocations: { AGG: 100 },
      },
    }
    const { exit, stdout, stderr } = await run(['backtest', fileOf(learned), '--set', 'start_date=2020-01-02'], env)
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
    expect(stdout).toContain('Learned (ML)')
  })

  it.each([
    ['no JSON', 'a strategy', [], 'is not JSON'],
    ['a list', [1], [], 'A strategy is a JSON object.'],
    ['an unknown setting', { ...SIXTY_FORTY, stratDate: 1 }, [], 'A backtest has no setting “stratDate”.'],
    ['an unknown ending', SIXTY_FORTY, ['--out', 'x.parquet'], '--out takes a file that ends in .json or .csv'],
    ['a setting without a value', SIXTY_FORTY, ['--set', 'x'], '--set takes NAME=VALUE'],
    ['an unknown option', SIXTY_FORTY, ['--fast'], "Unknown option '--fast'. See “tradewright backtest --help”."],
  ])('refuses %s as wrong usage', async (_, file, options, sentence) => {
    const answer = await run(['backtest', fileOf(file), ...options], env)
    expect(answer).toMatchObject({ exit: 2, stdout: '' })
    expect(answer.stderr).toContain(sentence)
  })

  it('passes the refusal of the server on, as JSON where that was asked for', async () => {
    const file = fileOf({ ...SIXTY_FORTY, startDate: '2031-01-02', endDate: '2030-01-02' })
    const { exit, stdout, stderr } = await run(['backtest', file, '--json'], env)
    expect({ exit, stderr }).toEqual({ exit: 1, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({ error: expect.stringContaining('date'), exit: 1 })
  })

  it('shows no control character of a name', async () => {
    // The server refuses those that move a terminal's cursor; what turns text around it lets through.
    const name = 'Red\u202etext\u200b'
    const refused = await run(['backtest', fileOf({ ...SIXTY_FORTY, name: 'Red\u001b[31m\u0007\u009b2J' })], env)
    expect(refused).toMatchObject({ exit: 1, stdout: '' })
    expect(refused.stderr.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    const { stdout } = await run(['backtest', fileOf({ ...SIXTY_FORTY, name })], env)
    expect(stdout).toMatch(/^Red/)
    expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    const json = await run(['backtest', fileOf({ ...SIXTY_FORTY, name }), '--json'], env)
    expect(json.stdout.trimEnd()).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    expect(JSON.parse(json.stdout)).toMatchObject({ strategy_name: name })
  })
})

describe('optimize', () => {
  it('follows a run to its result, whose strategy can be backtested', async () => {
    const winner = join(temporaryFolder(), 'winner.json')
    const answer = await run(['optimize', fileOf(optimizationForm), '--out', winner], env)
    expect(answer).toMatchObject({ exit: 0, stderr: '' })
    expect(answer.stdout).toMatch(/Run \d+ \(SPY\): completed/)
    const tested = await run(['backtest', winner, '--set', 'dataProvider=sample', '--set', 'n_estimators=10'], env)
    expect(tested).toMatchObject({ exit: 0, stderr: '' })

    const id = /Run (\d+)/.exec(answer.stdout)![1]!
    const again = await run(['optimize', 'result', id, '--json'], env)
    expect(JSON.parse(again.stdout)).toMatchObject({ id: Number(id), status: 'completed' })
    expect((await run(['optimize', 'list'], env)).stdout).toContain('completed')
    expect(await run(['optimize', 'result', '999999'], env)).toMatchObject({ exit: 1 })
    expect(await run(['optimize', 'result', 'x'], env)).toMatchObject({ exit: 2 })
  })

  const newestRun = async () => {
    const { stdout } = await run(['optimize', 'list', '--json'], env)
    return (JSON.parse(stdout) as { optimization_runs: { id: number }[] }).optimization_runs[0]?.id
  }

  it('cancels a run when it is interrupted', async () => {
    const interruption = new AbortController()
    const before = await newestRun()
    const running = run(['optimize', fileOf(longForm)], env, { interrupted: interruption.signal })
    await expect.poll(newestRun).not.toBe(before)
    interruption.abort()
    const { exit, stderr } = await running
    expect(exit).toBe(130)
    const id = /Cancelled run (\d+)/.exec(stderr)![1]!
    const { stdout } = await run(['optimize', 'follow', id, '--json'], env)
    expect(JSON.parse(stdout)).toMatchObject({ status: 'abandoned' })
  })
})

describe('data', () => {
  it('imports a file and exports the same values', async () => {
    const rows = ['2020-01-02,10.1,10.12345678901234', '2020-01-03,10.2,11', '2020-01-06,10.3,12.5']
    const file = fileOf(`date,open,close\n${rows.join('\n')}\n`, 'fund.csv')
    const answer = await run(['data', 'import', file, '--ticker', 'MYFUND'], env)
    expect(answer).toMatchObject({ exit: 0, stderr: '' })
    const { stdout } = await run(['data', 'export', 'MYFUND'], env)
    expect(stdout).toBe(`date,open,close\n${rows.join('\n')}\n`)
    const part = await run(['data', 'export', 'MYFUND', '--from', '2020-01-06', '--json'], env)
    expect(JSON.parse(part.stdout)).toMatchObject({ rows: [{ close: 12.5 }], synthetic: false })
    expect(await run(['data', 'export', 'NOSUCH'], env)).toMatchObject({ exit: 1 })
    expect(await run(['data', 'import', file], env)).toMatchObject({ exit: 2 })
  })
})

describe('deployments', () => {
  it('are not touched by a key without a trade scope', async () => {
    expect(JSON.parse((await run(['deployments', '--json'], env)).stdout)).toMatchObject({ deployments: [] })
    const answer = await run(['deployments', 'stop', '1'], env)
    expect(answer).toMatchObject({ exit: 3, stdout: '' })
    expect(answer.stderr).toContain('scope')
  })
})

describe('deployments, with a key that may trade on paper', () => {
  it('are listed, started and stopped, under names that do not steer the terminal', async () => {
    const user = await register(server)
    const headers = headersOf(user)
    const send = async (url: string, body: object) => (await post(server, url, body, headers)).json<Created>()
    const config = { allocations: [{ ticker: 'SPY', allocation: 100 }], dataProvider: 'sample' }
    const strategy = await send('/api/strategies', { name: 'Held', strategy_type: 'Asset Allocation', config })
    const { account } = await send('/api/alpaca/paper-account', {})
    const { deployment_id: id } = await send('/api/deployment/create', {
      deployment_name: 'On\u202epaper',
      strategy_id: strategy.id,
      alpaca_account_id: account.id,
      capital_policy_value: 1000,
    })
    const { key } = await keyOf(server, ['read', 'trade-paper'], user)
    const own = { ...env, TRADEWRIGHT_KEY: key }
    const listed = await run(['deployments'], own)
    expect(listed.stdout).toMatch(/^ID +Name +Status +Account +Capital +P&L +Next check\n/)
    expect(listed.stdout).toMatch(/On paper +created .*\(paper\) +\$1,000\.00/)
    expect(await run(['deployments', 'start', `${id}`], own)).toMatchObject({
      exit: 0,
      stdout: 'On paper is running.\n',
    })
    const stopped = await run(['deployments', 'stop', `${id}`, '--json'], own)
    expect(JSON.parse(stopped.stdout)).toMatchObject({ deployment: { status: 'stopped' } })
    expect(await run(['deployments', 'start', 'x'], own)).toMatchObject({ exit: 2 })
  })
})

interface Created {
  id: number
  account: { id: number }
  deployment_id: number
}

describe('verify', () => {
  it('answers identical, or names the first value that differs with exit code 1', async () => {
    const ran = await run(['backtest', fileOf(SIXTY_FORTY), '--json'], env)
    const { result_id: id } = JSON.parse(ran.stdout) as { result_id: number }
    const headers = { authorization: `Bearer ${env['TRADEWRIGHT_KEY']}` }
    const { body } = await server.app.inject({ url: `/api/v1/backtests/${id}/passport?rows=true`, headers })
    expect(await run(['verify', fileOf(body)], env)).toMatchObject({
      exit: 0,
      stdout: expect.stringMatching(/^Identical to the last bit/),
    })
    const changed = await run(['verify', fileOf(body.replace(/"startValue":10000\b/, '"startValue":10001'))], env)
    expect(changed.exit).toBe(1)
    expect(changed.stdout.split('\n').length).toBeGreaterThan(2)
    expect(await run(['verify', fileOf(body.slice(0, 500))], env)).toMatchObject({ exit: 1, stdout: '' })
    expect(await run(['verify', '/no/such/file'], env)).toMatchObject({ exit: 2 })
  })

  it('checks a forward record without a server, and names the first entry that was changed', async () => {
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
    const header = '{"name":"Momentum"}'
    const entry = (previous: string, seq: number) =>
      chained(sha256, previous, JSON.stringify({ seq, at: `2026-03-0${seq}T20:00:00.000Z`, weights: { SPY: 0.5 } }))
    const first = entry(sha256(header), 1)
    const second = entry(first.hash, 2)
    const record = { format: RECORD_FORMAT, version: 1, header, entries: [first, second], head: second.hash }
    const whole = await run(['verify', fileOf(record)], {})
    expect(whole).toMatchObject({ exit: 0, stdout: expect.stringMatching(/^The chain is whole: 2 entries/) })
    expect(whole.stdout).toContain('It does not prove by itself when an entry was written')
    const text = JSON.stringify(record).replace('0.5', '0.9')
    const changed = await run(['verify', fileOf(text), '--json'], {})
    expect(changed.exit).toBe(1)
    expect(JSON.parse(changed.stdout)).toMatchObject({ is_whole: false, first_bad: 1 })
    expect(await run(['verify', fileOf({ ...record, head: 'x' })], {})).toMatchObject({ exit: 2 })
  })
})

describe('watch', () => {
  it('writes a JSON line for each change until it is interrupted', async () => {
    const interruption = new AbortController()
    let seen = ''
    const watching = run(['watch', '--json'], env, {
      interrupted: interruption.signal,
      onOutput: ({ stdout }) => (seen = stdout),
    })
    const newest = () => JSON.parse(seen.trim().split('\n').at(-1) || '{}') as { kind?: string; state?: string }
    // It does not say when it is connected: a change before that is missed, and the next one is not.
    const change = async () => {
      await run(['backtest', fileOf(SIXTY_FORTY)], env)
      return newest()
    }
    await expect.poll(change).toMatchObject({ kind: 'backtest', state: 'completed' })
    interruption.abort()
    const { exit, stdout } = await watching
    expect(exit).toBe(130)
    for (const line of stdout.trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ event: 'job' })
  })
})

it('says that the server is away with exit code 4', async () => {
  const away = { ...env, TRADEWRIGHT_URL: 'http://127.0.0.1:9' }
  for (const words of [['deployments'], ['watch'], ['backtest', fileOf(SIXTY_FORTY)]]) {
    expect(await run(words, away)).toMatchObject({
      exit: 4,
      stderr: 'tradewright: Tradewright cannot be reached at http://127.0.0.1:9. Is it running?\n',
    })
  }
})

describe('help and completion', () => {
  it.each(commands.map(({ name }) => name))('%s has help with an example', async (name) => {
    const { exit, stdout } = await run([...name.split(' '), '--help'], {})
    expect(exit).toBe(0)
    expect(stdout).toContain(`Usage: tradewright ${name}`)
    expect(stdout).toMatch(/Examples:\n {2}tradewright/)
  })

  it('knows every command, and refuses others', async () => {
    const { exit, stdout } = await run([], {})
    expect(exit).toBe(0)
    for (const { name } of commands) expect(stdout).toContain(`  ${name} `)
    expect(stdout).toContain('rotate-secret')
    expect(await run(['trade'], {})).toMatchObject({ exit: 2, stdout: '' })
    expect(await run(['data'], {})).toMatchObject({ exit: 2 })
  })

  it('completes commands, second words, options and files in bash', async () => {
    const { stdout: script } = await run(['completion', 'bash'], {})
    const completed = (...words: string[]) => {
      const line = `COMP_WORDS=(tradewright ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _tradewright; echo "\${COMPREPLY[@]}"`
      return spawnSync('bash', ['-c', `${script}\n${line}`], { encoding: 'utf8' }).stdout.trim()
    }
    expect(completed('ba')).toBe('backtest')
    expect(completed('data', 'im')).toBe('import')
    expect(completed('backtest', '--sa')).toBe('--save')
    expect(completed('data', 'export', 'SPY', '--fr')).toBe('--from')
    expect(completed('completion', 'z')).toBe('zsh')
    expect(completed('verify', '/etc/hostn')).toContain('/etc/hostname')
  })

  it('completes them in zsh', async ({ skip }) => {
    skip(!isInstalled('zsh'), 'zsh is not installed')
    const { stdout: script } = await run(['completion', 'zsh'], {})
    // Candidates as zsh is given them; it leaves out itself what does not begin with what was typed.
    const given = 'compdef() {}; compadd() { shift; print -- "$@" }; _files() { print -- FILES }'
    const completed = (...words: string[]) => {
      const line = `words=(tradewright ${words.join(' ')} ''); CURRENT=${words.length + 2}; _tradewright`
      const { stdout, stderr } = spawnSync('zsh', ['-fc', `${given}\n${script}\n${line}`], { encoding: 'utf8' })
      expect(stderr).toBe('')
      return stdout.trim().split(/\s/)
    }
    expect(completed()).toEqual(expect.arrayContaining(['login', 'backtest', 'data', 'deployments']))
    expect(completed('data')).toEqual(['import', 'export'])
    expect(completed('data', 'export', 'SPY')).toContain('--from')
    expect(completed('completion')).toContain('zsh')
    expect(completed('verify')).toContain('FILES')
    expect(completed('backtest', '--out')).toEqual(['FILES'])
  })

  it('completes them in fish', async ({ skip }) => {
    skip(!isInstalled('fish'), 'fish is not installed')
    const script = fileOf((await run(['completion', 'fish'], {})).stdout, 'tradewright.fish')
    const env = { PATH: process.env['PATH'], HOME: temporaryFolder() }
    const completed = (line: string) => {
      const words = ['-c', `source ${script}; complete -C '${line}'`]
      const { stdout, stderr } = spawnSync('fish', words, { encoding: 'utf8', env })
      expect(stderr).toBe('')
      return stdout
        .trim()
        .split('\n')
        .map((candidate) => candidate.split('\t')[0])
    }
    expect(completed('tradewright ba')).toEqual(['backtest'])
    expect(completed('tradewright data im')).toEqual(['import'])
    expect(completed('tradewright backtest --sa')).toEqual(['--save'])
    expect(completed('tradewright data export SPY --fr')).toEqual(['--from'])
    expect(completed('tradewright completion z')).toEqual(['zsh'])
    expect(completed('tradewright verify /etc/hostn')).toContain('/etc/hostname')
  })
})
