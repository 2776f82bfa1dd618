import type { Feature, Target } from '@tradewright/contract/features'
import type { StrategyType } from '@tradewright/core/strategy-kinds'
import { formatNumber } from '../../../lib/format.ts'
import { heldTickers } from '../rules/tree-edits.ts'
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

type EntryOf<Type extends StrategyType> = Extract<GalleryEntry, { type: Type }>

/** What is particular to a ready strategy of each type. */
const OWN_PARTS: {
  readonly [Type in StrategyType]: (
    entry: EntryOf<Type>,
    today: string,
    catalogues: Catalogues,
  ) => Partial<BacktestForm>
} = {
  'Asset Allocation': ({ allocations }) => ({
    allocations: toRows(allocations.map(([ticker, allocation]) => ({ ticker, allocation }))),
  }),
  Rules: ({ rules }) => ({ rules }),
  'External signal': (entry, today) => ({ external: externalOf(entry, today) }),
  ML: ({ buys, years }, today, { features, targets }) => ({
    ...starterMl(features, targets, buys),
    signal1Allocations: toRows([{ ticker: buys, allocation: 100 }]),
    signal0Allocations: toRows([{ ticker: 'TBILLX', allocation: 100 }]),
    startDate: yearsBefore(today, years),
  }),
}

/** The whole form of a ready strategy: the longest common period, beside SPY. */
export const galleryForm = <Type extends StrategyType>(
  entry: EntryOf<Type>,
  today: string,
  catalogues: Catalogues,
): BacktestForm => ({
  ...newForm(today),
  strategyName: entry.name,
  strategyType: entry.type,
  referenceTicker: BENCHMARK,
  startDate: LONGEST_PERIOD_START,
  ...OWN_PARTS[entry.type](entry, today, catalogues),
  ...entry.settings,
})

/** What it holds, in a line of the list. */
const HOLDINGS: { readonly [Type in StrategyType]: (entry: EntryOf<Type>) => string } = {
  ML: ({ buys }) => `${buys} · walk-forward`,
  Rules: ({ rules }) => `${rules.check} · ${heldTickers(rules).join(', ')}`,
  'External signal': ({ targets }) => `alerts · ${Object.values(targets).join(', ')}`,
  'Asset Allocation': ({ allocations }) =>
    allocations
      .map(
        ([ticker, percent]) =>
          `${ticker.replace('?L=', ' ')}${ticker.includes('?') ? '×' : ''}\u00a0${percentText(percent)}`,
      )
      .join(' · '),
}

export const holdingsOf = <Type extends StrategyType>(entry: EntryOf<Type>): string => HOLDINGS[entry.type](entry)

const percentText = (percent: number) => formatNumber(percent, { decimals: 1, minDecimals: 0, suffix: '%' })

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
