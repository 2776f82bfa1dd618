import { BacktestForm } from '@tradewright/contract/backtest-form'
import type { Route } from '@tradewright/contract/route'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { z } from 'zod'
import { fieldEntries } from '@tradewright/core/strategy-fields'
import { ALIASES, NOT_SETTINGS } from '@tradewright/core/settings-codec'
import { CALL_NAMES } from '../../apps/cli/src/strategy-file.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const TEMPLATE = join(root, 'scripts/python-client/client.py.txt')
export const PYTHON_CLIENT = join(root, 'clients/python/tradewright.py')

/** Declares the calls of `live-trading` a second time, with answers that are read leniently. */
const SECOND_DECLARATIONS = 'live-trading-reading.ts'

/** Failures that a repetition would meet again after the same long work. */
const NOT_REPEATED = ['backtest.time-limit', 'job.interrupted', 'request.time']

/** Where each call with pages has its items, and the largest page that it gives. */
const PAGED: Record<string, { size: string; largest: number; lists: string[][] }> = {
  browseData: { size: 'per_page', largest: 1000, lists: [['records']] },
  getDeploymentDetails: { size: 'page_size', largest: 500, lists: [['deployment', 'ledger_entries']] },
  listActivities: { size: 'page_size', largest: 500, lists: [['trades'], ['transactions']] },
}

interface Field {
  /** On the wire: `ticker[]`. */
  wire: string
  /** In Python: `ticker`, and `from_` where the word is taken. */
  name: string
  isRequired: boolean
  description: string
}

interface JsonSchema {
  properties?: Record<string, { description?: string }>
  required?: readonly string[]
}

/** The Python client as one file, from the routes that a key may call. */
export async function pythonClient(): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const routes = await callableRoutes()
  const parts: Record<string, string> = {
    version,
    notRepeated: python(NOT_REPEATED),
    calls: [...routes].map(([name, route]) => methodOf(name, route)).join('\n'),
    formFields: python(Object.keys(BacktestForm.shape)),
    renamed: python({ ...CALL_NAMES, ...ALIASES }),
    allocations: python(allocationColumns),
    leftOut: python(NOT_SETTINGS),
  }
  return readFileSync(TEMPLATE, 'utf8').replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => parts[name]!)
}

const allocationColumns = Object.fromEntries(
  fieldEntries.flatMap(([name, field]) => (field.type === 'rows' ? [[name, field.columns]] : [])),
)

async function callableRoutes(): Promise<Map<string, Route>> {
  const files = globSync('packages/contract/src/*.ts', { cwd: root })
    .filter((file) => !file.endsWith('.test.ts') && !file.endsWith(SECOND_DECLARATIONS))
    .sort()
  const modules = await Promise.all(
    files.map((file) => import(pathToFileURL(join(root, file)).href) as Promise<Record<string, unknown>>),
  )
  const routes = modules.flatMap((module) => Object.entries(module)).filter(isCallable)
  return new Map(routes.sort(([a], [b]) => (a < b ? -1 : 1)))
}

function isCallable(entry: [string, unknown]): entry is [string, Route] {
  const { method, path, scope } = (entry[1] ?? {}) as Partial<Route>
  return method !== undefined && scope !== undefined && path?.startsWith('/api/') === true
}

function methodOf(exported: string, route: Route): string {
  const name = exported.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const path = route.path.replace(/^\/api/, '')
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, param]) => param!)
  const query = fieldsOf(route.query)
  const body = fieldsOf(route.body ?? route.upload?.fields)
  const fields = [...query, ...body].toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired))
  const named = [
    ...fields.map((field) => (field.isRequired ? field.name : `${field.name}=UNSET`)),
    ...(route.idempotent ? ['idempotency_key=None'] : []),
  ]
  const given = ['self', ...inPath, ...(route.upload ? ['file'] : []), ...(named.length > 0 ? ['*', ...named] : [])]
  const address = inPath.length === 0 ? python(path) : pathExpression(path, inPath)
  const sent = [
    python(route.method),
    address,
    ...(query.length > 0 ? [`query=${dictOf(query)}`] : []),
    ...bodyOf(route, body),
    ...(mayRepeat(route) ? ['repeats=True'] : []),
    ...(route.idempotent ? ['key=idempotency_key or str(uuid.uuid4())'] : []),
  ]
  const method = [
    listing(`    def ${name}(`, given, '):'),
    ...docOf(route, fields).map((line) => (line === '' ? '' : `        ${line}`)),
    listing('        return self._call(', sent, ')'),
    '',
  ]
  return [...method, ...pagesOf(exported, name, inPath)].join('\n')
}

/** Calls that change nothing, that say whether they were done, or that end the same when done twice. */
const mayRepeat = ({ method, idempotent, changesNothing }: Route): boolean =>
  method === 'GET' || idempotent === true || changesNothing === true

