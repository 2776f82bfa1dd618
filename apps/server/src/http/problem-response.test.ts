import fastify from 'fastify'
import { expect, it, onTestFinished } from 'vitest'
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
