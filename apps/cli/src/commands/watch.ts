import type { JobEvent } from '@tradewright/contract/events'
import { setTimeout as delay } from 'node:timers/promises'
import type { Command } from '../command.ts'
import { EXIT, Failure } from '../failure.ts'
import { plain } from '../output.ts'

const FIRST_DELAY_MS = 1_000
const MAX_DELAY_MS = 30_000

export const watch: Command = {
  name: 'watch',
  summary: 'Runs and jobs as they change, until Ctrl-C.',
  args: [],
  options: {},
  details: [
    'A line for each change: time, kind, subject, state and progress; with --json the event itself. After a lost connection it connects again and says {"event": "resync"}: changes may have been missed.',
  ],
  examples: ['tradewright watch', 'tradewright watch --json | jq "select(.state == \\"failed\\")"'],
  async run({ out, client, interrupted }) {
    const caller = client()
    let hasConnected = false
    for (let delayMs = FIRST_DELAY_MS; !interrupted.aborted; delayMs = Math.min(2 * delayMs, MAX_DELAY_MS)) {
      try {
        for await (const event of caller.events(interrupted)) {
          delayMs = FIRST_DELAY_MS / 2
          if (event !== 'resync') out.result({ event: 'job', ...event }, () => [lineOf(event)])
          else if (hasConnected)
            out.result({ event: 'resync' }, () => ['Connected again; changes may have been missed.'])
          else out.note('Watching. Ctrl-C ends it.')
          hasConnected = true
        }
      } catch (error) {
        const isAway = error instanceof Failure && error.exit === EXIT.away
        if (interrupted.aborted) break
        if (!hasConnected || !isAway) throw error
      }
      if (!interrupted.aborted) out.note('The connection was lost; trying again.')
      await delay(delayMs, undefined, { signal: interrupted }).catch(() => undefined)
    }
    return EXIT.interrupted
  },
}

function lineOf({ kind, subject, state, progress, error }: JobEvent): string {
  const percent = typeof progress?.fraction === 'number' ? ` ${Math.floor(progress.fraction * 100)}%` : ''
  const about = error ?? progress?.note ?? ''
  return plain([new Date().toISOString(), kind, subject, `${state}${percent}`, about].join('  ')).trimEnd()
}
