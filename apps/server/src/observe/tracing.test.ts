import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { allocationForm, postBacktest } from '../../test-support/backtest-form.ts'
import { caller } from '../../test-support/caller.ts'
import { startAlpacaStandIn, STAND_IN_KEYS } from '../../test-support/stand-ins/alpaca/alpaca.ts'
import { startYahooStandIn } from '../../test-support/stand-ins/yahoo.ts'
import { register } from '../../test-support/visitor.ts'
import { createTestApp, type TestApp } from '../../test-support/test-app.ts'
import { openTraces } from '../adapters/open-telemetry/traces.ts'
import { belowTraceParent, inSpan, traceParent, traceWith } from './tracing.ts'

const exporter = new InMemorySpanExporter()
const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })

let server: TestApp
let yahoo: Awaited<ReturnType<typeof startYahooStandIn>>
let alpaca: Awaited<ReturnType<typeof startAlpacaStandIn>>
beforeAll(async () => {
  yahoo = await startYahooStandIn(() => Date.now())
  alpaca = await startAlpacaStandIn(() => Date.now())
  server = await createTestApp({ environment: { YAHOO_URL: yahoo.url, ALPACA_PAPER_URL: alpaca.url } })
})
afterEach(() => {
  traceWith(undefined)
  exporter.reset()
})
afterAll(async () => {
  await server.close()
  await Promise.all([yahoo.close(), alpaca.close()])
})

const spans = () => exporter.getFinishedSpans()
const named = (name: string) => spans().find((span) => span.name === name)

it('follows a call through the row of its job to the calls of other services', async () => {
  const ann = await register(server)
  traceWith(provider.getTracer('test'))
  const form = { ...allocationForm, dataProvider: 'yahoo', startDate: '2024-01-02', endDate: '2024-03-28' }
  await postBacktest(server, ann, form)
  // The answer leaves before the job's own end is written.
  await expect.poll(() => named('job backtest')).toBeDefined()
  const [call, job, outside] = [named('POST /api/backtest'), named('job backtest'), named('yahoo GET')]
  expect(job?.spanContext().traceId).toBe(call!.spanContext().traceId)
  expect(job?.parentSpanContext?.spanId).toBe(call!.spanContext().spanId)
  expect(outside?.spanContext().traceId).toBe(call!.spanContext().traceId)
  expect(JSON.stringify(spans().map(({ name, attributes }) => [name, attributes]))).not.toContain('SPY')
})

it('follows a call to a broker, and says of a failure its kind alone', async () => {
  const ann = await caller(server)
  traceWith(provider.getTracer('test'))
  const { keyId } = STAND_IN_KEYS
  await ann.post('/api/alpaca/accounts', { account_name: 'Mine', api_key: keyId, api_secret: 'a wrong secret' })
  const [call, broker] = [named('POST /api/alpaca/accounts'), named('alpaca GET')]
  expect(broker?.parentSpanContext?.spanId).toBe(call!.spanContext().spanId)
  expect(broker?.attributes['error.type']).toBe('HttpFailure')
  expect(JSON.stringify(spans().map(({ attributes, events }) => [attributes, events]))).not.toContain('wrong secret')
})

it('does nothing at all while it is off', async () => {
  const work = async () => traceParent()
  expect(await inSpan('call', 'off', {}, work)).toBeNull()
  expect(await belowTraceParent('00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', work)).toBeNull()
  expect(spans()).toEqual([])
})

it('sends spans to a collector', async () => {
  const received: string[] = []
  const collector = createServer((request, response) => {
    received.push(`${request.method} ${request.url} ${request.headers['content-type']}`)
    request.resume().once('end', () => response.end('{}'))
  })
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  const { port } = collector.address() as AddressInfo
  const close = await openTraces(`http://127.0.0.1:${port}/v1/traces`, '0.0.0')
  await inSpan('call', 'GET /health', {}, async () => {})
  await close()
  collector.close()
  expect(received).toEqual(['POST /v1/traces application/json'])
})
