import type { SystemHealth } from '@tradewright/contract/health'
import { formatPast } from '../../../lib/format-time.ts'
import { formatCount, formatNumber } from '../../../lib/format.ts'
import type { StatusShape } from '../../../ui/feedback/status-pill.tsx'

export interface HealthRow {
  name: string
  shape: StatusShape
  word: string
  sentences: string[]
}

/** Behind this, people notice that answers wait. */
const SLOW_LOOP_MS = 50
/** The runner polls every second; a minute without a poll means that it hangs or cannot reach the database. */
const SILENT_AFTER_MS = 60_000

/** The figures as rows, in the order of the data's way: program, database, queue, live trading. */
export function healthRows(health: SystemHealth, now: number): HealthRow[] {
  return [programRow(health, now), databaseRow(health, now), jobsRow(health), liveTradingRow(health, now)]
}

function programRow({ process }: SystemHealth, now: number): HealthRow {
  const { restarts, last_end, unhandled_rejections: rejections, event_loop_delay_ms: delay } = process
  const isSlow = delay !== null && delay.p99 > SLOW_LOOP_MS
  const hasTrouble = rejections.count > 0 || restarts > 0
  return {
    name: 'Program',
    shape: isSlow || hasTrouble ? 'bars' : 'disc',
    word: isSlow ? 'Slow' : hasTrouble ? 'Recovered' : 'Healthy',
    sentences: [
      `Started ${formatPast(process.started_at, now)}, ${formatCount(process.memory_mb)} MB of memory.`,
      ...(delay
        ? [
            `Reacted within ${formatNumber(delay.p99, { decimals: 1, minDecimals: 0 })} ms in 99 of 100 cases over the last minute.`,
          ]
        : []),
      ...(last_end
        ? [
            `${times(restarts)}, the last time ${ago(last_end.at, now)}: it had ended unexpectedly (${last_end.reason}).`,
          ]
        : []),
      ...(rejections.count > 0
        ? [
            `${count(rejections.count, 'unexpected failure')} since then, the last ${ago(rejections.last_at, now)}. See the log.`,
          ]
        : []),
    ],
  }
}

function databaseRow({ database }: SystemHealth, now: number): HealthRow {
  const { connections, restarts, is_own, is_listening } = database
  const isShort = connections.waiting_calls > 0
  return {
    name: 'Database',
    shape: !is_listening || isShort || restarts.count > 0 ? 'bars' : 'disc',
    word: !is_listening ? 'Reconnecting' : isShort ? 'Busy' : restarts.count > 0 ? 'Recovered' : 'Healthy',
    sentences: [
      `${is_own ? 'Its own PostgreSQL' : 'PostgreSQL at DATABASE_URL'}, ${connections.open} of ${connections.limit} connections open${isShort ? `, ${count(connections.waiting_calls, 'call')} waiting for one` : ''}.`,
      ...(restarts.count > 0
        ? [`${times(restarts.count)} after it ended unexpectedly, the last time ${ago(restarts.last_at, now)}.`]
        : []),
    ],
  }
}

function jobsRow({ jobs }: SystemHealth): HealthRow {
  const isIdle = jobs.queued + jobs.running === 0
  return {
    name: 'Jobs',
    shape: isIdle ? 'ring' : 'disc',
    word: isIdle ? 'Idle' : 'Working',
    sentences: [isIdle ? 'Nothing is running or waiting.' : `${jobs.running} running, ${jobs.queued} waiting.`],
  }
}

function liveTradingRow({ live_trading }: SystemHealth, now: number): HealthRow {
  const { last_beat_at, running, unattended } = live_trading
  const isSilent = last_beat_at !== null && now - Date.parse(last_beat_at) > SILENT_AFTER_MS
  const looksAfter =
    last_beat_at === null
      ? 'This process leaves live trading to workers.'
      : `Last looked for due work ${formatPast(last_beat_at, now)}.`
  if (running === 0) {
    return { name: 'Live trading', shape: 'ring', word: 'Idle', sentences: [`No deployment is running. ${looksAfter}`] }
  }
  const isStalled = unattended > 0 || isSilent
  return {
    name: 'Live trading',
    shape: isStalled ? 'cross' : 'disc',
    word: isStalled ? 'Not attended' : 'Running',
    sentences: [
      `${count(running, 'running deployment')}. ${looksAfter}`,
      ...(unattended > 0
        ? [
            `${count(unattended, 'deployment')} without a process: another one takes over within 30 seconds, if one runs and no restore holds it back.`,
          ]
        : []),
    ],
  }
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`
const times = (number: number): string => (number === 1 ? 'Restarted once' : `Restarted ${number} times`)
const ago = (instant: string | null, now: number): string => (instant ? formatPast(instant, now) : 'at an unknown time')
