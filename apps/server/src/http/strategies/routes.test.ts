import { listFeatures, listTargets } from '@tradewright/contract/features'
import { Strategy } from '@tradewright/contract/strategies'
import { beforeAll, describe, expect, it } from 'vitest'
import { allocationForm, postBacktest } from '../../../test-support/backtest-form.ts'
import { sharedTestApp, type TestServer } from '../../../test-support/test-app.ts'
import { headersOf, register, type RegisteredUser } from '../../../test-support/visitor.ts'

let server: TestServer
let ann: RegisteredUser
let bob: RegisteredUser
beforeAll(async () => {
  server = await sharedTestApp()
  ann = await register(server)
  bob = await register(server)
})

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
const call = (method: Method, url: string, user?: RegisteredUser, payload?: object) =>
  server.app.inject({ method, url, headers: user ? headersOf({ token: user.token }) : {}, ...(payload && { payload }) })

const features = [{ id: 7, name: 'ü', params: { nested: [1, 'ü'] } }]
const config = { allocations: [{ ticker: 'SPY', allocation: 100 }], features }
const create = async (name: string, user = ann, more: object = {}) => {
  const answer = await call('POST', '/api/strategies', user, {
    name,
    strategy_type: 'Asset Allocation',
    config,
    ...more,
  })
  expect(answer.statusCode, answer.body).toBe(200)
  return Strategy.strict().parse(answer.json())
}

