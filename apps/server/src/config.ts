import { type ExchangeId, exchangeIds } from '@tradewright/core/broker-catalogue'
import { trimTrailingSlashes } from '@tradewright/core/trim-slashes'
import { DAY } from '@tradewright/core/time'
import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { LogFileSettings } from './log-file.ts'
import { StartupFailure } from './startup-failure.ts'

export const projectFolder = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))))

const optional = z
  .string()
  .trim()
  .transform((text) => text || undefined)
  .optional()
/** Values separated by commas; empty entries are ignored. */
const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  )
const NOT_NETWORKS = 'must be addresses or networks, separated by commas, such as 10.0.0.5 or 172.16.0.0/12'
const isNetwork = (entry: string): boolean => {
  const [address = '', bits, ...rest] = entry.split('/')
  const size = isIP(address) === 6 ? 128 : 32
  if (isIP(address) === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d+$/.test(bits) && Number(bits) >= 1 && Number(bits) <= size)
}
const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' })
const url = (otherwise: string) => httpUrl.default(otherwise).transform(trimTrailingSlashes)

/** `binance=http://127.0.0.1:8080`, separated by commas. */
const exchangeUrls = list.transform((entries, context) => {
  const pairs = entries.map((entry) => {
    const [id = '', address = ''] = entry.split(/=(.*)/s)
    const isKnown = exchangeIds.some((one) => one === id) && /^https?:\/\//.test(address) && URL.canParse(address)
    if (!isKnown) context.addIssue(`must look like binance=https://host, for one of ${exchangeIds.join(', ')}`)
    return [id, trimTrailingSlashes(address)]
  })
  return Object.fromEntries(pairs) as Partial<Record<ExchangeId, string>>
})

const number = () => z.coerce.number('must be a number')
const positive = number().positive('must be above 0').optional()
const onOff = (otherwise: 'on' | 'off') => z.enum(['on', 'off'], 'must be on or off').default(otherwise)

/**
 * Every setting of the program: an environment variable, or a line of `.env`. docs/server-settings.md is made of them by
 * `npm run docs:settings`; `otherwise` says what holds where the schema has no default.
 */
