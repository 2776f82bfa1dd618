import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Proposal, ProposalItem } from '@tradewright/contract/proposals'
import { ManualClock } from '@tradewright/core/clock'
import { DAY } from '@tradewright/core/time'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allocationForm, postBacktest } from '../../../test-support/backtest-form.ts'
import { readEvents } from '../../../test-support/event-reader.ts'
import { callTool, connectAgent, makeKey } from '../../../test-support/mcp-client.ts'
import { NOWHERE, providersAt } from '../../../test-support/providers-at.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { headersOf, post, register, type RegisteredUser } from '../../../test-support/visitor.ts'

const clock = new ManualClock(new Date('2024-01-10T16:00:00Z'))
let server: TestApp
let address: string
let user: RegisteredUser
let secret: string
let agent: Client
let strategyId: number
let accountId: number
beforeAll(async () => {
  const environment = { ...providersAt(NOWHERE), ALPACA_LIVE_URL: NOWHERE, ALPACA_PAPER_URL: NOWHERE }
  server = await createTestApp({ clock, environment })
  address = await server.address()
  user = await register(server)
  ;({ secret } = await makeKey(server, user, ['propose', 'read', 'research', 'trade-paper', 'trade-live']))
  agent = await connectAgent(address, { secret })
  await postBacktest(server, user, { ...allocationForm, saveStrategy: 'true' })
  strategyId = (await get<{ strategies: { id: number }[] }>('/api/strategies')).strategies[0]!.id
  await post(server, '/api/alpaca/paper-account', { starting_cash: 100_000 }, headersOf(user))
  accountId = (await get<{ accounts: { id: number }[] }>('/api/alpaca/accounts')).accounts[0]!.id
})
afterAll(async () => {
  await agent.close()
  await server.close()
})

const get = async <Answer>(url: string, owner: RegisteredUser = user) =>
  (await server.app.inject({ url, headers: headersOf(owner) })).json<Answer>()
const shown = (id: number, owner = user) => get<Proposal>(`/api/proposals/${id}`, owner)
const list = () => get<{ open: ProposalItem[]; answered: ProposalItem[] }>('/api/proposals')

async function propose(kind: string, content: Record<string, unknown>): Promise<number> {
  const { isError, texts, data } = await callTool(agent, `propose_${kind}`, content)
  expect(isError, texts[0]).toBe(false)
  return Number(data['proposal_id'])
}

async function accept(id: number, fingerprint?: string) {
  const body = { fingerprint: fingerprint ?? (await shown(id)).fingerprint }
  const answer = await post(server, `/api/proposals/${id}/accept`, body, headersOf(user))
  return { status: answer.statusCode, ...answer.json<{ proposal: Proposal; code?: string; error?: string }>() }
}

const newList = (name: string) => ({ name, list_type: 'target', tickers: ['spy', 'QQQ'] })
const lists = async () => (await get<{ lists: { name: string }[] }>('/api/ticker-lists')).lists.map(({ name }) => name)

