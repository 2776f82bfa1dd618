import { formatTicker, parseTicker } from '@tradewright/core/ticker'
import { featureOf } from './catalogue.ts'
import type { Feature } from './feature.ts'
import { type ParameterDefinition, type ParameterValues, type RawParameters, readParameters } from './parameters.ts'
import type { Target } from './target.ts'
import { targetOf } from './target-catalogue.ts'

/** A feature or target as a strategy names it. */
export interface Selection {
  readonly id: number | string
  readonly params: RawParameters
}

/** A selection whose parameters have been checked. */
export interface Planned<Kind> {
  readonly definition: Kind
  readonly values: ParameterValues
  readonly ticker: string
  readonly otherTicker: string | undefined
  /** The name in a column or a table: `RSI (SPY, window 14)`. The same for equal parameters only. */
  readonly label: string
}

export type PlannedFeature = Planned<Feature>
export type PlannedTarget = Planned<Target>

export const planFeature = ({ id, params }: Selection): PlannedFeature => plan(featureOf(id), params)

export const planTarget = ({ id, params }: Selection): PlannedTarget => plan(targetOf(id), params)

function plan<Kind extends Feature | Target>(definition: Kind, params: RawParameters): Planned<Kind> {
  const values = readParameters(definition.name, definition.parameters, params)
  const ticker = formatTicker(parseTicker(values.text('ticker')))
  const otherTicker = values.has('other_ticker') ? formatTicker(parseTicker(values.text('other_ticker'))) : undefined
  return { definition, values, ticker, otherTicker, label: labelOf(definition, values, ticker, otherTicker) }
}

/** Windows and horizons are always said, other parameters where they differ from their defaults. */
const ALWAYS_SAID: ReadonlySet<string> = new Set(['window', 'horizon'])

/** Where a window may be 0, it has no beginning. */
const isAllHistory = (name: string, record: Readonly<Record<string, unknown>>): boolean =>
  name === 'window' && record[name] === 0

function labelOf(
  { name, parameters }: { name: string; parameters: readonly ParameterDefinition[] },
  values: ParameterValues,
  ticker: string,
  otherTicker: string | undefined,
): string {
  const record = values.toRecord()
  const said = parameters
    .filter((one) => one.name !== 'ticker' && one.name !== 'other_ticker')
    .filter((one) => ALWAYS_SAID.has(one.name) || record[one.name] !== one.default)
    .map((one) => (isAllHistory(one.name, record) ? 'all history' : `${one.name} ${record[one.name]}`))
  return `${name} (${[ticker, otherTicker, ...said].filter((part) => part !== undefined).join(', ')})`
}
