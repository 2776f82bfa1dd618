import { plainLine } from '@tradewright/core/plain-line'
import { formatTicker, parseTicker } from '@tradewright/core/ticker'
import { z } from 'zod'
import { createJob, type JobDeps, type JobForm } from '../../market-data/jobs/save-job.ts'
import { findProvider } from '../../market-data/providers.ts'
import { defineProposal, proposedName, quoted } from '../proposal.ts'

interface Deps extends JobDeps {
  /** Reads the fields of the collection job's form. */
  readonly jobFormOf: (fields: Readonly<Record<string, unknown>>) => JobForm
}

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
const WEEKDAYS = DAYS.slice(0, 5)

export const scheduleCollectionProposal = (deps: Deps) =>
  defineProposal({
    kind: 'schedule_collection',
    description:
      'Collect data for tickers from a provider on chosen days, as a collection job. Providers: list_data_providers.',
    content: z.object({
      name: proposedName(200),
      provider_id: z.string().trim().min(1).max(100),
      tickers: z.array(z.string().trim().min(1).max(60)).min(1).max(200),
      granularity: z.enum(['daily', 'hourly']).default('daily'),
      days_back: z.int().min(1).max(3650).default(30).describe('Days before each run that are collected again.'),
      days: z
        .array(z.enum(DAYS))
        .min(1)
        .max(7)
        .default([...WEEKDAYS]),
      time: z
        .string()
        .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time like 18:30')
        .default('18:30')
        .describe('In New York.'),
    }),
    async describe(userId, content) {
      const provider = findProvider(await deps.providersOf(userId), content.provider_id)
      const tickers = [...new Set(content.tickers.map((ticker) => formatTicker(parseTicker(ticker))))]
      return {
        title: `Collect ${tickers.length === 1 ? tickers[0]! : `${tickers.length} tickers`} from ${provider.displayName} on a schedule`,
        subject: 'Data Collector',
        changes: [
          { label: 'Collection job', before: null, after: plainLine(content.name, 200) },
          { label: 'Provider', before: null, after: plainLine(provider.displayName, 100) },
          { label: 'Tickers', before: null, after: plainLine(tickers.join(', '), 1_000) },
          {
            label: 'Data',
            before: null,
            after: `${content.granularity === 'daily' ? 'Daily' : 'Hourly'}, the last ${content.days_back} days`,
          },
          { label: 'Runs', before: null, after: `${daysWords(content.days)} at ${content.time} in New York` },
        ],
        notices: [],
        isRealMoney: false,
      }
    },
    async accept({ userId }, content) {
      const form = deps.jobFormOf({
        name: content.name,
        provider_id: content.provider_id,
        tickers: content.tickers,
        data_granularity: content.granularity === 'daily' ? '1d' : '1h',
        dynamic_date_mode: true,
        dynamic_start_offset_days: content.days_back,
        dynamic_end_offset_days: 0,
        is_scheduled: true,
        schedule_days: content.days,
        schedule_start_time: `${content.time}:00`,
        schedule_timezone: 'America/New_York',
      })
      const { name } = await createJob(deps, userId, form)
      return { outcome: `The collection job ${quoted(name)} is created.`, link: '/data-collector' }
    },
  })

const daysWords = (days: readonly (typeof DAYS)[number][]): string => {
  const chosen = DAYS.filter((day) => days.includes(day))
  if (chosen.length === 7) return 'Every day'
  return chosen.join() === WEEKDAYS.join() ? 'Weekdays' : chosen.join(', ')
}
