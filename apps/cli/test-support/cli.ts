import type { KeyScope } from '@tradewright/core/key-scopes'
import { createApiKey } from '@tradewright/contract/api-keys'
import { spawn } from 'node:child_process'
import { Readable } from 'node:stream'
import { sharedTestApp, type TestServer } from '../../server/test-support/test-app.ts'
import { headersOf, post, register, type RegisteredUser } from '../../server/test-support/visitor.ts'
import { runCli } from '../src/run-cli.ts'

export interface ListeningApp extends TestServer {
  url: string
}

/** The whole server behind a real port. */
export async function listeningApp(): Promise<ListeningApp> {
  const server = await sharedTestApp()
  return { ...server, url: await server.address() }
}

interface KeyOfUser {
  user: RegisteredUser
  key: string
  id: string
}

export async function keyOf(server: TestServer, scopes: KeyScope[], of?: RegisteredUser): Promise<KeyOfUser> {
  const user = of ?? (await register(server))
  const wish = { name: 'Notebook', scopes, password: user.password, calls_per_minute: 600 }
  const answer = createApiKey.answer.parse((await post(server, '/api/keys', wish, headersOf(user))).json())
  return { user, key: answer.secret, id: answer.key.id }
}

interface Ran {
  exit: number
  stdout: string
  stderr: string
}

type Environment = Record<string, string | undefined>

interface RunSettings {
  stdin?: string
  interrupted?: AbortSignal
  /** Called with everything that it has written so far. */
  onOutput?: (written: { stdout: string; stderr: string }) => void
}

/** A command line in this process, without a terminal. */
export async function run(words: readonly string[], env: Environment, settings: RunSettings = {}): Promise<Ran> {
  const written = { stdout: '', stderr: '' }
  const stream = (name: keyof typeof written) => ({
    write(text: string) {
      written[name] += text
      settings.onOutput?.(written)
      return written[name]
    },
  })
  const exit = await runCli(words, {
    env,
    stdin: Readable.from([settings.stdin ?? '']) as never,
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    interrupted: settings.interrupted ?? new AbortController().signal,
  })
  return { exit, ...written }
}

interface TerminalSession {
  /** Everything on the screen so far, escapes included. */
  screen: () => string
  type: (text: string) => void
  ended: Promise<number | null>
}

/** A program in a pseudo-terminal, by `script` of util-linux. */
export function inTerminal(command: string, env: Environment): TerminalSession {
  const child = spawn('script', ['-qefc', command, '/dev/null'], {
    env: { PATH: process.env['PATH'], TERM: 'xterm', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let screen = ''
  child.stdout.on('data', (chunk: Buffer) => (screen += chunk.toString()))
  return {
    screen: () => screen,
    type: (text) => child.stdin.write(text),
    ended: new Promise((resolve) => {
      child.once('close', (code) => {
        child.stdin.destroy()
        resolve(code)
      })
    }),
  }
}
