import { execFile, spawnSync } from 'node:child_process'
import { dirname } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { keyOf, type ListeningApp, listeningApp } from '../../apps/cli/test-support/cli.ts'
import { formOfStrategy } from '../../apps/cli/src/strategy-file.ts'
import { PYTHON_CLIENT } from './python-client.ts'

/** Debian's own first: pandas of the distribution is installed for it. */
const python = ['/usr/bin/python3', 'python3'].find((one) => spawnSync(one, ['--version']).status === 0) ?? ''
const hasPandas = spawnSync(python || 'false', ['-c', 'import pandas']).status === 0
if (!python) console.warn('Python is not installed: the Python client is not tested.')
else if (!hasPandas) console.warn('pandas is not installed: the Python client is tested without it alone.')

/** The tests whose answers are data frames. */
const WITH_FRAMES = ['RealServer.test_backtest', 'RealServer.test_data_goes_in_and_comes_out_page_by_page']

describe.skipIf(!python)('the Python client, on a real server', () => {
  let server: ListeningApp
  let env: Record<string, string>
  beforeAll(async () => {
    server = await listeningApp()
    const { key } = await keyOf(server, ['read', 'research'])
    env = {
      PATH: process.env['PATH']!,
      PYTHONDONTWRITEBYTECODE: '1',
      TRADEWRIGHT_URL: server.url,
      TRADEWRIGHT_KEY: key,
    }
  })

  /** The server answers from this process, so the script must not block it. */
  const runPython = (words: string[], more: Record<string, string> = {}) =>
    new Promise<{ code: number; output: string }>((resolve) => {
      const cwd = dirname(PYTHON_CLIENT)
      execFile(python, words, { cwd, env: { ...env, ...more } }, (error, stdout, stderr) =>
        resolve({ code: error ? 1 : 0, output: stdout + stderr }),
      )
    })

  it('reads strategies as the command line does', async () => {
    const period = { startDate: '2020-01-02', end_date: '2021-12-30', start_value: 5000, adjust_inflation: true }
    const learned = { features: [{ id: 7, params: { window: 14 } }], target: { id: 1, params: {} } }
    const strategies = [
      { name: 'A', allocations: { SPY: 60, AGG: 40 }, ...period, referenceTicker: null },
      {
        id: 3,
        name: 'B',
        strategy_type: 'Asset Allocation',
        config: { allocations: [{ ticker: 'SPY', allocation: 0.5 }] },
      },
      { strategy_name: 'C', strategy_type: 'ML', strategy_config: { ...learned, signal1_allocations: { SPY: 100 } } },
      {
        results: {
          optimized_strategy: { name: 'D', type: 'ML', features: [], target_id: 2, ml_parameters: { n_estimators: 9 } },
        },
      },
      { version: 1, check: 'daily', cash: 'CASHX', root: { kind: 'cash', id: 'out' } },
    ]
    const script =
      'import json, sys, tradewright; print(json.dumps([tradewright._form(one, {}) for one in json.loads(sys.argv[1])]))'
    const { output } = await runPython(['-c', script, JSON.stringify(strategies)])
    const forms = JSON.parse(output) as Record<string, unknown>[]
    expect(forms.map(readBack)).toEqual(strategies.map((one) => readBack(formOfStrategy(one))))
  })

  it('works without pandas', async () => {
    const { code, output } = await runPython(['test_tradewright.py'], { WITHOUT_PANDAS: '1' })
    expect(code, output).toBe(0)
  })

  it.skipIf(!hasPandas)('works with pandas', async () => {
    const { code, output } = await runPython(['test_tradewright.py', ...WITH_FRAMES])
    expect(code, output).toBe(0)
  })

  it('has an example that runs to its end', async () => {
    const { code, output } = await runPython(['example.py'])
    expect(code, output).toBe(0)
    expect(output).toContain('Identical to the last bit')
    expect(output).toContain('Refused:')
  })
})

/** JSON within a field has other spaces in Python. */
const readBack = (form: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(form).map(([name, value]) => [
      name,
      typeof value === 'string' && /^[{[]/.test(value) ? (JSON.parse(value) as unknown) : value,
    ]),
  )
