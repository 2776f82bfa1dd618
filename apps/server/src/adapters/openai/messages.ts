import type OpenAI from 'openai'
import type { ModelMessage, ToolCall, ToolDeclaration, TurnRequest } from '../../assistant/model.ts'

type Body = OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming

/** OpenAI has renamed the limit; servers that imitate it know the old name. */
export type TokenLimitName = 'max_completion_tokens' | 'max_tokens'

export function toBody(request: TurnRequest, model: string, limit: TokenLimitName): Body {
  const { messages, tools, mayUseTools, maxTokens } = request
  return {
    model,
    messages: messages.map(toWire),
    [limit]: maxTokens,
    ...(tools.length > 0 && { tools: tools.map(toTool), tool_choice: mayUseTools ? 'auto' : 'none' }),
  }
}

function toWire(message: ModelMessage): OpenAI.Chat.Completions.ChatCompletionMessageParam {
  const { role, content } = message
  if (role === 'tool') return { role, tool_call_id: message.toolCallId, content }
  if (role !== 'assistant') return { role, content }
  return { role, content, ...(message.toolCalls?.length && { tool_calls: message.toolCalls.map(toWireCall) }) }
}

const toWireCall = ({ id, name, arguments: text }: ToolCall) => ({
  id,
  type: 'function' as const,
  function: { name, arguments: text },
})

const toTool = ({ name, description, parameters }: ToolDeclaration): OpenAI.Chat.Completions.ChatCompletionTool => ({
  type: 'function',
  function: { name, description, parameters: { ...parameters } },
})