describe('each kind of proposal', () => {
  it('is told in our words, with what it changes, and does it when it is accepted', async () => {
    const list = await propose('make_ticker_list', { ...newList('Large'), reason: 'For the next search.' })
    expect(await shown(list)).toMatchObject({
      title: 'Make the ticker list “Large” of 2 tickers',
      origin: 'Research agent',
      state: 'open',
      reason: 'For the next search.',
      changes: expect.arrayContaining([{ label: 'Tickers', before: null, after: 'SPY, QQQ' }]) as unknown,
    })
    expect(await lists()).toEqual([])
    expect((await accept(list)).proposal).toMatchObject({
      state: 'accepted',
      outcome: 'The ticker list “Large” is made.',
    })
    expect(await lists()).toEqual(['Large'])

    const saved = await propose('save_strategy', { name: 'Half', allocation: [{ ticker: 'SPY', percent: 50 }] })
    expect((await shown(saved)).changes).toContainEqual({ label: 'Holds', before: null, after: '50% SPY' })
    expect((await accept(saved)).proposal).toMatchObject({ state: 'accepted', link: '/strategies' })
    expect((await get<{ strategies: { name: string }[] }>('/api/strategies')).strategies[0]).toMatchObject({
      name: 'Half',
    })
    const again = await propose('save_strategy', { name: 'Half', allocation: [{ ticker: 'AGG', percent: 50 }] })
    expect(await shown(again)).toMatchObject({ title: 'Replace the strategy “Half”', notices: [expect.any(String)] })

    const collect = await propose('schedule_collection', { name: 'Nightly', provider_id: 'sample', tickers: ['SPY'] })
    expect((await shown(collect)).changes).toContainEqual({
      label: 'Runs',
      before: null,
      after: 'Weekdays at 18:30 in New York',
    })
    expect((await accept(collect)).proposal).toMatchObject({ state: 'accepted' })
    const { jobs } = await get<{ jobs: { name: string; is_scheduled: boolean }[] }>('/api/data-collector/jobs')
    expect(jobs).toContainEqual(
      expect.objectContaining({ name: 'Nightly', is_scheduled: true, schedule_timezone: 'America/New_York' }),
    )
  })

  it('names all that a strategy may hold, whatever its parts are called', async () => {
    const rowsOf = async (content: Record<string, unknown>) => {
      const { title, changes, notices } = await shown(await propose('save_strategy', { name: 'Safe', ...content }))
      return { title, notices, rows: Object.fromEntries(changes.map(({ label, after }) => [label, after])) }
    }
    const many = ['AGG', 'TLT', 'GLD', 'EFA'].map((ticker) => ({ ticker, percent: 1 }))
    expect((await rowsOf({ allocation: [...many, { ticker: 'QQQ?L=3', percent: 90 }] })).rows).toMatchObject({
      Holds: '1% AGG, 1% TLT, 1% GLD, 1% EFA, 90% QQQ?L=3',
    })
    const external = {
      allocations: [
        { name: 'all in SPY', rows: [{ ticker: 'QQQ?L=3', allocation: 100 }] },
        { name: 'cash', rows: [] },
      ],
      initial: 'cash',
      max_weight_pct: 100,
    }
    expect((await rowsOf({ settings: { external } })).rows).toMatchObject({
      'Before the first signal': '“cash”',
      'Signal 1': '“all in SPY” holds 100% QQQ?L=3',
      'Signal 2': '“cash” holds Cash',
      'Signals may set weights': 'of the tickers above, up to 100% each',
    })
    const ml = {
      mlModelType: 'Linear Regression',
      features: [{ id: 7, name: 'RSI', params: { ticker: 'SPY', window: 14 } }],
      target: { id: 1, params: { ticker: 'SPY' } },
      signal1Allocations: [{ ticker: 'SPY', allocation: 100 }],
      signal0Allocations: [{ ticker: 'QQQ?L=3', allocation: 100 }],
    }
    expect((await rowsOf({ settings: ml })).rows).toMatchObject({
      Model: expect.stringContaining('Linear Regression'),
      Predicts: expect.stringContaining('ticker SPY'),
      From: expect.stringMatching(/\(ticker SPY, window 14\)/),
      'Trained on': expect.stringContaining('%'),
      Prices: expect.stringContaining('Of any provider'),
      'Holds while it says buy': '100% SPY',
      'Holds while it says sell': '100% QQQ?L=3',
    })
    // Harmless cards before the one that matters: what is held is named first, and a cut says so.
    const hold = (ticker: string, name: string) => ({
      kind: 'hold',
      id: name.split(' ').slice(0, 2).join('-'),
      name,
      rows: [{ ticker, pct: 100 }],
    })
    const root = {
      kind: 'group',
      id: 'all',
      weights: { kind: 'equal' },
      children: [
        ...Array.from({ length: 90 }, (_, i) => hold('AGG', `Bonds ${i} ${'x'.repeat(40)}`)),
        hold('QQQ', 'y'),
      ],
    }
    const long = await rowsOf({ rules: { version: 1, check: 'monthly', cash: 'CASHX', root } })
    expect(long.rows['May hold']).toBe('AGG, QQQ, CASHX')
    expect(long.notices).toEqual(['“Rules” is longer than can be shown here. Accept it only if you know the rest.'])
    const quotes = await rowsOf({ name: 'A❞ is checked. ‟B', allocation: many })
    const unseen = await callTool(agent, 'propose_make_ticker_list', newList('\u3164\u202E \u200B'))
    expect(unseen).toMatchObject({ isError: true, texts: [expect.stringContaining('letters that can be seen')] })
    expect(quotes.title).toBe('Save the strategy “A" is checked. "B”')
    const abroad = await callTool(agent, 'propose_make_ticker_list', { ...newList('Abroad'), tickers: ['VOD.L'] })
    expect(abroad).toMatchObject({
      isError: true,
      texts: [expect.stringContaining('VOD.L is listed outside the United States (London).')],
    })
  })

  it('refuses to deploy a model whose target, ticker, window, training or provider was changed after it was read', async () => {
    const config = {
      startDate: '2018-01-02',
      endDate: '2022-12-30',
      startValue: 10_000,
      mlModelType: 'Linear Regression',
      features: [{ id: 7, name: 'RSI', params: { ticker: 'SPY', window: 14 } }],
      target: { id: 1, params: { ticker: 'SPY' } },
      signal1Allocations: [{ ticker: 'SPY', allocation: 100 }],
      signal0Allocations: [{ ticker: 'AGG', allocation: 100 }],
    }
    const saved = { name: 'Swapped', strategy_type: 'ML' }
    const { id } = (await post(server, '/api/strategies', { ...saved, config }, headersOf(user))).json<{ id: number }>()
    const put = (changed: object) =>
      server.app.inject({
        method: 'PUT',
        url: `/api/strategies/${id}`,
        headers: headersOf(user),
        payload: { config: changed },
      })
    const swaps = [
      { features: [{ id: 7, name: 'RSI', params: { ticker: 'TLT', window: 14 } }] },
      { features: [{ id: 7, name: 'RSI', params: { ticker: 'SPY', window: 15 } }] },
      { target: { id: 1, params: { ticker: 'TLT' } } },
      { trainSize: 60, testSize: 40 },
      { dataProvider: 'sample' },
      { mlModelType: 'Random Forest' },
    ]
    const deployed = await propose('create_deployment', {
      name: 'Of a model',
      strategy_id: id,
      account_id: accountId,
      amount_usd: 1000,
    })
    const { fingerprint } = await shown(deployed)
    for (const swap of swaps) {
      await put({ ...config, ...swap })
      expect((await shown(deployed)).fingerprint, JSON.stringify(swap)).not.toBe(fingerprint)
      const answer = await post(server, `/api/proposals/${deployed}/accept`, { fingerprint }, headersOf(user))
      expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([409, 'proposal.changed'])
    }
    await put(config)
    expect((await shown(deployed)).fingerprint).toBe(fingerprint)
  })

  it('deploys to paper and starts it, changes it while it is paused, and stops it', async () => {
    const content = {
      name: 'By an agent',
      strategy_id: strategyId,
      account_id: accountId,
      amount_usd: 1000,
      max_drawdown_pct: 10,
    }
    const created = await propose('create_deployment', content)
    expect(await shown(created)).toMatchObject({
      title: 'Deploy “Sixty forty” with $1,000.00 of paper money',
      real_money: false,
      changes: expect.arrayContaining([{ label: 'Largest drawdown', before: null, after: '10%' }]) as unknown,
    })
    expect((await accept(created)).proposal.outcome).toBe('“By an agent” is created and started.')
    const deployment = async () =>
      (
        await get<{ deployments: { id: number; status: string; dry_run: boolean; max_drawdown_pct: number }[] }>(
          '/api/deployment/list',
        )
      ).deployments[0]!
    const { id } = await deployment()

    const pause = (action: string) => post(server, `/api/deployment/${id}/control`, { action }, headersOf(user))
    await pause('pause')
    const changed = await propose('change_deployment', { deployment_id: id, changes: { dry_run: true } })
    await pause('resume')
    expect((await shown(changed)).obstacle).toContain('is running')
    expect(await accept(changed)).toMatchObject({ status: 409, code: 'proposal.obstacle' })
    await pause('pause')
    expect((await shown(changed)).changes).toEqual([{ label: 'Dry run', before: 'Off', after: 'On' }])
    expect((await accept(changed)).proposal.state).toBe('accepted')
    expect(await deployment()).toMatchObject({ dry_run: true, max_drawdown_pct: 10, status: 'paused' })

    const stopped = await propose('stop_deployment', { deployment_id: id })
    expect((await accept(stopped)).proposal.outcome).toBe('“By an agent” is stopped. What it holds is kept.')
    expect(await deployment()).toMatchObject({ status: 'stopped' })
  })

  it('with real money creates what is not started, and names the confirmation that is still needed', async () => {
    await server.database.pool.query('UPDATE brokerage_accounts SET is_paper = false WHERE id = $1', [accountId])
    const id = await propose('create_deployment', {
      name: 'Live one',
      strategy_id: strategyId,
      account_id: accountId,
      amount_usd: 100,
    })
    expect(await shown(id)).toMatchObject({
      real_money: true,
      title: 'Deploy “Sixty forty” with $100.00 of real money',
      notices: [expect.stringContaining('only after you start it and type its name')],
    })
    expect((await shown(id)).changes.at(-1)?.after).toBe('It is created, and not started')
    await server.database.pool.query('UPDATE brokerage_accounts SET is_paper = true WHERE id = $1', [accountId])
  })
})

