import { Decimal } from '@tradewright/core/decimal'
import { dateOf } from '@tradewright/core/time'
import { expect, it } from 'vitest'
import { claim, hasShared, readSharedJson } from '../../../../../scripts/shared-data.ts'
import { type AlpacaStage, alpacaStage } from '../../../test-support/live/alpaca-stage.ts'
import { INVESTED, sliceOf } from '../../../test-support/live/live-story.ts'
import { liveWorld, settle } from '../../../test-support/live/live-world.ts'
import { STAND_IN_KEYS } from '../../../test-support/stand-ins/alpaca/alpaca.ts'
import { type StandInRequest, startStandIn } from '../../../test-support/stand-ins/stand-in.ts'
import { testSurroundings } from '../../../test-support/test-surroundings.ts'
import { emergencyStop } from '../../live-trading/stops/emergency-stop.ts'
import { alpacaBroker } from './broker.ts'
import { alpacaClient, alpacaHttp } from './http.ts'

const FILE = 'reference/services/openapi/alpaca-trading-core.json'

interface OfficialFile {
  readonly paths: Record<
    '/v2/account',
    { get: { responses: { 200: { content: { 'application/json': { example: object } } } } } }
  >
  readonly components: {
    readonly examples: Record<string, { readonly value: { readonly id: string; readonly client_order_id: string } }>
    readonly schemas: Record<string, { readonly example?: object; readonly 'x-examples'?: Record<string, object> }>
  }
}

/** Letter for letter what Alpaca publishes, also where it does not fit its own description: a spread has no side. */
function officialExamples() {
  const { paths, components } = readSharedJson<OfficialFile>(FILE)
  const of = (schema: string) => {
    const { example, 'x-examples': several } = components.schemas[schema]!
    return example ?? Object.values(several!)[0]!
  }
  return {
    account: paths['/v2/account'].get.responses[200].content['application/json'].example,
    orders: Object.values(components.examples).map(({ value }) => value),
    positions: [of('Position')],
    asset: of('Assets'),
    clock: of('legacy_clock'),
    activities: [of('TradingActivities'), of('NonTradeActivities'), ...OPTION_EVENTS],
    history: of('PortfolioHistory'),
    cancelled: [of('CanceledOrderResponse')],
  }
}

/** From the page on options of docs.alpaca.markets: two parts under one id. */
const EVENT = { id: '20190801011955195::5f596936-6f23-4cef-bdf1-3806aae57dbf', date: '2023-07-21', status: 'executed' }
const OPTION_EVENTS = [
  {
    ...EVENT,
    activity_type: 'OPEXC',
    net_amount: '0',
    description: 'Option Exercise',
    symbol: 'AAPL230721C00150000',
    qty: '-2',
  },
  {
    ...EVENT,
    activity_type: 'OPTRD',
    net_amount: '-30000',
    description: 'Option Trade',
    symbol: 'AAPL',
    qty: '200',
    price: '90',
  },
]

const skipped = it.skipIf(!hasShared(FILE))

skipped(claim('every official example is understood, and what is not is left out of its list', FILE), async () => {
  const examples = officialExamples()
  const serve = ({ method, path, query }: StandInRequest) => {
    if (path === '/v2/orders' && method === 'DELETE') return { status: 207, body: examples.cancelled }
    if (path === '/v2/orders' && method === 'POST') return { body: examples.orders[3] }
    if (path === '/v2/orders') return { body: examples.orders }
    if (method === 'DELETE') return { status: 204, body: '' }
    if (path.startsWith('/v2/orders')) {
      const wanted = query.get('client_order_id') ?? path.slice('/v2/orders/'.length)
      const found = examples.orders.find((order) => order.id === wanted || order.client_order_id === wanted)
      return found ? { body: found } : { status: 404, body: { code: 40410000, message: 'order not found' } }
    }
    if (path === '/v2/account') return { body: examples.account }
    if (path === '/v2/positions') return { body: examples.positions }
    if (path.startsWith('/v2/assets')) return { body: examples.asset }
    if (path === '/v2/clock') return { body: examples.clock }
    if (path === '/v2/account/activities') return { body: query.get('page_token') === null ? examples.activities : [] }
    if (path === '/v2/account/portfolio/history') return { body: examples.history }
    return { body: [] }
  }
  const standIn = await startStandIn('alpaca', serve)
  try {
    const surroundings = testSurroundings()
    const client = alpacaClient(standIn.url, STAND_IN_KEYS, surroundings)
    const http = alpacaHttp(client, new AbortController().signal, surroundings.log)
    const broker = alpacaBroker({ http, now: () => Date.parse('2026-05-01T00:00:00Z') })
    expect((await broker.account()).id).not.toBe('')
    expect(await broker.positions()).toHaveLength(1)
    const listed = await broker.orders({ state: 'all' })
    // Four of five: the spread has neither side nor symbol.
    expect(listed.map(({ ticker }) => ticker).sort()).toEqual(['AAPL', 'AAPL250620C00100000', 'ETH-USD', 'FI111225'])
    for (const { clientOrderId } of listed) expect(await broker.orderByClientId(clientOrderId)).toBeDefined()
    const request = { ticker: 'AAPL', side: 'buy', size: { quantity: Decimal.parse('2') } } as const
    const order = { ...request, clientOrderId: 'mine', execution: { type: 'market' }, timeInForce: 'day' } as const
    expect((await broker.place(order)).ticker).toBe('AAPL')
    await broker.cancel(listed[0]!.id)
    await broker.cancelAll!()
    expect((await broker.asset('AAPL'))?.isTradable).toBeDefined()
    expect((await broker.clock()).isOpen).toBe(true)
    expect(await broker.fills(0)).toHaveLength(1)
    const { activities } = await broker.activities({ kind: 'cash', order: 'oldest-first' })
    expect(activities.filter(({ kind }) => kind === 'cash')).toHaveLength(3)
    expect((await broker.equityHistory(dateOf('2000-01-03'))).length).toBeGreaterThan(0)
  } finally {
    await standIn.close()
  }
})

skipped(claim('an account that lists every official example trades, and its stop cancels', FILE), async () => {
  const examples = officialExamples()
  const world = await liveWorld({ stage: alpacaStage })
  try {
    const { strangeElements } = (world.stage as AlpacaStage).standIn.quirks
    strangeElements.set('/v2/orders', examples.orders)
    strangeElements.set('/v2/positions', examples.positions)
    const [{ id }, runner] = [await world.deployed(), world.runner()]
    world.toDecision()
    await settle(world, runner, 4)
    expect(await sliceOf(world, id)).toEqual(INVESTED)
    world.stage.holdsFills = true
    world.signalService.percentages = { GLD: 100 }
    world.toDecision()
    await settle(world, runner, 1)
    const deps = { ...world.deps, knownBroker: () => undefined, knownDeployments: () => [] }
    const report = await emergencyStop(deps, world.userId, id)
    expect(report).toEqual({ stopped: 1, cancelledOrders: 2, problems: [] })
  } finally {
    await world.close()
  }
})
