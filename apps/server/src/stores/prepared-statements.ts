import type pg from 'pg'

/** `/* prepared: name *\/` in front of a statement. */
const NAMED = /^\s*\/\* prepared: ([\w-]+) \*\//

type Query = (statement: unknown, ...rest: unknown[]) => unknown

/** Statements that say their name are parsed and planned once per connection: for questions that are asked all the time. */
export function prepareNamed(client: pg.PoolClient | pg.Client): void {
  const query = client.query.bind(client) as Query
  const preparing: Query = (statement, ...rest) => {
    const name = typeof statement === 'string' ? NAMED.exec(statement)?.[1] : undefined
    if (name === undefined) return query(statement, ...rest)
    const [values, ...callback] = rest
    return query({ name, text: statement, values }, ...callback)
  }
  client.query = preparing as typeof client.query
}
