import { ErrorAnswer } from '@tradewright/contract/answers'
import type { ContractCall } from './contract-calls.ts'
import type { PlannedRequest } from './requests.ts'
import type { WireAnswer } from './wire.ts'

export const MAX_ANSWER_MS = 5_000

export interface Fault {
  readonly kind: 'session lost' | 'server error' | 'slow' | 'leak' | 'no session' | 'not an error answer' | 'no answer'
  readonly detail: string
}

/** A server that the user named cannot be reached or answers nonsense: the one kind of 502 and 503 that a request may cause. */
const OWN_SERVER_AWAY = new Set(['store.away', 'ai.unreachable', 'provider.generated'])

/** The fault of an answer, whatever the request was; undefined where there is none. */
export function judge(
  planned: PlannedRequest,
  call: ContractCall,
  answer: WireAnswer,
  forbidden: readonly string[],
): Fault | undefined {
  const { status, body, milliseconds } = answer
  if (status === 0) return { kind: 'no answer', detail: body }
  if (status >= 500 && !isOwnServerAway(answer, planned.method))
    return { kind: 'server error', detail: `${status} ${body.slice(0, 300)}` }
  if (milliseconds > MAX_ANSWER_MS) return { kind: 'slow', detail: `${Math.round(milliseconds)} ms` }
  const isSignedIn = planned.caller === 'ann' || planned.caller === 'bob'
  const asksSession =
    call.access !== 'anyone' && !('cookie' in planned.headers) && !('authorization' in planned.headers)
  if (status === 401 && isSignedIn && asksSession) {
    // Their requests end no session; and without one, the rest of the run would test nothing.
    return { kind: 'session lost', detail: body.slice(0, 300) }
  }
  const leaked = forbidden.find((text) => body.includes(text))
  if (leaked !== undefined) return { kind: 'leak', detail: `${leaked} in ${excerpt(body, leaked)}` }
  const isAsDeclared = planned.method === call.method && planned.path === call.path
  if (planned.caller === 'stranger' && call.access !== 'anyone' && isAsDeclared && status < 400) {
    return { kind: 'no session', detail: `${status} without a session` }
  }
  // Headers or an address beyond 16 KB are refused by Node itself, in its own words.
  if (
    status >= 400 &&
    status !== 431 &&
    planned.path.startsWith('/api') &&
    planned.method !== 'HEAD' &&
    !isErrorAnswer(body)
  ) {
    return { kind: 'not an error answer', detail: `${status} ${body.slice(0, 300)}` }
  }
  return undefined
}

/** The answer to a HEAD has no body to tell by; the GET of the same path is asked as well. */
function isOwnServerAway({ status, body }: WireAnswer, method: string): boolean {
  if (status !== 502 && status !== 503) return false
  return method === 'HEAD' || (isErrorAnswer(body) && OWN_SERVER_AWAY.has(codeOf(body)))
}

const codeOf = (body: string): string => (JSON.parse(body) as { code: string }).code

function isErrorAnswer(body: string): boolean {
  try {
    return ErrorAnswer.safeParse(JSON.parse(body)).success
  } catch {
    return false
  }
}

function excerpt(body: string, text: string): string {
  const at = body.indexOf(text)
  return `…${body.slice(Math.max(0, at - 100), at + text.length + 40)}…`
}
