type Columns = Float64Array | Int32Array | Int8Array

/** A value as JSON can keep it: columns are lists, and NaN, which says "no value", is null. */
export type Stored<Value> = Value extends Columns
  ? (number | null)[]
  : Value extends readonly (infer Item)[]
    ? Stored<Item>[]
    : Value extends object
      ? { [Key in keyof Value]: Stored<Value[Key]> }
      : Value

const isColumn = (value: object): value is Columns =>
  value instanceof Float64Array || value instanceof Int32Array || value instanceof Int8Array

export function stored<Value>(value: Value): Stored<Value> {
  return storedAny(value) as Stored<Value>
}

function storedAny(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (isColumn(value)) return Array.from<number, number | null>(value, (one) => (Number.isFinite(one) ? one : null))
  if (Array.isArray(value)) return value.map(storedAny)
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, storedAny(part)]))
}
