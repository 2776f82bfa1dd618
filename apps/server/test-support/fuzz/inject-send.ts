import type { FastifyInstance } from 'fastify'
import type { Send } from './wire.ts'

/** To a server in this process, without a socket. */
export const injectSend =
  (app: FastifyInstance): Send =>
  async ({ method, url, headers, payload }) => {
    const begun = performance.now()
    const body = payload === undefined ? {} : { payload }
    const answer = await app.inject({ method: method as 'GET', url, headers, ...body })
    const milliseconds = performance.now() - begun
    return { status: answer.statusCode, headers: answer.headers, body: answer.body, milliseconds }
  }
