import { getAuthMethods, getUser, login, logout } from '@tradewright/contract/auth'
import { runBacktest } from '@tradewright/contract/backtests'
import { contribute } from '@tradewright/contract/live-trading'
import { listTickerLists } from '@tradewright/contract/ticker-lists'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { keepToken, call, onSessionEnded, pathOf } from './http.ts'
import { CallError, NOT_UNDERSTOOD, serverMessageOr, UNREACHABLE, unreachableHint } from './call-error.ts'
import { leftOutEntries, leftOutSentence } from './readable-part.ts'

const MARIA = { id: 7, username: 'maria', email: 'maria' }

class MemoryStorage {
  readonly #items = new Map<string, string>()
  getItem = (key: string) => this.#items.get(key) ?? null
  setItem = (key: string, value: string) => void this.#items.set(key, value)
  removeItem = (key: string) => void this.#items.delete(key)
}

const sent = vi.fn<(path: string, init: RequestInit) => Promise<Response>>()

function answerWith(status: number, body: unknown) {
  sent.mockResolvedValue(new Response(typeof body === 'string' ? body : JSON.stringify(body), { status }))
}

async function failureOf(promise: Promise<unknown>): Promise<CallError> {
  const error: unknown = await promise.then(
    () => new Error('the call did not fail'),
    (reason: unknown) => reason,
  )
  if (!(error instanceof CallError)) throw error
  return error
}

beforeEach(() => {
  sent.mockReset()
  vi.stubGlobal('fetch', sent)
  vi.stubGlobal('localStorage', new MemoryStorage())
})
afterEach(() => vi.unstubAllGlobals())

