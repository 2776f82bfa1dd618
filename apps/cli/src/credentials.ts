import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Credentials } from './client.ts'
import { EXIT, Failure, usage } from './failure.ts'

type Environment = Record<string, string | undefined>

function credentialsFile(env: Environment): string {
  const folder = env['XDG_CONFIG_HOME'] || join(env['HOME'] || homedir(), '.config')
  return join(folder, 'tradewright', 'credentials.json')
}

/** `TRADEWRIGHT_URL` and `TRADEWRIGHT_KEY` go before what `login` stored, each for itself. */
export function readCredentials(env: Environment): Credentials {
  const stored = storedIn(credentialsFile(env))
  const [url, key] = [env['TRADEWRIGHT_URL'] || stored.url, env['TRADEWRIGHT_KEY'] || stored.key]
  if (!url || !key) {
    const sentence = 'Not signed in. Run “tradewright login”, or set TRADEWRIGHT_URL and TRADEWRIGHT_KEY.'
    throw new Failure(EXIT.forbidden, sentence)
  }
  // A stored key is for the server that it was stored with.
  if (!env['TRADEWRIGHT_KEY'] && stored.url && addressOf(url) !== stored.url) {
    const sentence = `The stored key is for ${stored.url}. Set TRADEWRIGHT_KEY for ${addressOf(url)}, or sign in there.`
    throw new Failure(EXIT.forbidden, sentence)
  }
  return { url: addressOf(url), key: keyOf(key) }
}

/** Readable by its owner alone; a crash leaves the previous file. */
export function storeCredentials(env: Environment, credentials: Credentials): string {
  const file = credentialsFile(env)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const scratch = `${file}.${process.pid}`
  writeFileSync(scratch, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 })
  chmodSync(scratch, 0o600)
  renameSync(scratch, file)
  return file
}

/** Without the parts that a user may have copied along: `https://host/api/v1/` is `https://host`. */
export function addressOf(text: string): string {
  const trimmed = text.trim()
  const url = URL.canParse(trimmed) ? new URL(trimmed) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw usage(`The address must begin with http:// or https://, such as http://127.0.0.1:3000.`)
  }
  return `${url.origin}${url.pathname.replace(/\/(api(\/v1)?)?\/*$/, '')}`
}

export function keyOf(text: string): string {
  const key = text.trim()
  if (!/^tw_[\w-]{1,200}$/.test(key)) throw usage('An API key begins with tw_. Make one under Settings, API Keys.')
  return key
}

function storedIn(file: string): Partial<Credentials> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return {}
  }
  try {
    const { url, key } = JSON.parse(text) as Record<string, unknown>
    if (typeof url === 'string' && typeof key === 'string') return { url, key }
  } catch {
    // Said below.
  }
  throw new Failure(EXIT.forbidden, `${file} cannot be read. Run “tradewright login” again.`)
}
