import { EVENTS_PATH } from '@tradewright/contract/events'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contractCalls, type ContractCall } from '../../../test-support/fuzz/contract-calls.ts'
import { FuzzSession } from '../../../test-support/fuzz/fuzz-session.ts'
import { injectSend } from '../../../test-support/fuzz/inject-send.ts'
import { callAt, planRequest } from '../../../test-support/fuzz/requests.ts'
import { type StandIns, startStandIns } from '../../../test-support/fuzz/stand-ins.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'

/** Chosen once; `npm run fuzz` takes others and a hundred times as many. */
const SEED = 7
const REQUESTS = 1_500

let calls: ContractCall[]
let standIns: StandIns
let server: TestApp
beforeAll(async () => {
  // A stream of events has no end, and `inject` waits for it.
  calls = (await contractCalls()).filter(({ path }) => path !== EVENTS_PATH)
  standIns = await startStandIns()
  server = await createTestApp({ environment: standIns.environment })
})
afterAll(async () => {
  await server.close()
  await standIns.close()
})

it('plans the same requests from the same seed, for every call', () => {
  const plan = (seed: number) => calls.map((call, index) => planRequest(call, seed, index))
  expect(plan(SEED)).toEqual(plan(SEED))
  expect(plan(SEED + 1)).not.toEqual(plan(SEED))
  const called = new Set(Array.from({ length: 40_000 }, (_, index) => callAt(calls, SEED, index).id))
  expect(calls.map(({ id }) => id).filter((id) => !called.has(id))).toEqual([])
})

it('answers valid, nearly valid and hostile requests of two users without a failure or a leak', async () => {
  const send = injectSend(server.app)
  const session = await FuzzSession.open({ send, calls, seed: SEED, rarity: 60, customApi: standIns.customApi })
  const found: unknown[] = []
  for (let index = 0; index < REQUESTS && found.length < 5; index++) {
    const finding = await session.run(index)
    // A slow machine is not a fault here; `npm run fuzz` measures.
    if (!finding || finding.fault.kind === 'slow') continue
    const { request, fault } = await session.shrink(finding)
    found.push({ request, fault })
  }
  expect(found).toEqual([])
})