export const settingSections = {
  'Address, data and processes': {
    PORT: number().int().min(0).max(65_535).default(3000).describe('Where the web app listens; `0` picks a free port'),
    HOST: z.string().trim().min(1).default('127.0.0.1').describe('The network address to listen on; `0.0.0.0` for all'),
    APP_URL: httpUrl
      .optional()
      .describe(
        "The address users see, if it differs (behind a proxy). With `https://`, cookies are marked Secure, and a proxy on this machine is trusted to report the visitor's address",
      ),
    ALLOWED_HOSTS: list.describe(
      'Further host names, separated by commas, that requests may be addressed to, in addition to `APP_URL`, `HOST`, localhost and loopback addresses',
    ),
    TRUSTED_PROXIES: list
      .refine((entries) => entries.every(isNetwork), NOT_NETWORKS)
      .describe('Addresses or networks of proxies, separated by commas, whose `X-Forwarded-For` is trusted'),
    DATA_DIR: z
      .string()
      .trim()
      .min(1)
      .default('./data')
      .describe("Database, secret and files; relative to the project's folder"),
    DATABASE_URL: optional.describe(
      '`postgres://user:password@host:5432/database` to use your own PostgreSQL (14 or newer)',
    ),
    RUN_JOBS: onOff('on').describe('`off`: this process only serves web requests and leaves long work to workers'),
    COMPUTE_THREADS: number()
      .int()
      .min(1)
      .max(256)
      .optional()
      .meta({ description: 'Threads for calculation', otherwise: 'all cores' }),
    DRAIN_SECONDS: number()
      .min(0)
      .max(600)
      .default(0)
      .describe(
        'How long a stopping web process still accepts requests, with `/ready` at 503: see [Scaling](scaling.md#restart-without-a-failed-request)',
      ),
    FINISH_SECONDS: number().min(0).max(3600).default(3).describe('How long requests in progress may take after that'),
    INSTALL_PACKAGES: onOff('on').describe(
      '`off`: the first data store or exchange of a kind does not make the server install its package; `npm run add` does',
    ),
  },
  Secrets: {
    APP_SECRET: optional.meta({
      description: 'Encrypts stored keys. Set the same value on every machine that shares a database',
      otherwise: 'a file in `DATA_DIR`',
    }),
    NEW_APP_SECRET: optional.describe('What `npm run rotate-secret` changes `APP_SECRET` to'),
    UNREADABLE_SECRETS: z
      .enum(['stop', 'ask'], 'must be stop or ask')
      .default('stop')
      .describe('`ask`: start even if stored keys cannot be decrypted; users are asked to enter them again'),
  },
  Accounts: {
    REGISTRATION: z
      .enum(['open', 'invite', 'closed'], 'must be open, invite or closed')
      .default('open')
      .describe(
        '`invite`: new accounts need an invitation; `closed`: no new accounts. The first account can always be created',
      ),
    MIN_PASSWORD_LENGTH: number()
      .int()
      .min(1)
      .max(128)
      .optional()
      .meta({ description: 'Minimum password length', otherwise: '8 if other machines reach the instance, else 1' }),
    SESSION_MAX_DAYS: number()
      .int()
      .min(1)
      .max(3650)
      .default(90)
      .describe('Days after which a session ends, used or not'),
    OPERATOR_USER: optional.meta({
      description: 'Username of the account that has the [administration page](operations.md#administration)',
      otherwise: 'the first account',
    }),
    GOOGLE_CLIENT_ID: optional.describe(
      'Sign-in with Google. The redirect address to register there is `<APP_URL>/api/auth/google/callback`',
    ),
    GOOGLE_CLIENT_SECRET: optional.describe('The secret that goes with it'),
    GOOGLE_ISSUER: url('https://accounts.google.com').describe('Another OpenID provider in its place'),
  },
  'Limits of a user': {
    MAX_CALLS_PER_MINUTE: number()
      .int()
      .min(60)
      .max(1_000_000)
      .default(1_200)
      .describe(
        'Calls of one account in a minute, half of them at once; an address has four times as many. More are answered 429',
      ),
    MAX_THREAD_PCT_PER_USER: number()
      .min(1)
      .max(100)
      .default(40)
      .describe("Share of the answering thread's time that one account may use for long; `100` is no limit"),
    MAX_RUNS_PER_USER: number().int().min(1).max(10_000).default(20).describe('Queued and running work of one user'),
    DISK_LIMIT_GB_PER_USER: number()
      .min(0.01)
      .max(1_000_000)
      .default(20)
      .describe('Disk space for the stored series of one user'),
    HISTORY_DAYS: number()
      .min(0)
      .max(36_500)
      .default(3_650)
      .describe('Days for which [earlier values](stores.md#history) of series are kept; `0`: none'),
    HISTORY_LIMIT_GB_PER_USER: number()
      .min(0)
      .max(1_000_000)
      .default(5)
      .describe('Disk space for them, per user; the oldest go first'),
    DATABASE_LIMIT_GB_PER_USER: number()
      .min(0.0001)
      .max(1_000_000)
      .default(5)
      .describe('Database space for what one user saves: strategies, backtests, optimizer runs, conversations'),
    MIN_FREE_DISK_MB: number()
      .min(0)
      .max(10_000_000)
      .default(512)
      .describe(
        'Free space of the disk below which no series, histories and runs are begun; at most a fifth of the disk',
      ),
  },
  Orders: {
    PAPER_ONLY: onOff('off').describe(
      '`on`: no orders are sent for real-money accounts, and their deployments cannot be started',
    ),
    MAX_ORDER_USD: positive.describe(
      'Value of one order of a brokerage account, see [Live trading](live-trading.md#orders)',
    ),
    MAX_DAILY_ORDERS: number().int().min(1).optional().describe('Orders of a brokerage account in a day'),
    MAX_DAILY_TRADED_USD: positive.describe('Their value'),
    MAX_DAILY_TURNOVER_PCT: positive.describe('Their value in percent of the account'),
    MAX_DAILY_ACCOUNT_LOSS_PCT: positive.describe('Loss of a brokerage account in a day, in percent'),
    CHECK_HISTORY_DAYS: number()
      .int()
      .min(0)
      .default(400)
      .describe(
        'How long the logs of deployments are kept, and their checks that traded nothing but for the first on each bar; 0: for ever. Trades, orders, ledgers and the values of deployments are always kept',
      ),
  },
  'What users may name': {
    ALLOW_PRIVATE_PROVIDERS: onOff('off').describe(
      '`on`: custom data providers and model servers may be at private and loopback addresses',
    ),
    ALLOW_PRIVATE_STORES: onOff('off').describe('`on`: data stores may be at private and loopback addresses'),
    ALLOW_PRIVATE_ALERTS: onOff('off').describe(
      '`on`: webhooks, ntfy servers and heartbeats may be at private and loopback addresses, and without encryption',
    ),
    ALLOW_AMBIENT_CREDENTIALS: onOff('off').describe(
      '`on`: an s3 or gcs store without a key uses the cloud credentials of this machine; never together with an endpoint',
    ),
  },
  'Data, mail and the assistant': {
    SAMPLE_DATA: onOff('on').describe('`off` removes the synthetic sample market'),
    FRED_API_KEY: optional.describe('Key of the data provider FRED'),
    COINALYZE_API_KEY: optional.describe('Key of the data provider Coinalyze'),
    SEC_CONTACT: optional.meta({
      description:
        'An e-mail address: the SEC only gives its list of tickers to programs that provide one. If not set, that of the signed-in user who requests the list',
      otherwise: '`MAIL_FROM`',
    }),
    SMTP_URL: optional.describe('The mail server'),
    MAIL_FROM: optional.describe('The sender of mails'),
    AI_ANSWER_SECONDS: number()
      .min(1)
      .max(3600)
      .default(180)
      .describe(
        'The maximum time for an answer of the AI assistant; a model server that sends nothing for a third of it is given up',
      ),
    SERIES_BUCKET: z
      .string()
      .regex(/^s3:\/\/[^/\s]+(\/[^\s]*)?$/, 'must look like s3://bucket/prefix')
      .optional()
      .describe(
        '`s3://bucket/prefix` for the series of all users, shared by all machines: see [Scaling](scaling.md#series-in-a-bucket)',
      ),
    SERIES_BUCKET_REGION: z.string().trim().min(1).default('us-east-1').describe('Its region'),
    SERIES_BUCKET_ENDPOINT: optional.describe('Its address, if it is not at Amazon'),
    SERIES_BUCKET_KEY_ID: optional.describe('Its key'),
    SERIES_BUCKET_SECRET: optional.describe('The secret that goes with it'),
  },
  'Backups, logs and metrics': {
    BACKUP_FOLDER: optional.describe(
      'Where the program makes [backups](operations.md#scheduled) automatically; if not set, none are made',
    ),
    BACKUP_EVERY_HOURS: number().min(1).max(8760).default(24).describe('Hours between scheduled backups'),
    BACKUP_KEEP: number().int().min(1).max(10_000).default(7).describe('How many of them are kept'),
    BACKUP_TEST: onOff('on').describe('Whether each is test-restored'),
    BACKUP_PASSPHRASE: optional.describe('Encrypts the secret in a backup, and decrypts it during a restore'),
    LOG_LEVEL: z
      .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
      .default('info')
      .describe('What is written to the log'),
    LOG_FILE: optional.meta({ description: 'A [log file](operations.md#logs)', otherwise: 'standard output' }),
    LOG_FILE_MB: number().min(0.01).max(10_000).default(20).describe('Its maximum size'),
    LOG_FILES: number().int().min(1).max(1_000).default(5).describe('How many log files are kept'),
    METRICS_TOKEN: optional.describe(
      'The token with which Prometheus reads `/metrics` ([Watch](operations.md#watch)); if not set, there are no metrics',
    ),
    METRICS_PORT: number()
      .int()
      .min(1)
      .max(65_535)
      .optional()
      .describe('The port on which a worker serves `/health`, `/ready` and `/metrics`'),
    TRACES_URL: httpUrl
      .optional()
      .describe('Where [OpenTelemetry traces](operations.md#traces) are sent; if not set, nothing is traced'),
  },
  'Addresses of outside services': {
    ALPACA_PAPER_URL: url('https://paper-api.alpaca.markets').describe('Alpaca, paper accounts'),
    ALPACA_LIVE_URL: url('https://api.alpaca.markets').describe('Alpaca, live accounts'),
    ALPACA_DATA_URL: url('https://data.alpaca.markets').describe('Alpaca, market data'),
    EXCHANGE_URLS: exchangeUrls.describe(
      'Exchanges that are not at their own host: `binance=https://host`, separated by commas',
    ),
    YAHOO_URL: url('https://query1.finance.yahoo.com').describe('Yahoo Finance'),
    FRED_URL: url('https://api.stlouisfed.org').describe('FRED, with a key'),
    FRED_CSV_URL: url('https://fred.stlouisfed.org').describe('FRED, without a key'),
    COINALYZE_URL: url('https://api.coinalyze.net').describe('Coinalyze'),
    COINBASE_URL: url('https://api.exchange.coinbase.com').describe('Coinbase'),
    SEC_URL: url('https://www.sec.gov').describe('SEC'),
    OPENAI_BASE_URL: url('https://api.openai.com/v1').describe('OpenAI'),
    TELEGRAM_URL: url('https://api.telegram.org').describe('Telegram'),
  },
}

