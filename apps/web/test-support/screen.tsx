/**
 * What tests of screens and components use: the whole app in a browser page that stays, mounted anew by each test. Calls that
 * the test does not answer itself go to a server that all files share, in the name of a user of its own.
 */
import axe from 'axe-core'
import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'
import { createMemoryRouter } from 'react-router'
import { expect, vi } from 'vitest'
import { commands, type Locator, page } from 'vitest/browser'
import { newApp } from '../src/app/app.tsx'
import { openOverlay } from '../src/app/commands/shortcuts.ts'
import { createRouter } from '../src/app/router.tsx'
import { closeHelp } from '../src/help/help-link.tsx'
import { dropLeftOut } from '../src/lib/readable-part.ts'
import { dismissToast, toastStore } from '../src/ui/feedback/toasts/toasts.tsx'
import { forgetUnsavedWork } from '../src/ui/form/unsaved-work.ts'
import { answerInPlace, type Served } from './served.ts'

interface Person {
  username: string
  password: string
}

declare module 'vitest/browser' {
  interface BrowserCommands {
    /** Makes this page the session of a new user, or of the one whom the tests of this page share. */
    signIn: (who: 'someone new' | 'anyone') => Promise<Person>
    /** Ends the page's session without telling the app, as another device would. */
    dropSession: () => Promise<void>
    emulateMedia: (media: {
      media?: 'screen' | 'print'
      colorScheme?: 'light' | 'dark'
      reducedMotion?: 'reduce' | 'no-preference'
    }) => Promise<void>
  }
}

/** A call that the app made since the test began, whoever answered it. */
interface MadeCall {
  method: string
  /** The path with its query. */
  path: string
  headers: Headers
  /** The JSON that was sent; a form's fields as they stand in FormData. */
  body: unknown
}

let root: Root | null = null
let router: ReturnType<typeof createRouter> | null = null
let served: readonly (readonly Served[])[] = []
let made: MadeCall[] = []
/** The call as it goes to the server, whatever the test answers: for what a test prepares there. */
export const callServer: typeof fetch = window.fetch.bind(window)

window.fetch = async (input, init) => {
  const request = new Request(input, init)
  const url = new URL(request.url)
  const body = await bodyOf(request.clone())
  made.push({ method: request.method, path: url.pathname + url.search, headers: request.headers, body })
  const call = { method: request.method, url, body: () => Promise.resolve(body instanceof FormData ? {} : body) }
  for (const group of served) {
    const answer = await Promise.race([answerInPlace(group, call), aborted(request.signal)])
    request.signal.throwIfAborted()
    if (answer) return Response.json(answer.json, { status: answer.status })
  }
  return callServer(request)
}

/** An answer that never comes can be given up all the same. */
const aborted = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true }))

async function bodyOf(request: Request): Promise<unknown> {
  if (request.headers.get('Content-Type')?.startsWith('multipart/')) return request.formData()
  const text = await request.text()
  return text === '' ? undefined : (JSON.parse(text) as unknown)
}

