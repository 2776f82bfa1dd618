import { BacktestAnswer, SavedBacktest } from '@tradewright/contract/backtests'
import { type Block, MAX_BLOCKS, type RulesTree } from '@tradewright/core/rules/tree'
import { rulesExamples } from '@tradewright/core/rules/examples'
import { beforeAll, describe, expect, it } from 'vitest'
import { allocationForm, postBacktest } from '../../../test-support/backtest-form.ts'
import { sharedTestApp, type TestServer } from '../../../test-support/test-app.ts'
import { headersOf, register, type RegisteredUser } from '../../../test-support/visitor.ts'

let server: TestServer
let ann: RegisteredUser
beforeAll(async () => {
  server = await sharedTestApp()
  ann = await register(server)
})

const trend = rulesExamples.find(({ key }) => key === 'leveraged-trend')!.tree
const form = (rules: unknown, more = {}) => ({
  ...allocationForm,
  'ticker[]': undefined,
  'allocation[]': undefined,
  strategyName: 'Trend',
  strategyType: 'Rules',
  rules: typeof rules === 'string' ? rules : JSON.stringify(rules),
  ...more,
})
const hold = (id: string): Block => ({ kind: 'hold', id, rows: [{ ticker: 'SPY', pct: 100 }] })
const treeOf = (root: Block): RulesTree => ({ version: 1, check: 'daily', cash: 'CASHX', root })
const get = (url: string) => server.app.inject({ url, headers: headersOf({ token: ann.token }) })

const check = (fields: Parameters<typeof postBacktest>[2]) => postBacktest(server, ann, fields, '/api/backtest/check')

describe('a strategy of rules', () => {
  it('runs, is saved with its tree, listed and compared', async () => {
    const answer = await postBacktest(server, ann, form(trend, { saveStrategy: 'true', saveBacktest: 'true' }))
    expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200)
    const result = BacktestAnswer.strict().parse(answer.json())
    expect(result).toMatchObject({ strategy_type: 'Rules', allocation: null, honesty: null, synthetic: true })
    const rules = result.rules!
    expect(rules.tree).toEqual(trend)
    expect(rules.check_dates).toHaveLength(result.test_dates.length)
    expect(rules.weights.map(({ ticker }) => ticker)).toEqual(['SPY?L=2', 'TBILLX'])
    expect(rules.ways).toEqual(expect.arrayContaining(['trend yes', 'trend no']))
    const turn = rules.changes.find(({ what, before }) => what === 'answer' && before === 'yes')!
    expect(turn).toMatchObject({ block: 'above-average', now: 'no' })
    expect(turn.left! / turn.right!).toBeLessThan(0.97)
    expect(rules.honesty.truncation).toMatchObject({ passed: true, failed_features: [], failed_decisions: 0 })
    expect(rules.blocks.find(({ id }) => id === 'trend')!.rebalances).toBeGreaterThan(1)

    const { strategies } = (await get('/api/strategies')).json<{
      strategies: { id: number; strategy_type: string }[]
    }>()
    expect(strategies).toEqual([expect.objectContaining({ id: result.strategy_id, strategy_type: 'Rules' })])
    const saved = SavedBacktest.parse((await get(`/api/backtests/${result.backtest_id}`)).json())
    expect(saved.strategy_config.rules).toEqual(trend)
    expect(saved.result_data.rules).toEqual(rules)

    const other = await postBacktest(server, ann, { ...allocationForm, saveBacktest: 'true' })
    const compared = await server.app.inject({
      method: 'POST',
      url: '/api/backtests/compare',
      headers: headersOf({ token: ann.token }),
      payload: { backtests: [{ id: result.backtest_id }, { id: other.json<{ backtest_id: number }>().backtest_id }] },
    })
    expect(compared.json<{ compared: { name: string }[] }>().compared).toHaveLength(2)
  })

  it('says that a check traded only where it did', async () => {
    const { rules, trades } = BacktestAnswer.parse((await postBacktest(server, ann, form(treeOf(hold('all'))))).json())
    // Weights of 100% need no second trade, though every check asks for them.
    expect(trades).toHaveLength(1)
    expect(rules!.trades_history.flatMap((traded, i) => (traded ? [i] : []))).toEqual([0])
  })

  it('is read aloud by a check, which says at which block something is wrong', async () => {
    const read = (await check(form(trend))).json<{ reading: string[]; problems: string[] }>()
    expect(read.problems).toEqual([])
    expect(read.reading).toContain('  Hold SPY?L=2.')
    const empty = treeOf({ kind: 'pick', id: 'best', tickers: [], weights: { kind: 'equal' } })
    expect((await check(form(empty))).json()).toMatchObject({
      problems: ['Best: Add a ticker: there is nothing to pick from.'],
      rule_problems: [{ block: 'best', path: 'root', sentence: 'Add a ticker: there is nothing to pick from.' }],
    })
  })

  it('lists published examples with their sources', async () => {
    const { examples } = (await get('/api/rules/examples')).json<{ examples: { key: string; source: string }[] }>()
    expect(examples.map(({ key }) => key)).toEqual(rulesExamples.map(({ key }) => key))
  })
})

