import type { Construction } from '@tradewright/contract/construction'
import type { LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'
import { allocationForm } from './backtest-form.ts'
import type { TestServer } from './test-app.ts'
import { type Credentials, headersOf, post } from './visitor.ts'

/** A small construction on the sample market, which needs no network. */
export const constructionForm = {
  backtest: {
    startDate: '2018-01-02',
    endDate: '2021-12-31',
    dataProvider: allocationForm.dataProvider,
    strategyName: 'Three funds',
    strategyType: 'Asset Allocation',
    'ticker[]': ['SPY', 'TLT', 'GLD'],
    'allocation[]': ['60', '30', '10'],
  },
  methods: [{ id: 'min_variance' }, { id: 'risk_parity' }],
  window_months: 12,
}

export function constructionsOf(server: TestServer, user: Credentials) {
  const headers = headersOf(user)
  const url = '/api/portfolio-constructions'
  const get = async (id: number): Promise<Construction> =>
    (await server.app.inject({ url: `${url}/${id}`, headers })).json()
  return {
    get,
    list: async () =>
      (await server.app.inject({ url, headers })).json<{ constructions: Construction[] }>().constructions,
    send: (form: object): Promise<LightMyRequestResponse> => post(server, url, form, headers),
    async start(form: object): Promise<number> {
      const answer = await post(server, url, form, headers)
      if (answer.statusCode !== 200) throw new Error(`a construction was refused: ${answer.body}`)
      return answer.json<{ construction: { id: number } }>().construction.id
    },
    cancel: (id: number) => post(server, `${url}/${id}/cancel`, undefined, headers),
    remove: (id: number) => server.app.inject({ method: 'DELETE', url: `${url}/${id}`, headers }),
    async ended(id: number): Promise<Construction> {
      await expect.poll(async () => (await get(id)).status, { timeout: 120_000, interval: 100 }).not.toBe('running')
      return get(id)
    },
  }
}
