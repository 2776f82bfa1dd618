import { askAssistant, AssistantAnswer, AssistantEvent, runAssistantAction } from '@tradewright/contract/ai-assistant'
import type { ActionObject } from '@tradewright/contract/ai-assistant'
import { CallError } from '../../lib/call-error.ts'
import { callForResponse, parsed } from '../../lib/http.ts'
import { readEvents } from '../../lib/read-events.ts'
import { inChosenFormats } from '../../lib/sentences.ts'

export type Asked = { kind: 'message'; text: string } | { kind: 'action'; action: ActionObject }

interface AssistantCall {
  asked: Asked
  conversationId: string
  userId: number
  signal: AbortSignal
  onText: (text: string) => void
  onStep: (note: string) => void
}

const ACCEPT = 'text/event-stream, application/json'

/** Asks, and takes the answer as it comes: piece by piece, or whole. Empty where there was none. */
export async function callAssistant(call: AssistantCall): Promise<string> {
  const response = await ask(call)
  const isStream = response.headers.get('content-type')?.includes('text/event-stream') ?? false
  if (isStream && response.body) return streamed(response.body, call)
  return AssistantAnswer.partial().safeParse(parsed(await response.text())).data?.response ?? ''
}

function ask({ asked, conversationId, userId, signal }: AssistantCall): Promise<Response> {
  const common = {
    conversation_id: conversationId,
    context: { user_id: userId, timestamp: new Date().toISOString() },
  }
  return asked.kind === 'message'
    ? callForResponse(askAssistant, { body: { message: asked.text, ...common }, signal }, ACCEPT)
    : callForResponse(runAssistantAction, { body: { action: asked.action, ...common }, signal }, ACCEPT)
}

async function streamed(body: ReadableStream<Uint8Array>, { onText, onStep }: AssistantCall): Promise<string> {
  for await (const { event, data } of readEvents(body)) {
    if (event === 'text') onText(AssistantEvent.text.parse(data).text)
    else if (event === 'step') onStep(inChosenFormats(AssistantEvent.step.parse(data).note))
    else if (event === 'done') return AssistantEvent.done.parse(data).response
    else if (event === 'error') throw failure(AssistantEvent.error.parse(data))
  }
  throw new CallError({ status: 0, code: 'network', serverMessage: null })
}

const failure = ({ error, code }: { error: string; code: string }) =>
  new CallError({ status: 502, code, serverMessage: inChosenFormats(error) })
