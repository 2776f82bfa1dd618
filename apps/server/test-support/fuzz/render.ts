import type { IdPool } from './id-pool.ts'
import type { PlannedRequest } from './requests.ts'
import { IdPlaceholder } from './values.ts'
import { MULTIPART, multipartBody, type WireRequest } from './wire.ts'

/** Whose ids the placeholders of a request stand for, and with what the caller proves who they are. */
interface RenderContext {
  readonly own: IdPool
  readonly others: IdPool
  readonly headers: Readonly<Record<string, string>>
}

/** The request as it is sent now. */
export function renderRequest(planned: PlannedRequest, context: RenderContext): WireRequest {
  const fill = (value: unknown) => withIds(value, context)
  const path = planned.path.replaceAll(/:([a-z_]+)/g, (_, name: string) => segment(fill(planned.params[name])))
  const query = planned.query.map(([name, value]) => `${encode(name)}=${encode(text(fill(value)))}`)
  const isBodyless = planned.method === 'GET' || planned.method === 'HEAD'
  const body = isBodyless && planned.rawBody === undefined ? undefined : bodyOf(planned, fill(planned.body))
  const contentType = planned.contentType ?? (planned.isMultipart ? MULTIPART : 'application/json')
  return {
    method: planned.method,
    url: query.length > 0 ? `${path}?${query.join('&')}` : path,
    headers: { ...context.headers, ...(body !== undefined && { 'content-type': contentType }), ...planned.headers },
    ...(body !== undefined && { payload: body }),
  }
}

function bodyOf({ rawBody, isMultipart }: PlannedRequest, body: unknown): string | undefined {
  if (rawBody !== undefined) return rawBody
  if (body === undefined) return undefined
  return isMultipart ? multipartBody(Object(body) as Record<string, unknown>) : JSON.stringify(body)
}

function withIds(value: unknown, context: RenderContext): unknown {
  if (value instanceof IdPlaceholder) {
    const ids = (value.isOthers ? context.others : context.own).of(value.kind)
    return ids[Math.floor(value.position * ids.length)] ?? Math.ceil(value.position * 20)
  }
  if (Array.isArray(value)) return value.map((item) => withIds(item, context))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withIds(part, context)]))
}

const text = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

const segment = (value: unknown): string => encode(text(value)) || '%20'

/** Also what `encodeURIComponent` refuses to: half a pair is sent as the bytes that a careless client would send. */
const encode = (part: string): string => (part.isWellFormed() ? encodeURIComponent(part) : '%ED%A0%80')
