import { Problem } from '@tradewright/core/problem'

/** One parameter of a feature or target, as the form shows it and as the request is checked against it. */
export interface ParameterDefinition {
  readonly name: string
  readonly label: string
  readonly type: 'int' | 'float' | 'select' | 'string'
  /** The form's initial value, and the meaning of an absent one; a required one must be given all the same. */
  readonly default: number | string
  readonly required?: boolean
  readonly options?: readonly string[]
  readonly min?: number
  readonly max?: number
  readonly step?: number
  readonly description: string
}

export type RawParameters = Readonly<Record<string, unknown>>

/** Checked parameters; asking for one that is not defined, or by the wrong type, is a bug. */
export class ParameterValues {
  readonly #values: ReadonlyMap<string, number | string>

  constructor(values: ReadonlyMap<string, number | string>) {
    this.#values = values
  }

  number(name: string): number {
    const value = this.#values.get(name)
    if (typeof value !== 'number') throw new Error(`there is no parameter ${name} that is a number`)
    return value
  }

  text(name: string): string {
    const value = this.#values.get(name)
    if (typeof value !== 'string') throw new Error(`there is no parameter ${name} that is a text`)
    return value
  }

  has(name: string): boolean {
    return this.#values.has(name)
  }

  toRecord(): Record<string, number | string> {
    return Object.fromEntries(this.#values)
  }
}

/** Reads the parameters of a request; `owner` names the feature in the sentence that says what is wrong. */
export function readParameters(
  owner: string,
  definitions: readonly ParameterDefinition[],
  raw: RawParameters,
): ParameterValues {
  return new ParameterValues(new Map(definitions.map((one) => [one.name, readParameter(owner, one, raw[one.name])])))
}

function readParameter(owner: string, definition: ParameterDefinition, raw: unknown): number | string {
  const isAbsent = raw === undefined || raw === null || raw === ''
  if (isAbsent && definition.required) throw invalid(owner, `${definition.name} is missing`)
  if (isAbsent) return definition.default
  return definition.type === 'int' || definition.type === 'float'
    ? readNumber(owner, definition, raw)
    : readText(owner, definition, raw)
}

function readNumber(owner: string, { name, type, min, max }: ParameterDefinition, raw: unknown): number {
  const value = typeof raw === 'number' ? raw : typeof raw === 'string' ? Number(raw) : Number.NaN
  const isRight = Number.isFinite(value) && (type === 'float' || Number.isInteger(value))
  if (!isRight || value < (min ?? -Infinity) || value > (max ?? Infinity)) {
    throw invalid(
      owner,
      `${name} must be ${type === 'int' ? 'a whole number' : 'a number'}${range(min, max)}, was ${shown(raw)}`,
    )
  }
  return value
}

function readText(owner: string, { name, options }: ParameterDefinition, raw: unknown): string {
  if (typeof raw !== 'string') throw invalid(owner, `${name} must be a text, was ${shown(raw)}`)
  const text = raw.trim()
  if (options && !options.includes(text))
    throw invalid(owner, `${name} must be one of ${options.join(', ')}, was "${text}"`)
  return text
}

function range(min: number | undefined, max: number | undefined): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`
  if (min !== undefined) return ` of at least ${min}`
  return max === undefined ? '' : ` of at most ${max}`
}

const shown = (raw: unknown): string => JSON.stringify(raw) ?? 'nothing'

const invalid = (owner: string, what: string) => new Problem('invalid', 'feature.parameter', `${owner}: ${what}.`)

/** Ten years of minute bars: a longer window is a typing error. */
const MAX_WINDOW = 1_000_000

export const tickerParameter = (example: string): ParameterDefinition => ({
  name: 'ticker',
  label: 'Ticker',
  type: 'string',
  default: example,
  required: true,
  description: 'The series it is computed from.',
})

export const otherTickerParameter = (example: string): ParameterDefinition => ({
  name: 'other_ticker',
  label: 'Other ticker',
  type: 'string',
  default: example,
  required: true,
  description: 'The series it is compared with.',
})

export const windowParameter = (bars: number, least = 1): ParameterDefinition => ({
  name: 'window',
  label: 'Window',
  type: 'int',
  default: bars,
  min: least,
  max: MAX_WINDOW,
  step: 1,
  description: 'How many bars it looks back.',
})

export const lagParameter = (bars = 0): ParameterDefinition => ({
  name: 'lag',
  label: 'Lag',
  type: 'int',
  default: bars,
  min: 0,
  max: MAX_WINDOW,
  step: 1,
  description: 'Uses the value from this many bars ago.',
})

export const fieldParameter = (field = 'close'): ParameterDefinition => ({
  name: 'field',
  label: 'Field',
  type: 'select',
  default: field,
  options: ['open', 'high', 'low', 'close', 'volume'],
  description: 'Which column of the bars. Series without bars, such as economic ones, have a single value.',
})

export const choiceParameter = (
  name: string,
  label: string,
  options: readonly [string, ...string[]],
  description: string,
): ParameterDefinition => ({ name, label, type: 'select', default: options[0], options, description })
