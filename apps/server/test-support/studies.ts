import type { Study } from '@tradewright/contract/studies'
import { rulesExamples } from '@tradewright/core/rules/examples'
import type { LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'
import { allocationForm } from './backtest-form.ts'
import type { TestServer } from './test-app.ts'
import { type Credentials, headersOf, post } from './visitor.ts'

const { tree } = rulesExamples.find(({ key }) => key === 'leveraged-trend')!

/** A small study on the sample market, which needs no network. */
export const studyForm = {
  backtest: {
    startDate: '2021-01-04',
    endDate: '2021-12-31',
    dataProvider: allocationForm.dataProvider,
    strategyName: 'Trend',
    strategyType: 'Rules',
    rules: JSON.stringify(tree),
  },
  numbers: [
    { path: 'root.condition.right.params.window', from: 100, to: 200, step: 50 },
    { path: 'root.condition.tolerance.size', from: 1, to: 5, step: 2 },
  ],
}

/** So long that a test can do something meanwhile. */
export const longStudyForm = {
  ...studyForm,
  backtest: { ...studyForm.backtest, startDate: '2005-01-03' },
  numbers: [
    { path: 'root.condition.right.params.window', from: 20, to: 200, step: 10 },
    { path: 'root.condition.tolerance.size', from: 0, to: 6, step: 0.25 },
  ],
}

export function studiesOf(server: TestServer, user: Credentials) {
  const headers = headersOf(user)
  const url = '/api/parameter-studies'
  const get = async (id: number): Promise<Study> => (await server.app.inject({ url: `${url}/${id}`, headers })).json()
  return {
    get,
    list: async () => (await server.app.inject({ url, headers })).json<{ studies: Study[] }>().studies,
    send: (form: object): Promise<LightMyRequestResponse> => post(server, url, form, headers),
    async start(form: object): Promise<number> {
      const answer = await post(server, url, form, headers)
      if (answer.statusCode !== 200) throw new Error(`a study was refused: ${answer.body}`)
      return answer.json<{ study: { id: number } }>().study.id
    },
    cancel: (id: number) => post(server, `${url}/${id}/cancel`, undefined, headers),
    remove: (id: number) => server.app.inject({ method: 'DELETE', url: `${url}/${id}`, headers }),
    async ended(id: number): Promise<Study> {
      await expect.poll(async () => (await get(id)).status, { timeout: 120_000, interval: 100 }).not.toBe('running')
      return get(id)
    },
  }
}
