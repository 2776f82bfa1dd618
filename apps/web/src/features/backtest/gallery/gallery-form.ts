import type { Feature, Target } from '@tradewright/contract/features'
import { toRows } from '../../../strategy-form/tickers/allocation-rows.ts'
import { LONGEST_PERIOD_START, yearsBefore } from '../../../strategy-form/dates.ts'
import { type BacktestForm, newForm } from '../form/form.ts'
import { BENCHMARK } from '../portfolios/portfolio-table.ts'
import { starterMl } from '../form/starter-form.ts'
import { type ExternalForm, newExternal } from '../external/external-form.ts'
import type { GalleryEntry } from './gallery-catalogue.ts'

interface Catalogues {
  features: readonly Feature[]
  targets: readonly Target[]
}

/** The whole form of a ready strategy: the longest common period, beside SPY. */
export function galleryForm(entry: GalleryEntry, today: string, { features, targets }: Catalogues): BacktestForm {
  const form = { ...newForm(today), strategyName: entry.name, strategyType: entry.type, referenceTicker: BENCHMARK }
  if (entry.type === 'Asset Allocation') {
    return {
      ...form,
      allocations: toRows(entry.allocations.map(([ticker, allocation]) => ({ ticker, allocation }))),
      startDate: LONGEST_PERIOD_START,
      ...entry.settings,
    }
  }
  if (entry.type === 'Rules') {
    return { ...form, rules: entry.rules, startDate: LONGEST_PERIOD_START, ...entry.settings }
  }
  if (entry.type === 'External signal') {
    return { ...form, external: externalOf(entry, today), startDate: LONGEST_PERIOD_START, ...entry.settings }
  }
  return {
    ...form,
    ...starterMl(features, targets, entry.buys),
    signal1Allocations: toRows([{ ticker: entry.buys, allocation: 100 }]),
    signal0Allocations: toRows([{ ticker: 'TBILLX', allocation: 100 }]),
    startDate: yearsBefore(today, entry.years),
    ...entry.settings,
  }
}

/**
 * The form of a strategy with signals. Its example file is made here, with a signal before the close of each of its
 * days.
 */
function externalOf(
  { targets, fromYear, signals }: Extract<GalleryEntry, { type: 'External signal' }>,
  today: string,
): ExternalForm {
  const years = Array.from({ length: Number(today.slice(0, 4)) - fromYear + 1 }, (_, i) => fromYear + i)
  const lines = years
    .flatMap((year) => signals.map(({ monthDay, target }) => ({ day: `${year}-${monthDay}`, target })))
    .filter(({ day }) => day < today)
    .map(({ day, target }) => `${day}T15:00:00Z,${target}`)
  return {
    ...newExternal,
    allocations: Object.entries(targets).map(([name, ticker], key) => ({
      key,
      name,
      rows: toRows([{ ticker, allocation: 100 }]),
    })),
    initial: Object.keys(targets)[0]!,
    csv: `time,signal\n${lines.join('\n')}\n`,
    fileName: 'The example file',
  }
}
