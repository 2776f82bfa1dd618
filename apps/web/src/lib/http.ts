import { ErrorAnswer } from '@tradewright/contract/answers'
import { FACTOR_NEEDED } from '@tradewright/contract/second-factor'
import type { Route } from '@tradewright/contract/route'
import type { z } from 'zod'
import { CancelledError, type FetchQueryOptions, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { CallError } from './call-error.ts'
import { noteLeftOut, leftOutByServer, readablePart } from './readable-part.ts'
import { inChosenFormats, withChosenFormats } from './sentences.ts'
import { browserStorage } from './browser-storage.ts'

type In<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined
type Given<Name extends string, Value> = undefined extends Value ? { [K in Name]?: Value } : { [K in Name]: Value }

/** The input of a call: only the parts that the route declares. */
export type CallInput<R extends Route> = Given<'params', In<R['params']>> &
  Given<'query', In<R['query']>> &
  Given<'body', In<R['body']>> & { signal?: AbortSignal }

export type AnswerOf<R extends Route> = z.output<R['answer']>

type Scalar = string | number | boolean | null | undefined
type Parts = Record<string, Scalar>
interface LooseInput {
  params?: Parts
  query?: Parts
  body?: unknown
  signal?: AbortSignal
}
type Optionally<T> = object extends T ? [input?: T] : [input: T]

let sessionEnded: () => void = () => {}

/** Tells `listener` when a call that needs a session is refused for want of one. */
export function onSessionEnded(listener: () => void): () => void {
  sessionEnded = listener
  return () => {
    sessionEnded = () => {}
  }
}

let askForFactor: (() => Promise<boolean>) | undefined

/** Tells `ask` when a call waits for the second factor; it answers whether the factor was given, and the call is made again. */
export function onFactorNeeded(ask: () => Promise<boolean>): () => void {
  askForFactor = ask
  return () => {
    askForFactor = undefined
  }
}

/** Makes the call that `route` declares. Rejects with a `CallError`, or with the reason of an aborted `signal`. */
export function call<R extends Route>(route: R, ...[input]: Optionally<CallInput<R>>): Promise<AnswerOf<R>> {
  // The parts were checked against this very route by the signature; from here on only their names matter.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const given = (input ?? {}) as LooseInput
  const ask = async () => {
    const response = await respond(route, given)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the route's own schema has said so
    return checked(route, response, parsed(await response.text())) as AnswerOf<R>
  }
  if (route.method === 'GET' || given.signal || given.body instanceof FormData) return ask()
  return onceAtATime(
    `${route.method} ${pathOf(route.path, given.params, given.query)} ${JSON.stringify(given.body)}`,
    ask,
  )
}

const underWay = new Map<string, Promise<unknown>>()

/** The second click of a double-click comes before the button is shown as disabled: both clicks share one call. */
function onceAtATime<Answer>(change: string, ask: () => Promise<Answer>): Promise<Answer> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same change has the same answer
  const same = underWay.get(change) as Promise<Answer> | undefined
  if (same) return same
  const asked = ask().finally(() => underWay.delete(change))
  underWay.set(change, asked)
  return asked
}

/** Entries of a list that cannot be read are left out, and the layout tells that they are. */
function checked(route: Route, response: Response, answer: unknown): unknown {
  const read = readablePart(route.answer, answer)
  if (read) {
    noteLeftOut(`${route.method} ${route.path}`, [...read.leftOut, ...leftOutByServer(read.answer)])
    return withChosenFormats(route.answer, read.answer)
  }
  throw new CallError({
    status: response.status,
    code: 'answer.shape',
    serverMessage: sentenceOf(answer),
    cause: route.answer.safeParse(answer).error,
  })
}

/** Sends a form and answers the text that came back, for a caller that says itself what is wrong with it. */
export async function callForText(route: Route, form: FormData, signal?: AbortSignal): Promise<string> {
  const response = await respond(route, { body: form, ...(signal ? { signal } : {}) })
  return response.text()
}

/** Makes the call and answers the bytes that came back, for a caller that reads them elsewhere. */
export async function callForBytes(
  route: Route,
  input: { params?: Parts; body?: FormData; signal?: AbortSignal },
): Promise<ArrayBuffer> {
  const response = await respond(route, input)
  return response.arrayBuffer()
}

/** Makes the call and answers what came back, unread, for a caller who accepts more than JSON. */
export function callForResponse<R extends Route>(route: R, input: CallInput<R>, accept: string): Promise<Response> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as in `call`
  return respond(route, input as LooseInput, accept)
}

async function respond(route: Route, input: LooseInput, accept?: string): Promise<Response> {
  try {
    return await respondOnce(route, input, accept)
  } catch (error) {
    const isAsked = error instanceof CallError && error.code === FACTOR_NEEDED && route.asksFactor !== undefined
    if (isAsked && (await askForFactor?.())) return respondOnce(route, input, accept)
    throw error
  }
}

