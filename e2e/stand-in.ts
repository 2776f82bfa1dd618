import type { Route as Declared } from '../packages/contract/src/route.ts'
import type { z } from 'zod'
import type { Page } from './story.ts'

export interface StandInCall {
  params: Record<string, string>
  query: URLSearchParams
  /** As it was sent. */
  body: Record<string, unknown>
}

interface Refusal {
  refusal: { status: number; body: Record<string, unknown> }
}

export interface Served {
  declared: Declared
  serve: (call: StandInCall) => unknown
}

type Answer<R extends Declared> = z.input<R['answer']> | Refusal

/** Answers one declared call; what it answers has the type that the contract declares, so that it cannot drift. */
export function on<R extends Declared>(
  declared: R,
  serve: (call: StandInCall) => Answer<NoInfer<R>> | Promise<Answer<NoInfer<R>>>,
): Served {
  return { declared, serve }
}

export function refuse(
  message: string,
  { status = 400, ...more }: { status?: number; [field: string]: unknown } = {},
): Refusal {
  return { refusal: { status, body: { success: false, error: message, message, code: 'stand-in', ...more } } }
}

/** Takes the place of the server for these calls. The first that fits answers; all others go to the server. */
export async function standIn(page: Page, served: readonly Served[]): Promise<void> {
  // As on the server, a path that names its last part comes before one that takes any.
  const patterns = served
    .map(({ declared, serve }) => ({ declared, serve, pattern: new URLPattern({ pathname: declared.path }) }))
    .sort((a, b) => parameterCount(a.declared) - parameterCount(b.declared))
  await page.route('**/api/**', async (route) => {
    const request = route.request()
    const url = new URL(request.url())
    for (const { declared, serve, pattern } of patterns) {
      const match = declared.method === request.method() ? pattern.exec({ pathname: url.pathname }) : null
      if (!match) continue
      const params = Object.fromEntries(Object.entries(match.pathname.groups).map(([name, text]) => [name, text ?? '']))
      const answer = await serve({
        params,
        query: url.searchParams,
        body: (request.postDataJSON() ?? {}) as StandInCall['body'],
      })
      if (isRefusal(answer)) await route.fulfill({ status: answer.refusal.status, json: answer.refusal.body })
      else await route.fulfill({ json: answer })
      return
    }
    await route.fallback()
  })
}

const parameterCount = ({ path }: Declared) => path.split(':').length

function isRefusal(answer: unknown): answer is Refusal {
  return typeof answer === 'object' && answer !== null && 'refusal' in answer
}
