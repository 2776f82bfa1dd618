/** Defaults of fields that a definition may leave out. */
const LEFT_OUT = {
  readonly: false,
  required: false,
  options: null,
  step: null,
  min: null,
  max: null,
  description: '',
}

/**
 * The definitions of parameters as a list, whichever way they were written: as a list, as a map by name, or as the JSON
 * text of either. What is none of these is handed on, for the schema to refuse.
 */
export function readParamsDef(written: unknown): unknown {
  const value = typeof written === 'string' ? parsed(written) : written
  if (Array.isArray(value)) return value.map((definition: unknown) => completed(definition))
  if (!isRecord(value)) return value
  return Object.entries(value).map(([name, definition]) => completed(definition, name))
}

function completed(definition: unknown, name?: string): unknown {
  if (!isRecord(definition)) return definition
  const named = { ...LEFT_OUT, ...(name === undefined ? {} : { name }), ...definition }
  return { label: 'name' in named ? named.name : undefined, ...named }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
