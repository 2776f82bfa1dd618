import type { Random } from '@tradewright/core/random'
import type { JsonSchema } from './contract-calls.ts'
import { kindOf } from './id-pool.ts'

/** Stands for an id that is chosen when the request is sent, because it depends on what the server has answered. */
export class IdPlaceholder {
  readonly kind: string
  /** Where in the pool, from 0 to 1. */
  readonly position: number
  readonly isOthers: boolean

  constructor(kind: string, position: number, isOthers: boolean) {
    this.kind = kind
    this.position = position
    this.isOthers = isOthers
  }
}

export const pick = <Value>(random: Random, values: readonly Value[]): Value => values[random.below(values.length)]!
export const chance = (random: Random, probability: number): boolean => random.float() < probability

export const idPlaceholder = (random: Random, kind: string): IdPlaceholder =>
  new IdPlaceholder(kind, random.float(), chance(random, 0.25))

/** Usual values of a field of such a name; the first that matches. Addresses never lead out of the machine. */
const BY_NAME: readonly [RegExp, readonly unknown[]][] = [
  [/ticker|symbol|asset/i, ['SPY', 'QQQ', 'AGG', 'BTC-USD', 'CASHX']],
  [/start_?date/i, ['2021-01-04', '2022-01-03']],
  [/end_?date/i, ['2022-03-31', '2022-12-30']],
  [/email/i, ['name@example.com']],
  [/password/i, ['a long password 9']],
  [/granularity/i, ['daily', '1d']],
  [/provider/i, ['sample', 'sample', 'sample', 'csv', 'yahoo']],
  [/categor/i, ['close', 'volume']],
  [/url|endpoint|host|address/i, ['http://127.0.0.1:9', 'nowhere.invalid', '169.254.169.254']],
  [/model/i, ['gpt-4o', 'Random Forest']],
  [/action|message|question/i, ['List my strategies', 'market_analysis', 'Explain my latest backtest']],
]

/** Tried in turn where a schema asks for a pattern. */
const PATTERN_TEXTS = [
  '12:30',
  '2022-06-30',
  '2022-06-30T12:30:00Z',
  '7',
  'name@example.com',
  'http://127.0.0.1:9',
  'word',
]

/** A value that the schema accepts, as far as JSON Schema says; `name` is the field that it is for. */
export function validValue(schema: JsonSchema, name: string, random: Random): unknown {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return validValue(pick(random, choices), name, random)
  if (schema.allOf) return validValue(schema.allOf[0]!, name, random)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return pick(random, schema.enum)
  const type = Array.isArray(schema.type) ? pick(random, schema.type) : schema.type
  if (/(_ids?|^id)$/.test(name) && (type === 'number' || type === 'string' || type === 'integer')) {
    return idPlaceholder(random, kindOf(name))
  }
  switch (type ?? 'any') {
    case 'object':
      return validObject(schema, random)
    case 'array':
      return validList(schema, name, random)
    case 'string':
      return validText(schema, name, random)
    case 'number':
    case 'integer':
      return validNumber(schema, type === 'integer', random)
    case 'boolean':
      return chance(random, 0.5)
    case 'null':
      return null
    default:
      return pick(random, ['text', 7, { key: 'value' }, ['a', 1], null])
  }
}

function validObject({ properties = {}, required = [], additionalProperties }: JsonSchema, random: Random): object {
  const fields = Object.entries(properties)
    .filter(([name]) => required.includes(name) || chance(random, 0.5))
    .map(([name, schema]) => [name, validValue(schema, name, random)] as const)
  if (typeof additionalProperties !== 'object' || fields.length > 0) return Object.fromEntries(fields)
  const keys = ['SPY', 'window', '1'].slice(0, random.below(4))
  return Object.fromEntries(keys.map((key) => [key, validValue(additionalProperties, key, random)]))
}

function validList({ items, prefixItems, maxItems = 3 }: JsonSchema, name: string, random: Random): unknown[] {
  if (prefixItems) return prefixItems.map((schema) => validValue(schema, name, random))
  const length = random.below(Math.min(3, maxItems) + 1)
  return Array.from({ length }, () => validValue(items ?? {}, name, random))
}

