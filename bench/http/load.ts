import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
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

/** Asks as fast as the answers come, or so many times a second, from a process of its own, so that asking does not slow the answering down. */
export async function load({ url, cookie }: Target, seconds: number, rate?: number): Promise<Load> {
  const program = createRequire(import.meta.url).resolve('autocannon')
  const args = ['--json', '-c', String(CONNECTIONS), '-d', String(seconds), '-H', `cookie=${cookie}`, url]
  const paced = rate === undefined ? [] : ['-R', String(rate)]
  const child = spawn(process.execPath, [program, ...paced, ...args], { stdio: ['ignore', 'pipe', 'ignore'] })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await once(child, 'close')
  const result = JSON.parse(output) as Result
  const bad = result.non2xx + result.errors + result.timeouts
  if (bad > 0) throw new Error(`${bad} of ${result.requests.total} requests to ${url} failed`)
  return { requestsPerSecond: result.requests.average, p50Ms: result.latency.p50, p99Ms: result.latency.p99 }
}
