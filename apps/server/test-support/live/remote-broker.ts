import { Decimal } from '@tradewright/core/decimal'
import { Problem, type ProblemKind } from '@tradewright/core/problem'
import type { Broker } from '@tradewright/engine/trading/broker'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What can be called; the others are properties. */
type Method = Exclude<keyof Broker, 'cancelAll' | 'correctsFills' | 'refusals'>

/** A broker of this process for other processes, over loopback. */
export async function serveBroker(broker: Broker): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const { method, args } = decode(Buffer.concat(chunks).toString()) as { method: Method; args: unknown[] }
      try {
        // Not every broker has quotes: then there is none.
        const call = broker[method]?.bind(broker) as ((...args: unknown[]) => Promise<unknown>) | undefined
        response.end(encode({ result: await call?.(...args) }))
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        response.end(encode({ problem: { kind: error.kind, code: error.code, message: error.message } }))
      }
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** The same broker, seen from another process. */
export function remoteBroker(url: string): Broker {
  const call = async (method: string, args: unknown[]): Promise<unknown> => {
    const answer = await fetch(url, { method: 'POST', body: encode({ method, args }) })
    const { result, problem } = decode(await answer.text()) as {
      result?: unknown
      problem?: { kind: ProblemKind; code: string; message: string }
    }
    if (problem) throw new Problem(problem.kind, problem.code, problem.message)
    return result
  }
  return new Proxy({} as Broker, {
    get: (_, method: string) =>
      method === 'then' || method === 'refusals' ? undefined : (...args: unknown[]) => call(method, args),
  })
}

const encode = (value: unknown): string => JSON.stringify(marked(value))

function marked(value: unknown): unknown {
  if (value instanceof Decimal) return { $decimal: String(value) }
  if (Array.isArray(value)) return value.map(marked)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, marked(part)]))
}

const decode = (text: string): unknown =>
  JSON.parse(text, (_, value: unknown) => {
    const decimal = (value as { $decimal?: string } | null)?.$decimal
    return decimal === undefined ? value : Decimal.parse(decimal)
  })
