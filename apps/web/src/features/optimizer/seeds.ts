import type { Feature, ParameterDefinition } from '@tradewright/contract/features'
import type { ChosenFeature } from '@tradewright/contract/optimization-results'
import type { Params } from '../../strategy-form/form-values.ts'
import { findEntry, paramsSummary, shown } from '../../strategy-form/catalogue.ts'
import {
  isTickerParameter,
  parseRange,
  assetsOf,
  type FeatureType,
  type OptimizerForm,
  type Seed,
} from './form/form.ts'

const DUPLICATE_SEED = 'This exact seed feature already exists'

/** The seed to add, or the sentence that says why not. */
type SeedOrRefusal = { seed: Seed } | { refusal: string }

export function readSeed(feature: Feature, params: Params, form: OptimizerForm): SeedOrRefusal {
  const definitions = feature.config.params_def
  const errors = definitions.flatMap((definition) => errorOf(definition, params[definition.name], feature, form))
  if (errors.length > 0) return { refusal: `Validation errors: ${errors.join(', ')}` }
  const typed = definitions.map((definition) => [definition.name, typedValue(definition, params[definition.name])])
  const seed: Seed = { id: feature.id, name: feature.name, params: Object.fromEntries(typed) }
  return form.seeds.some((other) => isSameSeed(other, seed)) ? { refusal: DUPLICATE_SEED } : { seed }
}

function errorOf({ name }: ParameterDefinition, value: unknown, feature: Feature, form: OptimizerForm): string[] {
  const text = textOf(value)
  if (text === '') return [`${name} is required`]
  const allowed = isTickerParameter(name) ? assetsOf(form) : configured(typeOf(form, feature.id), name)
  if (!isTickerParameter(name) && allowed.length === 0)
    return [`${name} is not configured in Feature Parameters section`]
  return isAmong(text, allowed) ? [] : [`${name} must be one of: ${allowed.join(', ')}`]
}

function typedValue({ name, type }: ParameterDefinition, value: unknown): number | string {
  const text = textOf(value)
  if (isTickerParameter(name)) return text.toUpperCase()
  return type === 'int' || type === 'float' || type === 'number' ? Number(text) : text
}

/** Reasons why a seed does not fit the form, in a few words each. None: it fits. */
function misfitsOf(seed: Seed, form: OptimizerForm): string[] {
  const type = typeOf(form, seed.id)
  if (!type) return ['feature type not selected']
  const missing = Object.keys(type.ranges).filter((name) => textOf(seed.params[name]) === '')
  const wrong = Object.entries(seed.params).flatMap(([name, value]) => misfitOf(type, form, name, textOf(value)))
  return [...missing.map((name) => `${name} is missing`), ...wrong]
}

function misfitOf(type: FeatureType, form: OptimizerForm, name: string, text: string): string[] {
  if (text === '') return []
  if (isTickerParameter(name)) return isAmong(text, assetsOf(form)) ? [] : [`${name} ${text} is not among the assets`]
  const allowed = configured(type, name)
  if (allowed.length === 0) return [`${name} is not configured`]
  return isAmong(text, allowed) ? [] : [`${name} ${text} is outside the range (${allowed.join(', ')})`]
}

/** `RSI: window 7 is outside the range (14)`. */
export const seedWarnings = (form: OptimizerForm): string[] =>
  form.seeds.flatMap((seed) => misfitsOf(seed, form).map((misfit) => `${seed.name}: ${misfit}`))

/** `SPY · 14 · close`: its parameters in the order of the catalogue, which a stored run does not keep. */
export function seedSummary({ id, params }: Seed, catalogue: readonly Feature[]): string {
  const feature = findEntry(catalogue, id)
  return feature ? paramsSummary(feature.config.params_def, params) : Object.values(params).map(shown).join(' · ')
}

interface OfferedSeeds {
  seeds: Seed[]
  /** How many do not fit the form. */
  skipped: number
}

/** A run's best features that fit the form and are not in it yet. */
export function offeredSeeds(best: readonly ChosenFeature[], form: OptimizerForm): OfferedSeeds {
  const all = best.map(({ id, name, params }): Seed => ({ id, name, params }))
  const fitting = all.filter((seed) => misfitsOf(seed, form).length === 0)
  const seeds = fitting.filter((seed) => !form.seeds.some((other) => isSameSeed(other, seed)))
  return { seeds, skipped: all.length - fitting.length }
}

/** Why a run has no seeds to offer; null: it has. */
export function nothingToOffer(best: readonly ChosenFeature[], form: OptimizerForm): string | null {
  if (best.length === 0) return 'No features found in selected optimization run'
  if (offeredSeeds(best, form).skipped < best.length) return null
  return (
    `No compatible features found in historical run. All ${best.length} features were skipped due to ` +
    'configuration differences.'
  )
}

function isSameSeed(a: Seed, b: Seed): boolean {
  const names = new Set([...Object.keys(a.params), ...Object.keys(b.params)])
  return String(a.id) === String(b.id) && [...names].every((name) => textOf(a.params[name]) === textOf(b.params[name]))
}

const typeOf = (form: OptimizerForm, id: Seed['id']): FeatureType | undefined =>
  form.featureTypes.find((type) => String(type.id) === String(id))

const configured = (type: FeatureType | undefined, name: string) => parseRange(type?.ranges[name] ?? '')

/** `14` and `14.0` are the same value. */
const isAmong = (text: string, allowed: readonly (number | string)[]): boolean =>
  allowed.some((value) =>
    typeof value === 'number' ? value === Number(text) : value.toUpperCase() === text.toUpperCase(),
  )

const textOf = (value: unknown): string => (value === undefined || value === null ? '' : shown(value).trim())
