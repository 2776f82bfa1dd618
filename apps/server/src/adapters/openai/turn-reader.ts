import { Problem } from '@tradewright/core/problem'
import type OpenAI from 'openai'
import type { ToolCall, Turn } from '../../assistant/model.ts'

type Completion = OpenAI.Chat.Completions.ChatCompletion
type Chunk = OpenAI.Chat.Completions.ChatCompletionChunk
type ToolCallPart = OpenAI.Chat.Completions.ChatCompletionChunk.Choice.Delta.ToolCall

/** Far more than the tokens that were asked for; a server of the user's may send anything. */
const MAX_TEXT_LENGTH = 100_000
const MAX_CALLS = 50

/** A whole answer. What a server that only resembles OpenAI leaves out is read as nothing. */
export function readCompletion(completion: Partial<Completion>): Turn {
  const choice = completion.choices?.[0]
  if (!choice?.message) throw unreadable()
  const calls = (choice.message.tool_calls ?? [])
    .slice(0, MAX_CALLS)
    .flatMap((call, index) =>
      call.type === 'function' || call.type === undefined
        ? [{ id: call.id || `call_${index}`, name: call.function.name, arguments: call.function.arguments }]
        : [],
    )
  return {
    text: textOf(choice.message.content ?? choice.message.refusal),
    toolCalls: calls,
    usedTokens: completion.usage?.total_tokens ?? 0,
    isCutOff: choice.finish_reason === 'length',
  }
}

/** Puts the pieces of a streamed answer together; tool calls come in parts that belong together by their index. */
export class TurnReader {
  #text = ''
  #usedTokens = 0
  #finish: string | null = null
  readonly #calls = new Map<number, { id: string; name: string; arguments: string }>()

  /** Answers the new text in it. */
  add(chunk: Partial<Chunk>): string {
    this.#usedTokens = chunk.usage?.total_tokens ?? this.#usedTokens
    const choice = chunk.choices?.[0]
    if (!choice) return ''
    this.#finish = choice.finish_reason ?? this.#finish
    for (const part of choice.delta?.tool_calls ?? []) this.#addCall(part)
    const text = textOf(choice.delta?.content ?? choice.delta?.refusal).slice(0, MAX_TEXT_LENGTH - this.#text.length)
    this.#text += text
    return text
  }

  #addCall(part: ToolCallPart): void {
    if (!this.#calls.has(part.index) && this.#calls.size >= MAX_CALLS) return
    const call = this.#calls.get(part.index) ?? { id: `call_${part.index}`, name: '', arguments: '' }
    this.#calls.set(part.index, {
      id: part.id || call.id,
      name: call.name + (part.function?.name ?? ''),
      arguments: call.arguments + (part.function?.arguments ?? ''),
    })
  }

  /** A stream that ends without saying why has been cut. */
  finished(): Turn {
    if (this.#finish === null) throw cutShort()
    const toolCalls: ToolCall[] = [...this.#calls].sort(([a], [b]) => a - b).map(([, call]) => call)
    return { text: this.#text, toolCalls, usedTokens: this.#usedTokens, isCutOff: this.#finish === 'length' }
  }
}

function textOf(content: unknown): string {
  if (content === undefined || content === null) return ''
  if (typeof content !== 'string') throw unreadable()
  return content.slice(0, MAX_TEXT_LENGTH)
}

const cutShort = () =>
  new Problem('upstream', 'ai.failed', 'The connection to the AI model broke before its answer was complete.')

const unreadable = () => new Problem('upstream', 'ai.failed', "The AI model's answer was not understood.")
