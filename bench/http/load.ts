import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Result } from 'autocannon'

const CONNECTIONS = 50

export interface Target {
  url: string
  cookie: string
}

export interface Load {
  requestsPerSecond: number
  p50Ms: number
  p99Ms: number
}

/** Asks as fast as the answers come, from a process of its own, so that asking does not slow the answering down. */
export async function load({ url, cookie }: Target, seconds: number): Promise<Load> {
  const program = createRequire(import.meta.url).resolve('autocannon')
  const args = ['--json', '-c', String(CONNECTIONS), '-d', String(seconds), '-H', `cookie=${cookie}`, url]
  const result = JSON.parse(await outputOf([program, ...args])) as Result
  const bad = result.non2xx + result.errors + result.timeouts
  if (bad > 0) throw new Error(`${bad} of ${result.requests.total} requests to ${url} failed`)
  return { requestsPerSecond: result.requests.average, p50Ms: result.latency.p50, p99Ms: result.latency.p99 }
}

/**
 * Asks so many times a second, evenly. Autocannon sends the calls of a second all at once, and counts a slow one for
 * every millisecond that it took; how long one of fifty at once takes says nothing about fifty a second.
 */
export async function pacedLoad({ url, cookie }: Target, seconds: number, rate: number): Promise<Load> {
  const caller = fileURLToPath(new URL('caller.ts', import.meta.url))
  const output = await outputOf([caller, url, cookie, String(seconds), String(rate)])
  const times = (JSON.parse(output) as number[]).toSorted((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]!
  return { requestsPerSecond: rate, p50Ms: at(0.5), p99Ms: at(0.99) }
}

async function outputOf(args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`asking ended with ${code}: ${output.slice(0, 300)}`)
  return output
}