function bodyOf({ method, encoding, upload }: Route, fields: readonly Field[]): string[] {
  if (upload) return [`form={**${dictOf(fields)}, ${python(upload.file)}: _file(file)}`]
  if (encoding === 'multipart') return [`form=${dictOf(fields)}`]
  return fields.length === 0 || method === 'GET' ? [] : [`body=${dictOf(fields)}`]
}

function fieldsOf(schema: z.ZodType | undefined): Field[] {
  if (!schema) return []
  const { properties = {}, required = [] } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  }) as JsonSchema
  return Object.entries(properties).map(([wire, { description = '' }]) => ({
    wire,
    name: pythonName(wire),
    isRequired: required.includes(wire),
    description,
  }))
}

const KEYWORDS = new Set([
  'from',
  'import',
  'class',
  'def',
  'in',
  'is',
  'not',
  'and',
  'or',
  'if',
  'else',
  'for',
  'with',
  'as',
])

function pythonName(wire: string): string {
  const name = wire.replace('[]', '')
  return KEYWORDS.has(name) ? `${name}_` : name
}

function docOf({ summary, method, path, scope, answer }: Route, fields: readonly Field[]): string[] {
  const needed =
    scope === 'any key'
      ? 'Any key may call it.'
      : `Scope: ${scope === 'trade' ? 'trade-paper, or trade-live for real money' : scope}.`
  const { properties = {} } = z.toJSONSchema(answer, { io: 'output', unrepresentable: 'any' }) as JsonSchema
  const answered = Object.keys(properties).filter((name) => name !== 'success')
  const described = fields.filter(({ description }) => description !== '')
  return [
    ...wrapped(`"""${summary.replaceAll('\\', '\\\\')}`),
    '',
    `${method} ${path.replace(/^\/api/, '/api/v1')}. ${needed}`,
    ...described.flatMap(({ name, description }) => wrapped(`${name}: ${description}`, '    ')),
    ...(answered.length === 0 ? [] : wrapped(`Answer: ${answered.join(', ')}`, '    ')),
    '"""',
  ]
}

function pagesOf(exported: string, name: string, inPath: readonly string[]): string[] {
  const paged = PAGED[exported]
  if (!paged) return []
  const { size, largest, lists } = paged
  const page = inPath.length === 0 ? `self.${name}` : `lambda **given: self.${name}(${inPath.join(', ')}, **given)`
  return [
    `    def iter_${name}(${['self', ...inPath, '**arguments'].join(', ')}):`,
    `        """Every item of \`${name}\`, page after page; the same arguments, without page."""`,
    listing('        return self._paged(', [page, python(size), String(largest), python(lists), 'arguments'], ')'),
    '',
  ]
}

/** Calls whose pages nothing iterates over; a test keeps it empty. */
export async function callsWithoutIterator(): Promise<string[]> {
  const hasPages = (route: Route) =>
    [route.query, route.body].some((schema) => fieldsOf(schema).some(({ wire }) => wire === 'page'))
  return [...(await callableRoutes())]
    .filter(([name, route]) => hasPages(route) && !(name in PAGED))
    .map(([name]) => name)
}

function pathExpression(path: string, inPath: readonly string[]): string {
  const quoted = inPath.map((param) => `_quoted(${param})`)
  return `${python(path.replaceAll(/:\w+/g, '%s'))} % (${quoted.join(', ')},)`
}

const dictOf = (fields: readonly Field[]): string =>
  `{${fields.map(({ wire, name }) => `${python(wire)}:\u00a0${name}`).join(', ')}}`

/** JSON of text, lists and maps is Python as well. */
const python = (value: unknown): string => {
  const json = JSON.stringify(value)
  return json.length <= 90 ? json.replaceAll(/([,:])(?=["[{])/g, '$1 ') : JSON.stringify(value, null, 4)
}

const WIDTH = 110

/** On one line where it fits, else broken after commas; no-break spaces keep a name with its value. */
function listing(head: string, items: readonly string[], tail: string): string {
  const one = `${head}${items.join(', ')}${tail}`
  if (one.length <= WIDTH) return one.replaceAll('\u00a0', ' ')
  const indent = ' '.repeat(head.search(/\S/) + (tail === '):' ? 8 : 4))
  return `${head}\n${wrapped(items.join(', ') + tail, '', WIDTH - indent.length)
    .map((line) => indent + line.replaceAll('\u00a0', ' '))
    .join('\n')}`
}

function wrapped(text: string, indent = '', width = WIDTH - 8): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line !== undefined && `${line} ${word}`.length <= width) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(lines.length === 0 ? word : indent + word)
  }
  return lines
}
