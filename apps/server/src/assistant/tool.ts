import { z } from 'zod'
import type { ToolDeclaration } from './model.ts'

/** On whose behalf, and until when. Everything a tool or an action reads and does is that user's own. */
export interface Caller {
  readonly userId: number
  readonly username: string
  readonly signal: AbortSignal
}

/** A use case that only reads or computes, so that a model may call it by itself. */
interface Tool<Input = unknown, Output = unknown> {
  readonly name: string
  /** For the model. */
  readonly description: string
  /** For the user, while it works: `Looking at your strategies`. */
  readonly note: string
  readonly input: z.ZodType<Input>
  run(caller: Caller, input: Input): Promise<Output>
}

/** A tool whose types only it knows, as lists of tools hold it. */
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyTool = Tool<any>

export const defineTool = <Input, Output>(tool: Tool<Input, Output>): Tool<Input, Output> => tool

export const declarationOf = ({ name, description, input }: AnyTool): ToolDeclaration => ({
  name,
  description,
  parameters: parametersOf(input),
})

/** JSON Schema as models read it: without the dialect's address. */
export function parametersOf(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...parameters } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return parameters
}
