import type { LightMyRequestResponse } from 'fastify'
import type { TestServer } from './test-app.ts'
import { type Credentials, headersOf } from './visitor.ts'

/** Calls of the assistant as a user makes them. */
export function chatOf({ app }: TestServer, user: Credentials) {
  const send = (url: string, payload: object, accept = 'application/json'): Promise<LightMyRequestResponse> =>
    app.inject({ method: 'POST', url, headers: { ...headersOf(user), accept }, payload })
  const get = (url: string) => app.inject({ method: 'GET', url, headers: headersOf(user) })
  return {
    get,
    ask: (message: string, conversation_id = 'c1') =>
      send('/api/ai-assistant-query', { message, conversation_id, context: { user_id: 1, timestamp: 'now' } }),
    stream: (message: string, conversation_id = 'c1') =>
      send('/api/ai-assistant-query', { message, conversation_id }, 'text/event-stream'),
    act: (action: object, conversation_id = 'c1') => send('/api/ai-assistant-action', { action, conversation_id }),
    messages: async (id = 'c1') =>
      (await get(`/api/ai-assistant-conversations/${id}`)).json<{
        messages: { id: string; role: string; content: string; timestamp: string }[]
      }>().messages,
    connect: (api_key = 'sk-good') => send('/api/openai/connect', { api_key }),
    send,
  }
}

export const responseOf = (answer: LightMyRequestResponse): string => {
  if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}: ${answer.body}`)
  return answer.json<{ response: string }>().response
}

export const eventsOf = ({ body }: LightMyRequestResponse): { event: string; data: Record<string, unknown> }[] =>
  [...body.matchAll(/event: (\w+)\ndata: (.*)\n/g)].map(([, event, data]) => ({
    event: event!,
    data: JSON.parse(data!) as Record<string, unknown>,
  }))