describe('an answer', () => {
  it('given twice, also at the same moment, is carried out once', async () => {
    const id = await propose('make_ticker_list', newList('Once'))
    const { fingerprint } = await shown(id)
    const answers = await Promise.all([accept(id, fingerprint), accept(id, fingerprint), accept(id, fingerprint)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await lists()).filter((name) => name === 'Once')).toHaveLength(1)
    expect((await accept(id, 'another')).proposal.state).toBe('accepted')
    expect((await post(server, `/api/proposals/${id}/decline`, undefined, headersOf(user))).statusCode).toBe(409)
  })

  it('is refused while the proposal would do something else than what was shown', async () => {
    const id = await propose('create_deployment', {
      name: 'Switched',
      strategy_id: strategyId,
      account_id: accountId,
      amount_usd: 10,
    })
    const { fingerprint } = await shown(id)
    await postBacktest(server, user, { ...allocationForm, 'ticker[]': ['QQQ', 'AGG'], saveStrategy: 'true' })
    expect(await accept(id, fingerprint)).toMatchObject({ status: 409, code: 'proposal.changed' })
    expect((await shown(id)).changes).toContainEqual({ label: 'Holds', before: null, after: '60% QQQ, 40% AGG' })
  })

  it('fails with the reason of the use case, and stays failed', async () => {
    const id = await propose('create_deployment', {
      name: 'Too much',
      strategy_id: strategyId,
      account_id: accountId,
      amount_usd: 9e8,
    })
    const { proposal } = await accept(id)
    expect(proposal).toMatchObject({
      state: 'failed',
      outcome: expect.stringContaining('exceeds available') as unknown,
    })
    expect((await accept(id)).proposal.state).toBe('failed')
  })

  it('cannot be given with an API key, nor by another user', async () => {
    const id = await propose('make_ticker_list', newList('Never'))
    const { fingerprint } = await shown(id)
    for (const action of ['accept', 'decline']) {
      const byKey = await post(
        server,
        `/api/proposals/${id}/${action}`,
        { fingerprint },
        { authorization: `Bearer ${secret}`, cookie: user.cookie },
      )
      expect([byKey.statusCode, byKey.json<{ code: string }>().code]).toEqual([403, 'api-key.never'])
      const stranger = await post(
        server,
        `/api/proposals/${id}/${action}`,
        { fingerprint },
        headersOf(await register(server)),
      )
      expect(stranger.statusCode).toBe(404)
    }
    expect(await lists()).not.toContain('Never')
    const declined = await post(server, `/api/proposals/${id}/decline`, undefined, headersOf(user))
    expect(declined.json()).toMatchObject({ proposal: { state: 'declined' } })
    expect(await accept(id, fingerprint)).toMatchObject({ status: 409, code: 'proposal.declined' })
    const { data } = await callTool(agent, 'list_proposals')
    expect(data['proposals']).toContainEqual(expect.objectContaining({ proposal_id: id, state: 'declined' }))
  })

  it('comes too late after seven days', async () => {
    const id = await propose('make_ticker_list', newList('Late'))
    const { fingerprint } = await shown(id)
    await server.database.pool.query('UPDATE proposals SET expires_at = $2 WHERE id = $1', [
      id,
      new Date(clock.now().getTime() - DAY),
    ])
    expect(await accept(id, fingerprint)).toMatchObject({ status: 409, code: 'proposal.expired' })
    expect((await list()).answered).toContainEqual(expect.objectContaining({ id, state: 'expired' }))
    expect(await lists()).not.toContain('Late')
  })

  it('that was cut off by the end of the program is told as such, and is not repeated', async () => {
    const id = await propose('make_ticker_list', newList('Cut off'))
    const { fingerprint } = await shown(id)
    const sql = `UPDATE proposals SET state = 'accepting', answered_at = $2 WHERE id = $1`
    await server.database.pool.query(sql, [id, new Date(clock.now().getTime() - DAY)])
    expect((await accept(id, fingerprint)).proposal).toMatchObject({
      state: 'failed',
      outcome: expect.stringContaining('The program ended') as unknown,
    })
    expect(await lists()).not.toContain('Cut off')
  })
})