describe('strategies', () => {
  it('are not kept with settings of a megabyte', async () => {
    const large = { name: 'Large', strategy_type: 'Asset Allocation', config: { note: 'x'.repeat(900_000) } }
    const refused = await call('POST', '/api/strategies', ann, large)
    expect([refused.statusCode, refused.json<{ code: string }>().code]).toEqual([413, 'strategy.size'])
    const made = await create('Small')
    expect((await call('PUT', `/api/strategies/${made.id}`, ann, { config: large.config })).statusCode).toBe(413)
    expect((await call('DELETE', `/api/strategies/${made.id}`, ann)).statusCode).toBe(200)
  })

  it('of a visitor are refused before their body is read', async () => {
    expect((await call('POST', '/api/strategies', undefined, { note: 'x'.repeat(2_000_000) })).statusCode).toBe(401)
    const login = { email: 'ann', password: 'x'.repeat(100_000) }
    expect((await call('POST', '/api/login', undefined, login)).statusCode).toBe(413)
  })

  it('are created, read, listed, changed and deleted [STRAT-038] [STRAT-039] [STRAT-045] [STRAT-046] [STRAT-047] [STRAT-048] [STRAT-049]', async () => {
    const made = await create('  Core  ', ann, { description: 'Mine' })
    expect(made).toMatchObject({ name: 'Core', description: 'Mine', strategy_type: 'Asset Allocation', config })
    expect((await call('GET', `/api/strategies/${made.id}`, ann)).json()).toEqual(made)
    const { config: _, ...item } = made
    const list = async () => (await call('GET', '/api/strategies', ann)).json<{ strategies: object[] }>().strategies
    expect(await list()).toContainEqual(item)
    const changed = Strategy.parse((await call('PUT', `/api/strategies/${made.id}`, ann, { name: 'Shell' })).json())
    expect(changed).toMatchObject({ id: made.id, name: 'Shell', description: 'Mine', config })
    expect((await call('DELETE', `/api/strategies/${made.id}`, ann)).json()).toEqual({ success: true })
    expect(await list()).not.toContainEqual(expect.objectContaining({ id: made.id }))
    expect((await call('GET', `/api/strategies/${made.id}`, ann)).statusCode).toBe(404)
  })

  it('have one place per name and type', async () => {
    const first = await create('Twin', ann, { description: 'kept' })
    const again = await create('Twin', ann, { config: { allocations: [] } })
    expect(again).toMatchObject({ id: first.id, description: 'kept', config: { allocations: [] } })
    const ml = await create('Twin', ann, { strategy_type: 'ML' })
    expect(ml.id).not.toBe(first.id)
    const taken = await call('PUT', `/api/strategies/${ml.id}`, ann, { strategy_type: 'Asset Allocation' })
    expect([taken.statusCode, taken.json<{ error: string }>().error]).toEqual([
      409,
      'You have another strategy of this name and type.',
    ])
  })

  it.each([
    ['Strategy name is required.', {}],
    ['Strategy name is required.', { name: '   ' }],
    ['Strategy name must not contain control characters.', { name: 'a\0b' }],
    [
      'Strategy type must be "Asset Allocation", "ML", "Rules" or "External signal".',
      { name: 'A', strategy_type: 'Other' },
    ],
    ['Strategy config must be an object.', { name: 'A', strategy_type: 'ML', config: [] }],
    [
      'The request contains characters that cannot be stored.',
      { name: 'A', strategy_type: 'ML', config: { deep: ['\0'] } },
    ],
  ])('refuses with "%s" [STRAT-052]', async (sentence, body) => {
    const answer = await call('POST', '/api/strategies', ann, body)
    expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([400, sentence])
  })

  it.each([
    [{ tradingCostsBps: 5 }, 'A backtest has no setting “tradingCostsBps”. Did you mean “tradingCostBps”?'],
    [{ fillTiming: 'soon' }, 'The fill timing must be one of next_open, next_close, same_close, was "soon".'],
    [{ rules: { version: 1 } }, 'Name a ticker.'],
    [{ external: { allocations: 'SPY' } }, 'allocations'],
  ])('with %j, which nothing could run, are refused when they are saved', async (unread, sentence) => {
    const made = await create(`With ${Object.keys(unread)[0]!}`)
    const body = { name: 'Unread', strategy_type: 'Asset Allocation', config: unread }
    for (const answer of [
      await call('POST', '/api/strategies', ann, body),
      await call('PUT', `/api/strategies/${made.id}`, ann, { config: unread }),
    ]) {
      expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([
        400,
        expect.stringContaining(sentence),
      ])
    }
  })

  it('are hidden from other users [STRAT-042] [STRAT-043] [STRAT-044] [STRAT-053]', async () => {
    const { id } = await create('Private')
    const url = `/api/strategies/${id}`
    const tries: [Method, string][] = [
      ['GET', url],
      ['PUT', url],
      ['DELETE', url],
      ['GET', `${url}/results`],
      ['GET', '/api/strategies/999999999999'],
    ]
    for (const [method, path] of tries) {
      const answer = await call(method, path, bob, method === 'PUT' ? { name: 'Stolen' } : undefined)
      expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([404, 'There is no such strategy.'])
      expect((await call(method, path)).statusCode).toBe(401)
    }
    expect((await call('GET', '/api/strategies', bob)).json()).toEqual({ strategies: [] })
    expect((await call('GET', '/api/strategies/mine', ann)).statusCode).toBe(400)
    expect((await call('GET', url, ann)).json()).toMatchObject({ name: 'Private' })
  })

  it('show how their latest saved backtest did, and take it along when deleted [STRAT-040] [STRAT-050] [STRAT-051]', async () => {
    const carl = await register(server)
    const saving = { ...allocationForm, saveStrategy: 'true', saveBacktest: 'true', strategyName: 'Measured' }
    await postBacktest(server, carl, saving)
    const latest = (await postBacktest(server, carl, { ...saving, startDate: '2020-01-02' })).json<{
      strategy_id: number
      backtest_id: number
      cagr: number
      sharpe: number
    }>()
    const { all } = (await call('GET', '/api/strategy-performance', carl)).json<{ all: object[] }>()
    expect(all).toMatchObject([
      {
        strategy_id: latest.strategy_id,
        strategy_name: 'Measured',
        cagr_numeric: latest.cagr,
        sharpe: latest.sharpe,
        backtest_id: latest.backtest_id,
        synthetic: true,
      },
    ])
    expect((await call('GET', '/api/strategy-performance', ann)).json()).toEqual({ all: [] })
    await call('DELETE', `/api/strategies/${latest.strategy_id}`, carl)
    expect((await call('GET', `/api/backtests/${latest.backtest_id}`, carl)).statusCode).toBe(404)
    expect((await call('GET', '/api/backtests/all', carl)).json()).toEqual({ backtests: [] })
  })
})

it('lists features and targets with their parameters [BT-099] [BT-101] [BT-102] [BT-124] [BT-125]', async () => {
  const { features } = listFeatures.answer.parse((await call('GET', '/api/features', ann)).json())
  const { targets } = listTargets.answer.parse((await call('GET', '/api/targets', ann)).json())
  expect(features.length).toBeGreaterThanOrEqual(30)
  expect(targets.length).toBeGreaterThanOrEqual(6)
  const rsi = features.find(({ name }) => name === 'RSI')!
  expect(rsi.config.params_def).toContainEqual(
    expect.objectContaining({ name: 'window', label: 'Window', type: 'int', default: 14, min: expect.any(Number) }),
  )
})
