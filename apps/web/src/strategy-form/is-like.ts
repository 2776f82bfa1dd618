/**
 * Whether a value that was stored has the shape of a template: every key of it, lists of items like its first one. Numbers
 * and texts stand for each other, as number fields hold both. A template that is null takes anything of no interest.
 */
export function isLike<Value>(template: Value, value: unknown): value is Value {
  if (typeof template === 'string' || typeof template === 'number') {
    return typeof value === 'string' || typeof value === 'number'
  }
  if (Array.isArray(template)) {
    return Array.isArray(value) && value.every((item: unknown) => isLike<unknown>(template[0], item))
  }
  if (typeof template === 'object' && template !== null) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    return Object.entries(template).every(([key, part]) =>
      isLike<unknown>(part, (value as Record<string, unknown>)[key]),
    )
  }
  return typeof value === typeof template
}
