import type { LightMyRequestResponse } from 'fastify'
import { randomBytes } from 'node:crypto'
import type { TestServer } from './test-app.ts'

/** Proofs of a visitor's session. */
export interface Credentials {
  cookie?: string
  token?: string
}

export interface RegisteredUser extends Required<Credentials> {
  id: number
  username: string
  password: string
}

/** A username that is not taken. */
export const nextName = (): string => `user-${randomBytes(6).toString('hex')}`

export function post(
  { app }: TestServer,
  url: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<LightMyRequestResponse> {
  return app.inject({ method: 'POST', url, headers, ...(body && { payload: body }) })
}

export async function register(server: TestServer, username = nextName(), password = 'correct horse') {
  const answer = await post(server, '/api/register', { username, password })
  if (answer.statusCode !== 200) throw new Error(`registering failed: ${answer.body}`)
  return { ...credentialsOf(answer), ...answer.json<{ id: number }>(), username, password } satisfies RegisteredUser
}

export function signIn(server: TestServer, email: string, password: string, headers: Record<string, string> = {}) {
  return post(server, '/api/login', { email, password }, headers)
}

export function userOf({ app }: TestServer, credentials: Credentials): Promise<LightMyRequestResponse> {
  return app.inject({ method: 'GET', url: '/api/user', headers: headersOf(credentials) })
}

export function headersOf({ cookie, token }: Credentials): Record<string, string> {
  return { ...(cookie && { cookie }), ...(token && { authorization: `Bearer ${token}` }) }
}

export function credentialsOf(answer: LightMyRequestResponse): Required<Credentials> {
  return { cookie: cookieHeader(answer), token: answer.json<{ token: string }>().token }
}

const DEVICE_COOKIE = 'tradewright_device'

/** The cookies of an answer as a browser would send them back, without the one that makes it a known device. */
export function cookieHeader({ cookies }: LightMyRequestResponse): string {
  return cookies
    .filter(({ name, value }) => value !== '' && name !== DEVICE_COOKIE)
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ')
}

/** The cookie by which an account knows the browser again. */
export function deviceCookie({ cookies }: LightMyRequestResponse): string {
  const device = cookies.find(({ name }) => name === DEVICE_COOKIE)
  if (!device) throw new Error('the answer sets no device cookie')
  return `${device.name}=${device.value}`
}
