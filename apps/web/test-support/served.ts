import type { Route } from '@tradewright/contract/route'
import type { z } from 'zod'

export interface ServedCall {
  params: Record<string, string>
  query: URLSearchParams
  /** The fields as they were sent; `{}` for a call without a JSON body. */
  body: Record<string, unknown>
}

interface Refusal {
  refusal: { status: number; body: Record<string, unknown> }
}

/** A call of the contract that a test answers in the server's place. */
export interface Served {
  declared: Route
  serve: (call: ServedCall) => unknown
}

type Answer<R extends Route> = z.input<R['answer']> | Refusal

/** Answers one declared call; what it answers has the type that the contract declares, so that it cannot drift. */
export function on<R extends Route>(
  declared: R,
  serve: (call: ServedCall) => Answer<NoInfer<R>> | Promise<Answer<NoInfer<R>>>,
): Served {
  return { declared, serve }
}

export function refuse(
  message: string,
  { status = 400, ...more }: { status?: number; [field: string]: unknown } = {},
): Refusal {
  return { refusal: { status, body: { success: false, error: message, message, code: 'stand-in', ...more } } }
}

/** The answer of the first of `served` that declares this call; undefined where none does. */
export async function answerInPlace(
  served: readonly Served[],
  call: { method: string; url: URL; body: () => Promise<unknown> },
): Promise<{ status: number; json: unknown } | undefined> {
  for (const { declared, serve } of inOrderOfPaths(served)) {
    if (declared.method !== call.method) continue
    const match = new URLPattern({ pathname: declared.path }).exec({ pathname: call.url.pathname })
    if (!match) continue
    const answer = await serve({
      params: Object.fromEntries(Object.entries(match.pathname.groups).map(([name, text]) => [name, text ?? ''])),
      query: call.url.searchParams,
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the contract's JSON bodies are objects
      body: ((await call.body()) ?? {}) as ServedCall['body'],
    })
    return isRefusal(answer)
      ? { status: answer.refusal.status, json: answer.refusal.body }
      : { status: 200, json: answer }
  }
  return undefined
}

/** As on the server, a path that names its last part comes before one that takes any. */
function inOrderOfPaths(served: readonly Served[]): Served[] {
  const parameterCount = ({ path }: Route) => path.split(':').length
  return served.toSorted((a, b) => parameterCount(a.declared) - parameterCount(b.declared))
}

function isRefusal(answer: unknown): answer is Refusal {
  return typeof answer === 'object' && answer !== null && 'refusal' in answer
}
