import { NO_TICKERS, type TickerList } from '@tradewright/contract/ticker-lists'
import { beforeAll, expect, it } from 'vitest'
import { optimizationForm, optimize } from '../../../test-support/optimization.ts'
import { sharedTestApp, type TestServer } from '../../../test-support/test-app.ts'
import { headersOf, post, register, type RegisteredUser } from '../../../test-support/visitor.ts'

let server: TestServer
let user: RegisteredUser
beforeAll(async () => {
  server = await sharedTestApp()
  user = await register(server)
})

const URL = '/api/ticker-lists'
const create = (body: object, who = user) => post(server, URL, body, headersOf(who))
const replace = (id: number, body: object, who = user) =>
  server.app.inject({ method: 'PUT', url: `${URL}/${id}`, headers: headersOf(who), payload: body })
const remove = (id: number, who = user) =>
  server.app.inject({ method: 'DELETE', url: `${URL}/${id}`, headers: headersOf(who) })
const lists = async (who = user) =>
  (await server.app.inject({ url: URL, headers: headersOf(who) })).json<{ lists: TickerList[] }>().lists

it('saves, lists, replaces and deletes lists of both kinds [LISTS-004] [LISTS-006] [LISTS-008..010] [LISTS-020..023]', async () => {
  const made = await create({ name: ' Majors ', list_type: 'target', tickers: ['BTC-USD', 'ETH-USD'] })
  expect(made.statusCode).toBe(200)
  const { list } = made.json<{ list: TickerList }>()
  expect(list).toMatchObject({ name: 'Majors', list_type: 'target', tickers: ['BTC-USD', 'ETH-USD'] })
  await create({ name: 'Majors', list_type: 'feature', tickers: ['SPY'] })
  expect(await lists()).toHaveLength(2)
  const changed = await replace(list.id, { name: 'Coins', list_type: 'target', tickers: ['SOL-USD'] })
  expect(changed.json<{ list: TickerList }>().list).toMatchObject({ id: list.id, name: 'Coins', tickers: ['SOL-USD'] })
  expect((await remove(list.id)).json()).toEqual({ success: true })
  expect((await lists()).map(({ name }) => name)).toEqual(['Majors'])
})

it('reads comma-separated text: trimmed, upper-cased, each once [LISTS-011]', async () => {
  const answer = await create({ name: 'Text', list_type: 'feature', tickers: ' spy, tlt ,,SPY,gld?l=2 ' })
  expect(answer.json<{ list: TickerList }>().list.tickers).toEqual(['SPY', 'TLT', 'GLD?L=2'])
})

it.each([
  [{ list_type: 'target', tickers: ['SPY'] }, 'List name cannot be empty.'],
  [{ name: '  ', list_type: 'target', tickers: ['SPY'] }, 'List name cannot be empty.'],
  [{ name: 'x'.repeat(101), list_type: 'target', tickers: ['SPY'] }, 'List name is too long'],
  [{ name: 'A', list_type: 'target', tickers: [] }, NO_TICKERS.target],
  [{ name: 'A', list_type: 'target' }, NO_TICKERS.target],
  [{ name: 'A', list_type: 'feature', tickers: ' , ' }, NO_TICKERS.feature],
  [{ name: 'A', list_type: 'other', tickers: ['SPY'] }, 'list_type must be target or feature.'],
  [{ name: 'A', list_type: 'target', tickers: ['S P Y'] }, 'is not a ticker'],
  [{ name: 'A', list_type: 'target', tickers: 7 }, 'tickers must be a list of tickers.'],
  [{ name: 'A', list_type: 'target', tickers: Array.from({ length: 501 }, (_, i) => `T${i}`) }, 'at most 500'],
  [{ name: 'A\0', list_type: 'target', tickers: ['SPY'] }, 'cannot be stored'],
])('refuses %j [LISTS-012] [LISTS-013] [LISTS-015] [LISTS-024]', async (body, sentence) => {
  const answer = await create(body)
  expect(answer.statusCode).toBe(400)
  expect(answer.json<{ error: string }>().error).toContain(sentence)
})

it('refuses a name that a list of the same kind has, whatever its letter case', async () => {
  await create({ name: 'Bonds', list_type: 'feature', tickers: ['TLT'] })
  const again = await create({ name: 'BONDS', list_type: 'feature', tickers: ['IEF'] })
  expect(again.statusCode).toBe(409)
  expect(again.json<{ error: string }>().error).toBe('A feature list named "BONDS" already exists.')
  const other = await create({ name: 'Gold', list_type: 'feature', tickers: ['GLD'] })
  const { id } = other.json<{ list: TickerList }>().list
  expect((await replace(id, { name: 'bonds', list_type: 'feature', tickers: ['GLD'] })).statusCode).toBe(409)
})

it('answers 404 for a list that does not exist, or belongs to another user [LISTS-019] [LISTS-025]', async () => {
  const stranger = await register(server)
  const made = await create({ name: 'Mine', list_type: 'target', tickers: ['SPY'] })
  const { id } = made.json<{ list: TickerList }>().list
  const body = { name: 'Theirs', list_type: 'target', tickers: ['QQQ'] }
  for (const answer of [
    await replace(id, body, stranger),
    await remove(id, stranger),
    await replace(999_999, body),
    await remove(99_999_999_999),
  ]) {
    expect(answer.statusCode).toBe(404)
  }
  expect(await lists(stranger)).toEqual([])
  const theft = await optimize(server, stranger, { ...optimizationForm, target_list_ids: [id] })
  expect(theft.statusCode).toBe(404)
})

it.each(['GET', 'POST', 'PUT', 'DELETE'] as const)(
  'answers 401 to %s without a session [LISTS-018]',
  async (method) => {
    const url = method === 'PUT' || method === 'DELETE' ? `${URL}/1` : URL
    expect((await server.app.inject({ method, url })).statusCode).toBe(401)
  },
)

it('gives a run its tickers where the request names none [OPT-113]', async () => {
  const made = await create({ name: 'To foresee', list_type: 'target', tickers: ['QQQ'] })
  const { id } = made.json<{ list: TickerList }>().list
  const form = { ...optimizationForm, target_asset: '', target_list_ids: [id], wait: false, generations: 1 }
  const answer = await optimize(server, user, form)
  const run = await server.app.inject({
    url: `/api/optimization-runs/${answer.json<{ run_id: number }>().run_id}`,
    headers: headersOf(user),
  })
  expect(run.json()).toMatchObject({ target_asset: 'QQQ', optimization_config: { target_list_ids: [id] } })
})