describe('a tree that cannot run is refused with a sentence', () => {
  const nested = (depth: number): Block =>
    depth === 0
      ? hold('end')
      : { kind: 'group', id: `g${depth}`, weights: { kind: 'equal' }, children: [nested(depth - 1)] }
  const many = (count: number): Block => ({
    kind: 'group',
    id: 'all',
    weights: { kind: 'equal' },
    children: Array.from({ length: count }, (_, i) => hold(`h${i}`)),
  })
  it.each<[string, unknown, RegExp]>([
    ['nothing', '', /no rules/],
    ['no JSON', '{', /JSON/],
    ['a list', [], /JSON object with version/],
    ['another version', { ...trend, version: 2 }, /version of the rules must be 1/],
    ['a block of no kind', { ...trend, root: { kind: 'magic', id: 'm' } }, /M: A block is one of/],
    ['more blocks than possible', treeOf(many(MAX_BLOCKS)), /501 blocks/],
    [
      'more tickers than a person chooses from',
      treeOf({
        kind: 'group',
        id: 'all',
        weights: { kind: 'equal' },
        children: ['a', 'b', 'c', 'd', 'e'].map((id) => ({
          kind: 'hold' as const,
          id,
          rows: Array.from({ length: 500 }, (_, i) => ({ ticker: `T${i}`, pct: 0.1 })),
        })),
      }),
      /names 2500 tickers in all its blocks; up to 2000/,
    ],
    ['blocks nested too deeply', treeOf(nested(20)), /nest up to 6 levels/],
    ['JSON nested beyond reason', `${'{"root":'.repeat(5000)}1${'}'.repeat(5000)}`, /nested too deeply/],
    ['a field that does not exist', { ...treeOf(hold('h')), size: 1 }, /There is no field "size"/],
    [
      'a field of a block that does not exist',
      { ...treeOf(hold('h')), root: { ...hold('h'), size: 1 } },
      /H: There is no field "size"/,
    ],
    [
      'a key of the prototype',
      '{"version":1,"check":"daily","cash":"CASHX","__proto__":{"polluted":1},"root":{"kind":"cash","id":"c"}}',
      /There is no field "__proto__"/,
    ],
    ['an id of the prototype', treeOf(hold('__proto__')), /An id has/],
    ['an infinite number', JSON.stringify(treeOf(hold('h'))).replace('100', '1e999'), /number|at most/],
  ])('%s', async (_, tree, sentence) => {
    const answer = await postBacktest(server, ann, form(tree))
    expect(answer.statusCode).toBe(400)
    expect(answer.json<{ error: string }>().error).toMatch(sentence)
  })

  it('a large one in a check too, at its block, though another thread reads it', async () => {
    const rows = Array.from({ length: 400 }, (_, i) => ({ ticker: `T${i}`, pct: 0.2 }))
    const root: Block = {
      kind: 'group',
      id: 'both',
      weights: { kind: 'equal' },
      children: [
        { kind: 'hold', id: 'good', rows },
        { kind: 'hold', id: 'bad', rows: [...rows, { ticker: 'T7', pct: 0.2 }] },
      ],
    }
    expect((await check(form(treeOf(root)))).json()).toMatchObject({
      problems: ['Bad: T7 is named more than once.'],
      rule_problems: [{ block: 'bad', sentence: 'T7 is named more than once.' }],
    })
  })

  it('a ticker without data, at every block that names it', async () => {
    const root: Block = {
      kind: 'group',
      id: 'both',
      weights: { kind: 'equal' },
      children: [hold('good'), { kind: 'hold', id: 'bad', rows: [{ ticker: 'NOSUCHTICKER', pct: 100 }] }],
    }
    const answer = await postBacktest(server, ann, form(treeOf(root)))
    expect(answer.statusCode).toBe(400)
    const { error, rule_problems } = answer.json<{ error: string; rule_problems: { block: string; path: string }[] }>()
    expect(error).toContain('There is no data for NOSUCHTICKER')
    expect(rule_problems).toEqual([
      { block: 'bad', path: 'root.children.1', sentence: expect.stringContaining('There is no data for NOSUCHTICKER') },
    ])
  })

  it('a short position without a borrow rate, at the block that has it', async () => {
    const short: Block = {
      kind: 'hold',
      id: 'short',
      rows: [
        { ticker: 'SPY', pct: 100 },
        { ticker: 'TLT', pct: -50 },
      ],
    }
    const root: Block = { kind: 'group', id: 'both', weights: { kind: 'equal' }, children: [hold('good'), short] }
    const answer = await postBacktest(server, ann, form(treeOf(root)))
    expect(answer.statusCode).toBe(400)
    const { error, rule_problems } = answer.json<{ error: string; rule_problems: { block: string; path: string }[] }>()
    expect(error).toBe('Short: It sells TLT short: give the borrow rate of short positions, or no negative weight.')
    expect(rule_problems).toEqual([expect.objectContaining({ block: 'short', path: 'root.children.1' })])
  })

  it('while ids that every object has are as good as others, and a prototype among parameters does nothing', async () => {
    const root: Block = {
      kind: 'group',
      id: 'packed',
      weights: { kind: 'equal' },
      children: [hold('constructor'), hold('rowColumns')],
    }
    const answer = await postBacktest(server, ann, form(treeOf(root)))
    expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200)
    const hostile = JSON.stringify(trend).replace('"window":200', '"window":200,"__proto__":{"polluted":1}')
    const tree = (await postBacktest(server, ann, form(hostile))).json<{ rules: { tree: unknown } }>().rules.tree
    expect(tree).toEqual(trend)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })
})
