import type { Selection } from '@tradewright/engine/features/planned-feature'
import { invalidField, jsonField } from '../input/form-values.ts'
import { isStorable } from '../input/storable.ts'

/** The JSON list of features. Their parameters are validated by the catalogue. */
export function featureSelections(text: string | undefined): Selection[] {
  const value = text === undefined ? [] : jsonField('The list of features', text)
  if (!Array.isArray(value)) throw invalidField('The features must be a JSON list.')
  return value.map((one: unknown, i) => selection(`Feature ${i + 1}`, one))
}

/** `{id, params}`, or the id alone, which then has its default parameters. */
export function targetSelection(text: string | undefined): Selection {
  if (text === undefined || text.trim() === '') throw invalidField('Choose a target: what the model should predict.')
  const value = /^\s*[[{"]|^\s*\d+\s*$/.test(text) ? jsonField('The target', text) : text
  return selection('The target', isId(value) ? { id: value } : value)
}

const isId = (value: unknown): value is number | string => typeof value === 'number' || typeof value === 'string'

function selection(what: string, value: unknown): Selection {
  const { id, params = {} } = (value ?? {}) as { id?: unknown; params?: unknown }
  if (!isId(id)) throw invalidField(`${what} has no id.`)
  if (typeof params !== 'object' || params === null || Array.isArray(params) || !isStorable(params)) {
    throw invalidField(`The parameters of ${what.toLowerCase()} must be an object.`)
  }
  return { id, params: params as Selection['params'] }
}