it.each([
  ['create_deployment', { name: 'x', strategy_id: 999_999, account_id: 1, amount_usd: 1 }],
  ['create_deployment', { name: 'x', strategy_id: 1, account_id: 1, amount_usd: -1 }],
  ['stop_deployment', { deployment_id: 999_999 }],
  ['change_deployment', { deployment_id: 999_999, changes: {} }],
  ['make_ticker_list', { name: 'x', list_type: 'target', tickers: ['<b>'] }],
  ['schedule_collection', { name: 'x', provider_id: 'nowhere', tickers: ['SPY'] }],
  ['save_strategy', { name: 'x', allocation: [{ ticker: 'SPY', percent: 100 }], settings: {} }],
  [
    'save_strategy',
    { name: 'x', settings: { note: 'x'.repeat(50_000), allocations: [{ ticker: 'SPY', allocation: 100 }] } },
  ],
])('cannot be made of what could not be accepted: %s', async (kind, content) => {
  const before = (await list()).open.length
  expect((await callTool(agent, `propose_${kind}`, content)).isError).toBe(true)
  expect((await list()).open).toHaveLength(before)
})

it('tells open pages how many wait, and ends at fifty', async () => {
  const events = await readEvents(address, headersOf({ token: user.token }))
  const waiting = (await list()).open.length
  await propose('make_ticker_list', newList('Counted'))
  await expect.poll(() => events.events.map(({ data }) => data)).toContainEqual({ open: waiting + 1 })
  for (let i = waiting + 1; i < 50; i++) await propose('make_ticker_list', newList(`More ${i}`))
  const refused = await callTool(agent, 'propose_make_ticker_list', newList('One more'))
  expect(refused).toMatchObject({ isError: true, texts: [expect.stringContaining('50 proposals wait')] })
})
