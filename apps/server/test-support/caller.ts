import type { LightMyRequestResponse } from 'fastify'
import type { TestServer } from './test-app.ts'
import { headersOf, register } from './visitor.ts'

/** A signed-in user who calls the server. */
export interface Caller {
  readonly id: number
  readonly password: string
  get(url: string): Promise<LightMyRequestResponse>
  post(url: string, body?: object): Promise<LightMyRequestResponse>
  put(url: string, body?: object): Promise<LightMyRequestResponse>
  delete(url: string): Promise<LightMyRequestResponse>
  headers: Record<string, string>
}

export async function caller(server: TestServer): Promise<Caller> {
  const { id, password, cookie } = await register(server)
  const headers = headersOf({ cookie })
  const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE') => (url: string, body?: object) =>
    server.app.inject({ method, url, headers, ...(body && { payload: body }) })
  return { id, password, headers, get: call('GET'), post: call('POST'), put: call('PUT'), delete: call('DELETE') }
}
