import { brokerIds, brokerOf, type BrokerId } from '@tradewright/core/broker-catalogue'
import type { OperatorOverview } from '@tradewright/contract/operator'
import { formatCount, formatNumber } from '../../lib/format.ts'
import type { StatusShape } from '../../ui/feedback/status-pill.tsx'

const GIGABYTE = 1e9

/** `1.2 GB`, `48 MB`. */
export function bytes(size: number): string {
  if (size >= GIGABYTE) return formatNumber(size / GIGABYTE, { decimals: 1, suffix: ' GB' })
  return formatNumber(size / 1e6, { decimals: size >= 1e5 && size < 1e7 ? 1 : 0, suffix: ' MB' })
}

/** `45 s`, `12 min`, `3 h`. */
export function duration(seconds: number): string {
  if (seconds < 90) return `${formatCount(seconds)} s`
  if (seconds < 90 * 60) return `${formatCount(seconds / 60)} min`
  return `${formatCount(seconds / 3600)} h`
}

const KINDS: Readonly<Record<string, string>> = {
  backtest: 'Backtests',
  robustness: 'Robustness boards',
  'robustness-piece': 'Parts of robustness boards',
  optimizer: 'Optimizer runs',
  'optimizer-chunk': 'Parts of optimizer runs',
  'parameter-study': 'Parameter studies',
  'parameter-study-piece': 'Parts of parameter studies',
  'data-collection': 'Collections',
}
export const jobKind = (kind: string): string => KINDS[kind] ?? kind

const CAUSES: Readonly<Record<string, string>> = {
  bug: 'Program error',
  upstream: 'External service',
  unavailable: 'Temporarily unavailable',
  limited: 'A limit',
  'not-configured': 'Not set up',
}
/** Who has to act: all other causes are in what the user asked for. */
export const failureCause = (cause: string): string => CAUSES[cause] ?? 'Invalid request'

const SERVICES: Readonly<Record<string, string>> = {
  yahoo: 'Yahoo Finance',
  fred: 'FRED',
  'fred-csv': 'FRED (without a key)',
  coinalyze: 'Coinalyze',
  coinbase: 'Coinbase (prices)',
  'alpaca-data': 'Alpaca (prices)',
  sec: 'SEC',
  openai: 'AI models',
  telegram: 'Telegram',
  alerts: 'Webhooks, ntfy and heartbeats',
  documentation: 'Documentation pages',
  custom: "Users' own providers",
}
const isBroker = (id: string): id is BrokerId => (brokerIds as readonly string[]).includes(id)

export const serviceName = (id: string): string => SERVICES[id] ?? (isBroker(id) ? brokerOf(id).name : id)
export const brokerName = (id: string): string => (isBroker(id) ? brokerOf(id).name : id)

/** `200 a minute`, `1 each 0.3 s`. */
export function limitWords(limit: OperatorOverview['services'][number]['limit']): string {
  if (!limit) return '–'
  if (limit.window_seconds === 60) return `${formatCount(limit.calls)} a minute`
  if (limit.window_seconds === 1) return `${formatCount(limit.calls)} a second`
  return `${formatCount(limit.calls)} each ${formatNumber(limit.window_seconds, { decimals: 1, minDecimals: 0 })} s`
}

interface Verdict {
  readonly shape: StatusShape
  readonly word: string
}

/** The worst of what an operator would act on. */
export function verdictOf({ deployments, jobs, backups, processes, version }: OperatorOverview): Verdict {
  if (deployments.unattended > 0) return { shape: 'cross', word: 'Deployments unattended' }
  if (deployments.disagreeing > 0) return { shape: 'cross', word: 'Books and broker differ' }
  if (deployments.missed > 0) return { shape: 'bars', word: 'Runs missed' }
  if (backups?.last_failure_at && (!backups.newest_at || backups.last_failure_at > backups.newest_at)) {
    return { shape: 'bars', word: 'Backup failed' }
  }
  if (processes.some((process) => process.version !== version)) return { shape: 'bars', word: 'Versions differ' }
  const waits = jobs.some(({ state, oldest_seconds }) => state === 'queued' && oldest_seconds > LONG_WAIT_SECONDS)
  return waits ? { shape: 'bars', word: 'Jobs wait' } : { shape: 'disc', word: 'Healthy' }
}

const LONG_WAIT_SECONDS = 900
