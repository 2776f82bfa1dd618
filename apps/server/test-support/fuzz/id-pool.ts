const MAX_PER_KIND = 50

/** Ids that the server told a user, by what they are ids of: `strategy`, `data_store`. */
export class IdPool {
  readonly #kinds = new Map<string, (string | number)[]>()

  add(kind: string, id: string | number): void {
    const ids = this.#kinds.get(kind) ?? []
    if (ids.includes(id)) return
    ids.push(id)
    if (ids.length > MAX_PER_KIND) ids.shift()
    this.#kinds.set(kind, ids)
  }

  /** Ids of the kind by whichever of its names: a path says `ticker_list` where an answer says `list`. Oldest first. */
  of(kind: string): (string | number)[] {
    const found = [...this.#kinds].filter(([known]) => known.endsWith(kind) || kind.endsWith(known))
    return found.flatMap(([, ids]) => ids)
  }
}

/** The kind of an id: `data-stores` and `data_store_id` both give `data_store`. */
export function kindOf(name: string): string {
  const word = name.replaceAll('-', '_').replace(/(_ids?|\[\])$/, '')
  return word.replace(/ies$/, 'y').replace(/(?<!s)s$/, '')
}

/** The kind of a path parameter is the word before it: `/api/strategies/:id` has ids of a `strategy`. */
export function kindOfParameter(path: string, parameter: string): string {
  const words = path.split('/')
  return parameter === 'id' ? kindOf(words[words.indexOf(`:${parameter}`) - 1]!) : parameter
}

/** Finds ids in an answer: `id` under the name of what holds it, and every `…_id`. */
export function harvestIds(value: unknown, pool: IdPool, holder = '', depth = 0): void {
  if (typeof value !== 'object' || value === null || depth > 5) return
  if (Array.isArray(value)) {
    for (const item of value.slice(0, MAX_PER_KIND)) harvestIds(item, pool, holder, depth + 1)
    return
  }
  for (const [key, part] of Object.entries(value)) {
    const isId = (typeof part === 'number' && Number.isInteger(part)) || (typeof part === 'string' && part.length < 100)
    if (isId && key === 'id') pool.add(kindOf(holder), part)
    else if (isId && key.endsWith('_id')) pool.add(kindOf(key), part)
    else harvestIds(part, pool, key, depth + 1)
  }
}