/** Prepares something on the server in the signed-in user's name; throws where it is refused. */
export async function postToServer(path: string, body: FormData | object = {}): Promise<Record<string, unknown>> {
  const json = { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
  const answer = await callServer(path, { method: 'POST', ...(body instanceof FormData ? { body } : json) })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
  return JSON.parse(text) as Record<string, unknown>
}

/** Answers these calls in the server's place until the test ends; a later group of them comes first. */
export function standIn(group: readonly Served[]): void {
  served = [group, ...served]
}

/** The calls so far that fit: `madeCalls('POST', '/api/strategies')`; a path without query fits with any. */
export function madeCalls(method: string, path: string): MadeCall[] {
  return made.filter((call) => call.method === method && (call.path === path || call.path.split('?')[0] === path))
}

/** A user who shares nothing with another test. */
export const signInAsNew = (): Promise<Person> => commands.signIn('someone new')
/** A user whom many tests share, for tests that change nothing about the user. */
export const signIn = (): Promise<Person> => commands.signIn('anyone')
export const signOut = (): Promise<void> => commands.dropSession()

export async function signInByForm({ username, password }: Person): Promise<void> {
  await page.getByLabelText('Username').fill(username)
  await page.getByLabelText('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Opens the app at this address as a new page would, and so also reloads it: what the browser keeps is kept. */
export function openScreen(address: string, state: unknown = null): void {
  unmount()
  history.replaceState(state, '', address)
  const place = document.createElement('div')
  place.id = 'root'
  // Dialogs of an earlier screen may have left their place, which comes after the app.
  document.body.prepend(place)
  root = createRoot(place)
  router = createRouter()
  root.render(newApp(router))
}

/** Shows a part of a screen alone, with the colours and the queries of the app. */
export function openPart(part: ReactNode): void {
  unmount()
  const place = document.createElement('div')
  place.id = 'root'
  document.body.prepend(place)
  root = createRoot(place)
  router = createMemoryRouter([{ path: '*', element: part }])
  root.render(newApp(router))
}

export const reloadScreen = (): void => openScreen(addressNow())
export const addressNow = (): string => location.pathname + location.search
export async function expectAddress(address: string | RegExp): Promise<void> {
  if (typeof address === 'string') await expect.poll(addressNow).toBe(address)
  else await expect.poll(addressNow).toMatch(address)
}

/** For what has no role of its own, as the heads of a table without `scope`. */
export const inside = (of: Locator, css: string): { elements: () => HTMLElement[] } => ({
  elements: () => [...(of.query()?.querySelectorAll<HTMLElement>(css) ?? [])],
})

/** The elements' texts, one by one and no others. */
export async function expectTexts(of: Pick<Locator, 'elements'>, texts: readonly (string | RegExp)[]): Promise<void> {
  const wanted = texts.map((text): unknown => (typeof text === 'string' ? text : expect.stringMatching(text)))
  await expect.poll(() => of.elements().map(({ textContent }) => textContent.trim())).toEqual(wanted)
}

/** What the app hands to the browser as a file while `act` runs. */
export async function fileFrom(act: () => Promise<unknown>): Promise<{ name: string; text: string }> {
  const made = vi.spyOn(URL, 'createObjectURL')
  const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  await act()
  await expect.poll(() => clicked.mock.contexts.length).toBe(1)
  const name = (clicked.mock.contexts[0] as HTMLAnchorElement).download
  const file = made.mock.calls[0]?.[0]
  made.mockRestore()
  clicked.mockRestore()
  return { name, text: file instanceof Blob ? await file.text() : '' }
}

/** Colours on the move are no colours yet; what turns without end, as long as something is loaded, is not waited for. */
export async function expectAccessible(within: Element | Document = document): Promise<void> {
  // An inherited colour moves down the page level by level, one frame each.
  const isEnding = ({ playState, effect }: Animation) =>
    playState === 'running' && effect?.getComputedTiming().endTime !== Infinity
  do await new Promise(requestAnimationFrame)
  while (document.getAnimations().some(isEnding))
  // What is behind an open dialog does not count as a page, so its head counts as the page's second banner.
  const rules = within === document ? {} : { 'landmark-no-duplicate-banner': { enabled: false } }
  const { violations } = await axe.run(within, { resultTypes: ['violations'], rules })
  const found = violations.map(({ id, nodes }) => ({ id, where: nodes.map(({ target }) => target.join(' ')) }))
  expect(found, addressNow()).toEqual([])
}

/** The page itself never scrolls sideways; after a change of its width, once it is drawn anew. */
export async function expectNoSidewaysScroll(): Promise<void> {
  const { documentElement } = document
  await expect
    .poll(() => documentElement.scrollWidth - documentElement.clientWidth, { message: addressNow() })
    .toBeLessThanOrEqual(0)
}

const DESK = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }

/** Each theme once, each layout once: what depends on both at a time would be a fault of its own. */
export const LOOKS = [
  { colorScheme: 'light', viewport: DESK },
  { colorScheme: 'dark', viewport: PHONE },
] as const

export async function look({ colorScheme, viewport }: (typeof LOOKS)[number]): Promise<void> {
  await commands.emulateMedia({ colorScheme })
  await page.viewport(viewport.width, viewport.height)
}

function unmount(): void {
  const mounted = root
  root = null
  // What it is still on its way to would change the address under the next screen.
  router?.dispose()
  flushSync(() => mounted?.unmount())
  document.getElementById('root')?.remove()
}

/** After each test: nothing that it left in the page, in storage or in modules reaches the next. */
export async function closeScreen(): Promise<void> {
  unmount()
  openOverlay(null)
  closeHelp()
  dropLeftOut()
  forgetUnsavedWork()
  for (const { id } of toastStore.snapshot()) dismissToast(id)
  served = []
  made = []
  localStorage.clear()
  sessionStorage.clear()
  document.title = ''
  if (window.innerWidth !== DESK.width || window.innerHeight !== DESK.height)
    await page.viewport(DESK.width, DESK.height)
  if (matchMedia('(prefers-color-scheme: dark)').matches) await commands.emulateMedia({ colorScheme: 'light' })
}