const Environment = z.object({
  ...settingSections['Address, data and processes'],
  ...settingSections['Secrets'],
  ...settingSections['Accounts'],
  ...settingSections['Limits of a user'],
  ...settingSections['Orders'],
  ...settingSections['What users may name'],
  ...settingSections['Data, mail and the assistant'],
  ...settingSections['Backups, logs and metrics'],
  ...settingSections['Addresses of outside services'],
})

export interface GoogleConfig {
  clientId: string
  clientSecret: string
  issuer: string
}

export interface Config {
  port: number
  host: string
  dataDir: string
  /** Undefined: the program runs its own PostgreSQL in `dataDir`. */
  databaseUrl: string | undefined
  appSecret: string | undefined
  /** The APP_SECRET after a rotation; until it is finished, both open. */
  newAppSecret: string | undefined
  /** Stored secrets that cannot be opened stop the start, or their owners are asked for them. */
  unreadableSecrets: z.infer<typeof Environment>['UNREADABLE_SECRETS']
  /** The address users see; undefined until the port is known and no address was configured. */
  appUrl: string | undefined
  logLevel: z.infer<typeof Environment>['LOG_LEVEL']
  sampleData: boolean
  /** False: this web process leaves jobs to workers. */
  runJobs: boolean
  computeThreads: number
  /** Undefined: sign-in with Google is not offered. */
  google: GoogleConfig | undefined
  smtpUrl: string | undefined
  mailFrom: string | undefined
  fredApiKey: string | undefined
  coinalyzeApiKey: string | undefined
  /** An e-mail address: the SEC answers only programs that say whom to write to. */
  secContact: string | undefined
  /** Whether custom providers may call private and loopback addresses. */
  allowPrivateProviders: boolean
  /** Whether data stores may be at private and loopback addresses. */
  allowPrivateStores: boolean
  /** Whether webhooks, ntfy servers and heartbeats may be at private and loopback addresses, and without encryption. */
  allowPrivateAlerts: boolean
  /** Whether a bucket without a key may use the cloud credentials of the machine. Never together with an endpoint. */
  allowAmbientCredentials: boolean
  /** Host names that requests may name, besides APP_URL, HOST and loopback. */
  allowedHosts: readonly string[]
  /** Addresses or networks (CIDR) of proxies whose X-Forwarded-For is trusted. */
  trustedProxies: readonly string[]
  registration: z.infer<typeof Environment>['REGISTRATION']
  /** Undefined: 8 where the instance is reachable from other machines, 1 on a loopback-only instance. */
  minPasswordLength: number | undefined
  sessionMaxDays: number
  /** For one account, however it signs in; an address has four times as many. */
  callsPerMinute: number
  /** Share of the answering thread's time that one account gets, in percent; 100 is no limit. */
  threadPct: number
  /** Queued and running optimizer runs, backtests and collections of one user. */
  maxRunsPerUser: number
  /** Bytes of stored series and cached bucket files of one user. */
  diskLimitBytesPerUser: number
  /** Below it no series, histories and runs are begun; at most a fifth of the disk. */
  minFreeDiskBytes: number
  /** What series held before they were corrected or removed. */
  history: { keepMs: number; limitBytesPerUser: number }
  /** Bytes of one user's rows in the database: strategies, saved backtests, optimizer runs, conversations. */
  databaseLimitBytesPerUser: number
  /** No order leaves for an account with real money. */
  paperOnly: boolean
  /** How long logs of deployments and checks that traded nothing are kept; undefined: for ever. */
  checkHistoryMs: number | undefined
  /** Limits of every brokerage account, in dollars and percent. */
  orderLimits: {
    orderUsd: number | undefined
    dailyOrders: number | undefined
    dailyTradedUsd: number | undefined
    dailyTurnoverPct: number | undefined
    dailyLossPct: number | undefined
  }
  /** Undefined: no backups are made by themselves. */
  backups: { folder: string; everyHours: number; keep: number; test: boolean } | undefined
  /** Seals the secret in a backup. */
  backupPassphrase: string | undefined
  /** Whether the first store or exchange of a kind makes the server install its package. */
  installsPackages: boolean
  /** Where the series of all users are who chose no store of their own; undefined: in `dataDir`. */
  seriesBucket: Readonly<Record<string, string>> | undefined
  /** What a web process that stops does first: it takes requests for a while, then answers those it has. */
  drain: { acceptMs: number; finishMs: number }
  /** Undefined: the log is written to standard output. */
  logFile: LogFileSettings | undefined
  /** Where spans are sent by OTLP over HTTP; undefined: nothing is traced. */
  tracesUrl: string | undefined
  /** The username of the account that operates the instance; undefined: the first account. */
  operatorUser: string | undefined
  /** What a caller must present to read `/metrics`; undefined: there are no metrics. */
  metricsToken: string | undefined
  /** Where a worker answers `/health`, `/ready` and `/metrics`; undefined: nowhere. */
  metricsPort: number | undefined
  /** The longest that an answer of the assistant may take. */
  aiAnswerMs: number
  /** Base addresses of the outside services, without a slash at the end. */
  services: {
    alpacaPaper: string
    alpacaLive: string
    alpacaData: string
    /** Exchanges that are not asked at their own host. */
    exchanges: Readonly<Partial<Record<ExchangeId, string>>>
    yahoo: string
    fred: string
    fredCsv: string
    coinalyze: string
    coinbase: string
    sec: string
    openai: string
    telegram: string
  }
}