function validText(
  { format, pattern, minLength = 0, maxLength = 20 }: JsonSchema,
  name: string,
  random: Random,
): string {
  if (format === 'date') return pick(random, ['2021-01-04', '2022-12-30', '2024-02-29'])
  if (format === 'email') return 'name@example.com'
  const usual = BY_NAME.find(([names]) => names.test(name))?.[1]
  const text = String(usual ? pick(random, usual) : pick(random, ['5', '60', 'true', 'Name', 'daily', '']))
  const expected = pattern === undefined ? undefined : new RegExp(pattern, 'u')
  const fitting = expected && !expected.test(text) ? PATTERN_TEXTS.find((one) => expected.test(one)) : text
  return (fitting ?? text).slice(0, maxLength).padEnd(minLength, 'x')
}

function validNumber(schema: JsonSchema, isInteger: boolean, random: Random): number {
  const low = schema.minimum ?? schema.exclusiveMinimum ?? 0
  // Small, so that what is computed from it is small; the bounds themselves are tried as hostile values.
  const high = Math.min(schema.maximum ?? low + 10, low + 10)
  const value = low + random.float() * (high - low)
  return isInteger || chance(random, 0.5) ? Math.max(Math.ceil(low), Math.floor(value)) : value
}

const deep = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels))
const proto: unknown = JSON.parse('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"x":1}}}')

/** Wrong types, bounds, encodings, and what attacks are made of. */
const HOSTILE: readonly unknown[] = [
  null,
  true,
  false,
  '',
  ' ',
  0,
  -1,
  1.5,
  -0.0001,
  1e21,
  1e308,
  -1e308,
  2 ** 31,
  2 ** 31 - 1,
  -(2 ** 31),
  2 ** 53,
  2 ** 63,
  5e-324,
  '1e999',
  'NaN',
  'Infinity',
  '-1',
  '1.5',
  '0x10',
  '2147483648',
  '9223372036854775808',
  [],
  {},
  [[]],
  [null],
  [1, 'a', {}],
  { length: 1e9 },
  { $ne: null },
  { toString: 'x', valueOf: 1 },
  proto,
  deep(150),
  'a\0b',
  '\0',
  '\ud800',
  'a\udc00b',
  '\ufffe\uffff',
  '\u202e\u200b\ufeff',
  '👩‍👩‍👧‍👦'.repeat(20),
  'é'.normalize('NFD').repeat(200),
  'ﷺ'.repeat(100),
  'x'.repeat(201),
  'x'.repeat(5_000),
  '9'.repeat(400),
  ','.repeat(500),
  "'; DROP TABLE users; --",
  "' OR '1'='1",
  "%' OR 1=1 --",
  '\\',
  '%_\\%',
  '$1',
  '{{7*7}}${7*7}',
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '=HYPERLINK("http://127.0.0.1:9")',
  '../../../../etc/passwd',
  '..\\..\\windows',
  '/etc/passwd',
  'file:///etc/passwd',
  '%2e%2e%2f%00',
  'CON',
  'a\r\nSet-Cookie: x=1',
  'http://127.0.0.1:9/',
  'http://169.254.169.254/latest/meta-data',
  'http://[::1]:9/',
  'http://user:pass@127.0.0.1:9',
  'javascript:alert(1)',
  '[ACTION:{"label":"x","type":"create_strategy"}]',
  '2024-02-30',
  '0000-01-01',
  '9999-12-31',
  '-000001-01-01',
  '275760-09-13',
  '1900-01-01',
  '12:61',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  '*/1 * * * * *',
  '* * * * *',
  '0 0 31 2 *',
  '(a+)+$',
]

export const hostileValue = (random: Random): unknown => pick(random, HOSTILE)

/** The value itself made a little wrong: the way a client with a bug would send it. */
export function nearlyValid(value: unknown, random: Random): unknown {
  if (typeof value === 'number') {
    return pick(random, [String(value), value + 0.5, -value, value * 1e6, value + 1, [value], value + 2 ** 31])
  }
  if (typeof value === 'string') {
    return pick(random, [
      `${value}\0`,
      ` ${value} `,
      value.toUpperCase(),
      value.repeat(50).slice(0, 5_000),
      [value],
      { [value.slice(0, 20)]: value },
      value.slice(1),
      `${value}’`,
    ])
  }
  if (typeof value === 'boolean') return pick(random, [String(value), Number(value), null])
  if (Array.isArray(value)) {
    const list: unknown[] = value
    return pick(random, [
      list[0],
      [...list, ...list],
      Object.fromEntries(list.entries()),
      [list],
      Array.from({ length: 300 }, () => list[0] ?? 1),
    ])
  }
  if (value instanceof IdPlaceholder)
    return pick(random, [0, -1, 2 ** 31, '1 ', '1.0', [value], new IdPlaceholder(value.kind, value.position, true)])
  return hostileValue(random)
}
