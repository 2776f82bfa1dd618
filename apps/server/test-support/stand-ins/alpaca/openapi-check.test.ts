import { expect, it } from 'vitest'
import { claim, hasShared } from '../../../../../scripts/shared-data.ts'
import { openApiCheck } from './openapi-check.ts'

const file = 'reference/services/openapi/alpaca-trading-core.json'

const request = (method: string, path: string, body = '') => {
  const url = new URL(path, 'http://stand-in')
  return { method, path: url.pathname, query: url.searchParams, search: url.search.slice(1), headers: {}, body }
}

it.skipIf(!hasShared(file))(claim('finds what Alpaca never said it would take or send', file), () => {
  const check = openApiCheck()
  expect(check.request(request('GET', '/v2/nothing'))).toEqual(["GET /v2/nothing is no call of Alpaca's"])
  expect(check.request(request('GET', '/v2/orders?status=dead'))).toHaveLength(1)
  expect(check.request(request('GET', '/v2/orders?colour=red'))).toEqual(['GET /v2/orders has no parameter colour'])
  expect(check.request(request('GET', '/v2/orders:by_client_order_id'))).toHaveLength(1)
  expect(check.request(request('POST', '/v2/orders', '{"qty":1,"type":"market","time_in_force":"day"}'))).toHaveLength(
    1,
  )
  expect(check.answer(request('GET', '/v2/clock'), { body: { is_open: 'yes' } }).length).toBeGreaterThan(3)
})