/** Reads and checks the environment, once. Anything wrong is one line that names the variable. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const parsed = Environment.safeParse(environment)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!
    throw new StartupFailure(`Configuration: ${issue.path.join('.')} ${issue.message}.`)
  }
  const env = parsed.data
  return {
    port: env.PORT,
    host: env.HOST,
    dataDir: resolve(projectFolder, env.DATA_DIR),
    databaseUrl: checkedDatabaseUrl(env.DATABASE_URL),
    appSecret: checkedSecret('APP_SECRET', env.APP_SECRET),
    newAppSecret: checkedSecret('NEW_APP_SECRET', env.NEW_APP_SECRET),
    unreadableSecrets: env.UNREADABLE_SECRETS,
    appUrl: env.APP_URL && trimTrailingSlashes(env.APP_URL),
    logLevel: env.LOG_LEVEL,
    sampleData: env.SAMPLE_DATA === 'on',
    runJobs: env.RUN_JOBS === 'on',
    computeThreads: env.COMPUTE_THREADS ?? availableParallelism(),
    google: googleConfig(env),
    smtpUrl: env.SMTP_URL,
    mailFrom: env.MAIL_FROM,
    fredApiKey: env.FRED_API_KEY,
    coinalyzeApiKey: env.COINALYZE_API_KEY,
    secContact: env.SEC_CONTACT ?? env.MAIL_FROM,
    allowPrivateProviders: env.ALLOW_PRIVATE_PROVIDERS === 'on',
    allowPrivateStores: env.ALLOW_PRIVATE_STORES === 'on',
    allowPrivateAlerts: env.ALLOW_PRIVATE_ALERTS === 'on',
    allowAmbientCredentials: env.ALLOW_AMBIENT_CREDENTIALS === 'on',
    allowedHosts: env.ALLOWED_HOSTS,
    trustedProxies: env.TRUSTED_PROXIES,
    registration: env.REGISTRATION,
    minPasswordLength: env.MIN_PASSWORD_LENGTH,
    sessionMaxDays: env.SESSION_MAX_DAYS,
    callsPerMinute: env.MAX_CALLS_PER_MINUTE,
    threadPct: env.MAX_THREAD_PCT_PER_USER,
    maxRunsPerUser: env.MAX_RUNS_PER_USER,
    diskLimitBytesPerUser: env.DISK_LIMIT_GB_PER_USER * 1024 ** 3,
    minFreeDiskBytes: env.MIN_FREE_DISK_MB * 1024 ** 2,
    history: { keepMs: env.HISTORY_DAYS * DAY, limitBytesPerUser: env.HISTORY_LIMIT_GB_PER_USER * 1024 ** 3 },
    databaseLimitBytesPerUser: env.DATABASE_LIMIT_GB_PER_USER * 1024 ** 3,
    paperOnly: env.PAPER_ONLY === 'on',
    checkHistoryMs: env.CHECK_HISTORY_DAYS === 0 ? undefined : env.CHECK_HISTORY_DAYS * DAY,
    orderLimits: {
      orderUsd: env.MAX_ORDER_USD,
      dailyOrders: env.MAX_DAILY_ORDERS,
      dailyTradedUsd: env.MAX_DAILY_TRADED_USD,
      dailyTurnoverPct: env.MAX_DAILY_TURNOVER_PCT,
      dailyLossPct: env.MAX_DAILY_ACCOUNT_LOSS_PCT,
    },
    backups: env.BACKUP_FOLDER
      ? {
          folder: resolve(projectFolder, env.BACKUP_FOLDER),
          everyHours: env.BACKUP_EVERY_HOURS,
          keep: env.BACKUP_KEEP,
          test: env.BACKUP_TEST === 'on',
        }
      : undefined,
    backupPassphrase: checkedSecret('BACKUP_PASSPHRASE', env.BACKUP_PASSPHRASE),
    installsPackages: env.INSTALL_PACKAGES === 'on',
    seriesBucket: seriesBucket(env),
    drain: { acceptMs: env.DRAIN_SECONDS * 1000, finishMs: env.FINISH_SECONDS * 1000 },
    logFile: env.LOG_FILE
      ? { path: resolve(projectFolder, env.LOG_FILE), maxBytes: env.LOG_FILE_MB * 1024 ** 2, files: env.LOG_FILES }
      : undefined,
    tracesUrl: env.TRACES_URL,
    operatorUser: env.OPERATOR_USER,
    metricsToken: checkedSecret('METRICS_TOKEN', env.METRICS_TOKEN),
    metricsPort: env.METRICS_PORT,
    aiAnswerMs: env.AI_ANSWER_SECONDS * 1000,
    services: {
      alpacaPaper: env.ALPACA_PAPER_URL,
      alpacaLive: env.ALPACA_LIVE_URL,
      alpacaData: env.ALPACA_DATA_URL,
      exchanges: env.EXCHANGE_URLS,
      yahoo: env.YAHOO_URL,
      fred: env.FRED_URL,
      fredCsv: env.FRED_CSV_URL,
      coinalyze: env.COINALYZE_URL,
      coinbase: env.COINBASE_URL,
      sec: env.SEC_URL,
      openai: env.OPENAI_BASE_URL,
      telegram: env.TELEGRAM_URL,
    },
  }
}

/** `.env` fills in what the environment does not say. */
export function loadDotEnv(folder = projectFolder): void {
  const file = join(folder, '.env')
  if (existsSync(file)) process.loadEnvFile(file)
}

