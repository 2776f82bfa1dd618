import { getVersion } from '@tradewright/contract/version'
import { createInterface } from 'node:readline'
import { Client } from '../client.ts'
import type { Command, Invocation } from '../command.ts'
import { addressOf, keyOf, storeCredentials } from '../credentials.ts'
import { EXIT, Failure } from '../failure.ts'
import { plain } from '../output.ts'

const DEFAULT_ADDRESS = 'http://127.0.0.1:3000'

export const login: Command = {
  name: 'login',
  summary: 'Sign in with an API key, and keep it for later commands.',
  args: [],
  options: {
    url: { value: 'ADDRESS', help: `server address; on a terminal you are asked for it, otherwise ${DEFAULT_ADDRESS}` },
  },
  details: [
    'Create a key in the web app under Settings, API Keys. On a terminal you are asked for it; otherwise it is read from standard input, because other users of the machine can see command lines.',
    'The address and the key are stored in $XDG_CONFIG_HOME/tradewright/credentials.json (~/.config if that is not set), readable only by you. TRADEWRIGHT_URL and TRADEWRIGHT_KEY take precedence.',
  ],
  examples: ['tradewright login', 'tradewright login --url https://trade.example.org < key.txt'],
  async run(invocation) {
    const { out, env } = invocation
    const { url, key } = await answers(invocation)
    const { version, key: named } = await new Client({ url, key }).call(getVersion, { signal: invocation.interrupted })
    const file = storeCredentials(env, { url, key })
    const document = { url, version, file, key: named }
    out.result(document, () => [
      `Signed in to ${url} (version ${plain(version)}).`,
      ...(named
        ? [`Key “${plain(named.name)}”: ${named.scopes.join(', ')}; expires ${named.expires_at.slice(0, 10)}.`]
        : []),
      `Stored in ${file}.`,
    ])
    if (url.startsWith('http:') && !isLoopback(url)) {
      out.note('The connection is not encrypted: others on the network can read the key. Use https:// where you can.')
    }
    return EXIT.ok
  },
}

async function answers({ stdin, text, out, interrupted }: Invocation): Promise<{ url: string; key: string }> {
  const given = text('url')
  if (!stdin.isTTY) {
    const key = keyOf(await firstLine(stdin))
    return { url: addressOf(given ?? DEFAULT_ADDRESS), key }
  }
  const url = addressOf(
    given ?? ((await ask(stdin, `Address [${DEFAULT_ADDRESS}]: `, true, interrupted)) || DEFAULT_ADDRESS),
  )
  const key = keyOf(await ask(stdin, 'API key (not shown): ', false, interrupted))
  out.clearProgress()
  return { url, key }
}

async function firstLine(stdin: AsyncIterable<Buffer | string>): Promise<string> {
  let text = ''
  for await (const chunk of stdin) {
    text += chunk.toString()
    if (text.includes('\n') || text.length > 10_000) break
  }
  return text.split('\n')[0]!
}

/** Questions go to stderr: stdout is for the result. */
function ask(stdin: Invocation['stdin'], question: string, echoes: boolean, interrupted: AbortSignal): Promise<string> {
  const lines = createInterface({
    input: stdin as unknown as NodeJS.ReadableStream,
    ...(echoes && { output: process.stderr }),
    terminal: true,
  })
  // From here on the terminal shows nothing by itself: a key that is pasted at once is not seen either.
  process.stderr.write(question)
  return new Promise((resolve, reject) => {
    const end = () => {
      lines.close()
      if (!echoes) process.stderr.write('\n')
    }
    const stop = () => {
      end()
      reject(new Failure(EXIT.interrupted, 'Interrupted.'))
    }
    interrupted.addEventListener('abort', stop, { once: true })
    lines.once('SIGINT', stop)
    lines.once('close', () => reject(new Failure(EXIT.interrupted, 'Interrupted.')))
    lines.once('line', (line) => {
      resolve(line)
      interrupted.removeEventListener('abort', stop)
      end()
    })
  })
}

const isLoopback = (url: string): boolean => /^(localhost|127\.[\d.]+|\[::1\])$/.test(new URL(url).hostname)