async function respondOnce(
  route: Route,
  { params, query, body: given, signal }: LooseInput,
  accept = 'application/json',
): Promise<Response> {
  const body = route.encoding === 'multipart' && !(given instanceof FormData) ? formOf(given) : given
  const response = await send(pathOf(route.path, params, query), {
    method: route.method,
    credentials: 'include',
    headers: headersFor(route, body, accept),
    ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  })
  if (!response.ok) throw refused(route, response, parsed(await response.text().catch(() => '')))
  announceChange(route)
  return response
}

/** Fields that are absent are not sent; a list repeats its field. */
function formOf(fields: unknown): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields ?? {})) {
    for (const one of [value].flat()) if (one !== undefined) form.append(name, String(one))
  }
  return form
}

export function pathOf(path: string, params: Parts = {}, query: Parts = {}): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined || value === null) throw new Error(`${path} needs the parameter ${name}`)
    return encodeURIComponent(String(value))
  })
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return search ? `${filled}?${search}` : filled
}

function headersFor(route: Route, body: unknown, accept: string): Record<string, string> {
  const token = tokenFor(route)
  return {
    Accept: accept,
    'X-Requested-With': 'XMLHttpRequest',
    ...(body === undefined || body instanceof FormData ? {} : { 'Content-Type': 'application/json' }),
    ...(token ? { Authorization: `Bearer ${token}` } : {}),
  }
}

async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init)
  } catch (cause) {
    if (init.signal?.aborted) throw cause
    throw new CallError({ status: 0, code: 'network', serverMessage: null, cause })
  }
}

/** Undefined when the text is no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A proxy in between may answer with less than our own server does, so each part counts on its own. */
const Refusal = ErrorAnswer.partial()

function refused(route: Route, response: Response, answer: unknown): CallError {
  if (response.status === 401 && route.access !== 'anyone') {
    forgetToken()
    sessionEnded()
  }
  return new CallError({
    status: response.status,
    statusText: response.statusText,
    code: Refusal.safeParse(answer).data?.code ?? `http.${response.status}`,
    serverMessage: sentenceOf(answer),
    answer,
  })
}

/** The server's own sentence about a refusal; null when there is none. */
function sentenceOf(answer: unknown): string | null {
  const { message, error } = Refusal.safeParse(answer).data ?? {}
  const sentence = message?.trim() || error?.trim()
  return sentence ? inChosenFormats(sentence) : null
}

/** The names under which the specification's calls look for the session's bearer token; both hold the same one. */
const KEYS = ['token', 'authToken'] as const
type Key = (typeof KEYS)[number]

/** Which calls send the token, by their tag; the others send the session's cookie alone, which is enough for every call. */
const KEY_OF_TAG: Readonly<Record<string, Key>> = {
  'AI assistant': 'token',
  'Brokerage accounts': 'authToken',
  'Data Collector': 'authToken',
  'Data stores': 'authToken',
  OpenAI: 'authToken',
  Portfolio: 'authToken',
  'Sign-in methods': 'authToken',
}

/** The bearer token that a call sends, if it sends one and this browser has it. */
export function tokenFor({ tag }: Pick<Route, 'tag'>): string | null {
  const key = KEY_OF_TAG[tag]
  return key === undefined ? null : (browserStorage()?.getItem(key) ?? null)
}

export function keepToken(token: string): void {
  for (const key of KEYS) browserStorage()?.setItem(key, token)
}

export function forgetToken(): void {
  for (const key of KEYS) browserStorage()?.removeItem(key)
}

const CHANNEL = 'tradewright changes'

let channel: BroadcastChannel | undefined

/** One channel for telling and hearing: a tab does not hear itself. Undefined where the browser has none. */
function open(): BroadcastChannel | undefined {
  if (typeof BroadcastChannel === 'undefined') return undefined
  channel ??= new BroadcastChannel(CHANNEL)
  return channel
}

/** Tells the browser's other tabs that a call may have changed what they show. */
export function announceChange({
  method,
  access,
  changesNothing,
}: Pick<Route, 'method' | 'access' | 'changesNothing'>) {
  if (method !== 'GET' && access !== 'anyone' && !changesNothing) open()?.postMessage('changed')
}

export function onChangeElsewhere(listener: () => void): () => void {
  const heard = open()
  heard?.addEventListener('message', listener)
  return () => heard?.removeEventListener('message', listener)
}

/** Twice, and only where trying again can help: the network, or a server that is busy or restarting. */
export function isWorthRetrying(failureCount: number, error: unknown): boolean {
  if (failureCount >= 2 || !(error instanceof CallError)) return false
  return error.isUnreachable || error.status >= 500
}

/** More cancellations in a row are no coincidence. */
const MAX_TRIES = 5

/**
 * An answer of now, for what is done with it here. A screen that shows the same data cancels the call when it goes away or is
 * refreshed; that is no failure of this one, which asks again.
 */
export async function fetchFresh<Data, Key extends QueryKey>(
  queries: QueryClient,
  options: FetchQueryOptions<Data, Error, Data, Key>,
): Promise<Data> {
  for (let left = MAX_TRIES; ; left -= 1) {
    try {
      return await queries.fetchQuery({ ...options, staleTime: 0 })
    } catch (error) {
      if (!(error instanceof CancelledError) || left === 1) throw error
    }
  }
}