describe('call', () => {
  it('sends the declared method, path and JSON body with credentials [SHELL-062] [SHELL-065]', async () => {
    answerWith(200, { ...MARIA, token: 't' })
    expect(await call(login, { body: { email: 'maria', password: 'secret' } })).toEqual({ ...MARIA, token: 't' })
    const [path, init] = sent.mock.calls[0] ?? []
    expect(path).toBe('/api/login')
    expect(init).toMatchObject({ method: 'POST', credentials: 'include' })
    expect(init?.body).toBe('{"email":"maria","password":"secret"}')
    expect(init?.headers).toMatchObject({ Accept: 'application/json', 'Content-Type': 'application/json' })
  })

  it('sends a multipart route as a form, lists as repeated fields [BT-135]', async () => {
    answerWith(400, { message: 'No.' })
    await failureOf(call(runBacktest, { body: { strategyName: 'Mine', 'ticker[]': ['SPY', 'BND'], runId: undefined } }))
    const init = sent.mock.calls[0]?.[1]
    const form = init?.body
    expect(init?.headers).not.toHaveProperty('Content-Type')
    expect(form instanceof FormData && [...form]).toEqual([
      ['strategyName', 'Mine'],
      ['ticker[]', 'SPY'],
      ['ticker[]', 'BND'],
    ])
  })

  it('makes a change once, however often it is asked for before the answer, and again afterwards', async () => {
    const waiting = Promise.withResolvers<Response>()
    answerWith(400, { message: 'No.' })
    sent.mockReturnValueOnce(waiting.promise)
    const body = { contribution_type: 'CONTRIBUTION', amount: '1000' } as const
    const clicks = [1, 2].map(() => call(contribute, { params: { id: 3 }, body }))
    const other = failureOf(call(contribute, { params: { id: 4 }, body }))
    waiting.resolve(new Response('{"message":"No."}', { status: 400 }))
    const [first, second] = await Promise.all(clicks.map(failureOf))
    expect(second).toBe(first)
    await other
    expect(sent).toHaveBeenCalledTimes(2)
    answerWith(400, { message: 'No.' })
    await failureOf(call(contribute, { params: { id: 3 }, body }))
    expect(sent).toHaveBeenCalledTimes(3)
  })

  it('logs out with X-Requested-With, without a body [SHELL-071]', async () => {
    answerWith(200, { success: true })
    await call(logout)
    const init = sent.mock.calls[0]?.[1]
    expect(init?.headers).toMatchObject({ 'X-Requested-With': 'XMLHttpRequest', Accept: 'application/json' })
    expect(init?.body).toBeUndefined()
  })

  it('sends the kept bearer token, and none when there is none', async () => {
    const headersOf = async (...made: Parameters<typeof call>) => {
      answerWith(401, { message: 'Sign in first.' })
      await failureOf(call(...made))
      return sent.mock.lastCall?.[1].headers
    }
    expect(await headersOf(getAuthMethods)).not.toHaveProperty('Authorization')
    keepToken('abc')
    expect(await headersOf(getAuthMethods)).toHaveProperty('Authorization', 'Bearer abc')
    keepToken('abc')
    // The cookie is enough where the specification names no token.
    expect(await headersOf(getUser)).not.toHaveProperty('Authorization')
  })

  it('keeps only what the answer declares and refuses an answer of another shape', async () => {
    answerWith(200, { ...MARIA, surprise: true })
    expect(await call(getUser)).toEqual(MARIA)
    answerWith(200, null)
    const error = await failureOf(call(getUser))
    expect(error).toMatchObject({ status: 200, code: 'answer.shape', serverMessage: null, message: NOT_UNDERSTOOD })
  })

  it('reads a list without an entry that it cannot read, and notes that until the list is whole again', async () => {
    const at = '2026-11-16T12:00:00.000Z'
    const made = { name: 'Tech', list_type: 'target', tickers: ['AAPL'], created_at: at, updated_at: at }
    const list = (id: unknown) => ({ ...made, id })
    answerWith(200, { success: true, lists: [list(1), list('two'), list(3)] })
    expect((await call(listTickerLists)).lists.map(({ id }) => id)).toEqual([1, 3])
    const noted = () => [...leftOutEntries.snapshot().values()].flat().map(leftOutSentence)
    expect(noted()).toEqual(['Lists: 1 of 3 entries could not be read and is left out.'])
    answerWith(200, { success: true, lists: [list(1), list(3)] })
    await call(listTickerLists)
    expect(noted()).toEqual([])
  })

  it.each([
    [{ message: 'Wrong username or password.' }, 'Wrong username or password.'],
    [{ error: 'Too many attempts.' }, 'Too many attempts.'],
    [{ message: '  ' }, null],
    [{ message: 42 }, null],
    ['<html>Bad gateway</html>', null],
  ])('reads the sentence of the server from %j [SHELL-078] [SHELL-080]', async (body, sentence) => {
    answerWith(400, body)
    expect((await failureOf(call(getUser))).serverMessage).toBe(sentence)
  })

  it('says clearly when nothing can be reached', async () => {
    sent.mockRejectedValue(new TypeError('Failed to fetch'))
    const error = await failureOf(call(getUser))
    expect(error).toMatchObject({ status: 0, serverMessage: null, message: UNREACHABLE })
    expect(unreachableHint(error)).toBe(UNREACHABLE)
  })

  it('passes an aborted call on as such', async () => {
    const aborter = new AbortController()
    aborter.abort()
    sent.mockRejectedValue(new DOMException('aborted', 'AbortError'))
    await expect(call(getUser, { signal: aborter.signal })).rejects.toBeInstanceOf(DOMException)
  })

  it('ends the session at a 401 of a call that needs one, not at a wrong password', async () => {
    const ended = vi.fn()
    const unsubscribe = onSessionEnded(ended)
    keepToken('abc')
    answerWith(401, { message: 'Wrong username or password.' })
    await failureOf(call(login, { body: { email: 'maria', password: 'x' } }))
    expect(ended).not.toHaveBeenCalled()
    answerWith(401, { message: 'Sign in first.' })
    await failureOf(call(getAuthMethods))
    expect(ended).toHaveBeenCalledOnce()
    expect(localStorage.getItem('token')).toBeNull()
    unsubscribe()
  })
})

describe('serverMessageOr', () => {
  it("falls back to the screen's own sentence [SHELL-079] [SHELL-081] [SET-083]", () => {
    const failure = { status: 500, code: 'http.500' }
    expect(serverMessageOr(new CallError({ ...failure, serverMessage: null }), 'Own')).toBe('Own')
    expect(serverMessageOr(new CallError({ ...failure, serverMessage: 'Theirs' }), 'Own')).toBe('Theirs')
    expect(serverMessageOr(new Error('a bug'), 'Own')).toBe('Own')
  })
})

describe('pathOf', () => {
  it('fills in parameters and the query, each escaped', () => {
    expect(pathOf('/api/strategies/:id', { id: 'a/b' })).toBe('/api/strategies/a%2Fb')
    expect(pathOf('/api/runs', {}, { limit: 10, search: 'a b', missing: undefined })).toBe(
      '/api/runs?limit=10&search=a+b',
    )
    expect(() => pathOf('/api/strategies/:id')).toThrow('needs the parameter id')
  })
})
