import type { KeyScope } from '@tradewright/core/key-scopes'
import type { z } from 'zod'
import type { Caller } from '../assistant/action.ts'

/** A program with an API key of a user; everything it reads and starts is that user's own. */
export interface McpCaller extends Caller {
  /** Aborted when the client cancels the call. A lost connection aborts nothing: what was started goes on. */
  readonly signal: AbortSignal
  readonly key: { readonly id: string; readonly name: string; readonly scopes: readonly KeyScope[] }
  /** `fraction` from 0 to 1, or null when it cannot tell. */
  readonly onProgress: (fraction: number | null, note: string) => void
}

/** Where the whole of a result can be read, in pages. */
export interface ResultLink {
  readonly uri: string
  readonly name: string
  readonly mimeType: string
}

export interface McpResult {
  /** In words: figures, verdicts, and that prices were made up where they were. */
  readonly summary?: string
  readonly data?: unknown
  readonly links?: readonly ResultLink[]
}

interface McpTool<Input = unknown> {
  readonly name: string
  readonly title: string
  /** For the model. */
  readonly description: string
  /** Any of them allows it. `trade-paper` and `trade-live` allow nothing here. */
  readonly scopes: readonly Exclude<KeyScope, 'trade-paper' | 'trade-live'>[]
  /** `proposes`: it waits for a user's answer, and changes nothing else. */
  readonly effect: 'reads' | 'computes' | 'proposes'
  readonly input: z.ZodType<Input>
  run(caller: McpCaller, input: Input): Promise<McpResult>
}

// oxlint-disable-next-line typescript/no-explicit-any
export type AnyMcpTool = McpTool<any>

export const defineMcpTool = <Input>(tool: McpTool<Input>): McpTool<Input> => tool

export const mayUse = ({ scopes }: Pick<AnyMcpTool, 'scopes'>, { key }: Pick<McpCaller, 'key'>): boolean =>
  scopes.some((scope) => key.scopes.includes(scope))
