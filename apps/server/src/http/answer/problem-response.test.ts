import fastify from 'fastify'
import { expect, it, onTestFinished } from 'vitest'
import { Problem } from '@tradewright/core/problem'
import { createLog } from '../../log.ts'
import { answerProblem } from './problem-response.ts'

async function answerTo(failure: unknown) {
  const app = fastify()
  onTestFinished(() => app.close())
  app.setErrorHandler(answerProblem)
  app.get('/', () => Promise.reject(failure as Error))
  const { statusCode, body } = await app.inject('/')
  return { statusCode, ...(JSON.parse(body) as { code: string; error: string }) }
}

it('work that reached its limit of time is not a bug of ours', async () => {
  const failure = new DOMException('The operation was aborted due to timeout', 'TimeoutError')
  expect(await answerTo(failure)).toMatchObject({
    statusCode: 503,
    code: 'request.time',
    error: 'This took too long and was stopped. Please try again in a moment.',
  })
})

it('an unexpected failure tells nothing of itself', async () => {
  expect(await answerTo(new Error('/home/operator/secret'))).toMatchObject({
    statusCode: 500,
    code: 'internal',
    error: 'Something went wrong on our side. The failure was logged; please try again.',
  })
})

it('the cause of a problem is logged without the answer of a foreign service', async () => {
  const lines: string[] = []
  const app = fastify({ loggerInstance: createLog({ logLevel: 'warn' }, { write: (line) => void lines.push(line) }) })
  onTestFinished(() => app.close())
  app.setErrorHandler(answerProblem)
  const cause = Object.assign(new Error('x'.repeat(100_000)), { code: 'E1', answer: 'y'.repeat(100_000) })
  app.get('/', () => Promise.reject(new Problem('upstream', 'store.away', 'It is away.', { cause })))
  await app.inject('/')
  expect(lines).toHaveLength(1)
  expect(lines[0]!.length).toBeLessThan(10_000)
  expect(JSON.parse(lines[0]!)).toMatchObject({ code: 'store.away', err: { type: 'Error', code: 'E1' } })
})