function googleConfig(env: z.infer<typeof Environment>): GoogleConfig | undefined {
  if (!env.GOOGLE_CLIENT_ID && !env.GOOGLE_CLIENT_SECRET) return undefined
  if (!env.GOOGLE_CLIENT_ID || !env.GOOGLE_CLIENT_SECRET) {
    throw new StartupFailure('Configuration: GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET go together; one is missing.')
  }
  return { clientId: env.GOOGLE_CLIENT_ID, clientSecret: env.GOOGLE_CLIENT_SECRET, issuer: env.GOOGLE_ISSUER }
}

/** In the words of a data store of type s3. */
function seriesBucket(env: z.infer<typeof Environment>): Record<string, string> | undefined {
  if (!env.SERIES_BUCKET) return undefined
  const [bucket = '', ...path] = env.SERIES_BUCKET.slice('s3://'.length).split('/')
  const [keyId, secret] = [env.SERIES_BUCKET_KEY_ID, env.SERIES_BUCKET_SECRET]
  if ((keyId === undefined) !== (secret === undefined)) {
    throw new StartupFailure(
      'Configuration: SERIES_BUCKET_KEY_ID and SERIES_BUCKET_SECRET go together; one is missing.',
    )
  }
  const prefix = path.filter(Boolean).join('/')
  return {
    bucket,
    region: env.SERIES_BUCKET_REGION,
    ...(prefix && { prefix }),
    ...(env.SERIES_BUCKET_ENDPOINT && { endpoint: env.SERIES_BUCKET_ENDPOINT }),
    ...(keyId && secret && { access_key_id: keyId, secret_access_key: secret }),
  }
}

function checkedDatabaseUrl(text: string | undefined): string | undefined {
  if (text && !/^postgres(ql)?:\/\//.test(text)) {
    throw new StartupFailure('Configuration: DATABASE_URL must look like postgres://user:password@host:5432/database.')
  }
  return text
}

function checkedSecret(name: string, text: string | undefined): string | undefined {
  if (text && text.length < 16) {
    throw new StartupFailure(
      `Configuration: ${name} is too short; use at least 16 characters, for example from openssl rand -hex 32.`,
    )
  }
  return text
}
