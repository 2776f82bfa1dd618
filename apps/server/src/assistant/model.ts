/** A tool call as a model asks for it: the arguments are text, and may be anything. */
export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly arguments: string
}

export type ModelMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly toolCalls?: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly toolCallId: string; readonly content: string }

export interface ToolDeclaration {
  readonly name: string
  readonly description: string
  /** JSON Schema of an object. */
  readonly parameters: Readonly<Record<string, unknown>>
}

export interface TurnRequest {
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ToolDeclaration[]
  /** False: the model must answer now, with what it has. */
  readonly mayUseTools: boolean
  readonly maxTokens: number
}

export interface Turn {
  readonly text: string
  readonly toolCalls: readonly ToolCall[]
  readonly usedTokens: number
  /** The model ran into `maxTokens`. */
  readonly isCutOff: boolean
}

export interface OfferedModel {
  readonly id: string
  /** `YYYY-MM-DD`. */
  readonly shutdownDate: string | null
}

/**
 * A connected model. What goes wrong is a Problem whose sentence a user can act on: `ai.key`, `ai.quota`, `ai.rate`,
 * `ai.model`, `ai.too-long`, `ai.address`, `ai.time-out`, `ai.unreachable`, `ai.failed`.
 */
export interface ChatModel {
  /** With `onText`, the text is also handed over as it comes. */
  turn(request: TurnRequest, signal: AbortSignal, onText?: (text: string) => void): Promise<Turn>
  offered(signal: AbortSignal): Promise<readonly OfferedModel[]>
}

export interface ModelAccess {
  readonly apiKey: string
  readonly model: string
  /** Null: the server that the configuration names. */
  readonly baseUrl: string | null
}

export type OpenModel = (access: ModelAccess) => ChatModel
