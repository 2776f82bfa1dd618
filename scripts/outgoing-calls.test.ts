import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * Where a connection to the outside may be opened. A new place belongs behind the address guard and its limits, or, for an
 * address of the operator's, into the table of docs/security.md and then into this list.
 */
const ALLOWED: readonly (readonly [what: RegExp, files: readonly string[]])[] = [
  [
    /(await|return|=>) fetch\(/,
    [
      'adapters/http/transport.ts',
      // Functions of their own that have this name.
      'market-data/series-for.ts',
      'live-trading/signals/signal-service.ts',
    ],
  ],
  [
    /^import (?!type)[^\n]* from 'node:(http|https|http2)'/m,
    [
      'adapters/http/address-guard.ts',
      'stores/series/objects/bucket-http.ts',
      // Listens, and calls nothing.
      'http/system/worker-endpoints.ts',
    ],
  ],
  [/^import (?!type)[^\n]* from 'node:(tls|dgram)'/m, []],
  [/\b(net\.connect|createConnection|new Socket)\(/, ['adapters/http/reachability.ts']],
  [/extends Socket\b/, ['adapters/http/address-guard.ts']],
  [/new WebSocket\(/, ['adapters/alpaca/trade-updates.ts']],
  [/new S3Client\(/, ['stores/series/objects/s3.ts']],
  [/new BlobServiceClient\(/, ['stores/series/objects/azure.ts']],
  [/new Storage\(/, ['stores/series/objects/gcs.ts']],
  [/new MongoClient\(/, ['stores/series/objects/mongodb.ts']],
  [/new OpenAI\(/, ['adapters/openai/chat-model.ts']],
  // Its own fetch is replaced where an exchange is opened.
  [/(from|resolve\(|import\() ?'ccxt'/, ['adapters/ccxt/spot-exchange.ts']],
  [/createTransport\(/, ['adapters/smtp/mailer.ts']],
  [/from 'openid-client'/, ['adapters/google/provider.ts']],
  [
    /new pg\.(Pool|Client)\(/,
    [
      'adapters/postgres/embedded-postgres.ts',
      'adapters/postgres/notifications.ts',
      'instance-lock.ts',
      'stores/backup/database-copy.ts',
      'stores/database.ts',
      'stores/series/postgresql/guarded-pool.ts',
    ],
  ],
]

const sources = globSync('apps/server/src/**/*.ts', { cwd: root })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !/\.(test|campaign)\.ts$/.test(file))
  .map((file) => ({ file: file.replace('apps/server/src/', ''), text: readFileSync(join(root, file), 'utf8') }))

it.each(ALLOWED)('opens connections with %s in known places only', (what, files) => {
  const found = sources.filter(({ file, text }) => what.test(text) && !files.includes(file)).map(({ file }) => file)
  expect(found).toEqual([])
})
