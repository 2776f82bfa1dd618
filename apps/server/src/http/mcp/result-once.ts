import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { Problem } from '@tradewright/core/problem'
import { createHash } from 'node:crypto'
import type { IdempotentCalls, NamedCall } from '../../jobs/idempotent-calls.ts'

interface ToolCall {
  readonly userId: number
  /** The agent's own name for the call. */
  readonly key: string
  /** The tool and its input, as they were understood. */
  readonly called: readonly [tool: string, input: unknown]
  /** Aborted when the client cancels the call: what it began is ended, too. */
  readonly signal: AbortSignal
}

/**
 * The result of a tool that a call with this name had, or has now. After a refusal or a cancelled call the name can be used
 * again; after an unexpected failure not, since the work may have been done.
 */
export async function resultOnce(
  calls: IdempotentCalls,
  { userId, key, called, signal }: ToolCall,
  run: () => Promise<CallToolResult>,
): Promise<CallToolResult> {
  // Calls of the HTTP API have names of their own.
  const fingerprint = createHash('sha256')
    .update(JSON.stringify(['mcp', ...called]))
    .digest()
  const call: NamedCall = { userId, key: `mcp ${key}`, fingerprint }
  const earlier = await calls.begin(call)
  if (earlier) return JSON.parse(earlier.toString()) as CallToolResult
  const result = await run().catch(async (error: unknown) => {
    if (error instanceof Problem || signal.aborted) await calls.forget(call)
    throw error
  })
  await calls.finish(call, Buffer.from(JSON.stringify(result)))
  return result
}
