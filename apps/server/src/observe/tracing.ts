import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Attributes,
  isSpanContextValid,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api'

/** The span that the current work belongs to: of this process, or of the one that put a job in. */
const current = new AsyncLocalStorage<SpanContext>()
let tracer: Tracer | undefined

/** From now on spans are recorded; undefined: none. */
export function traceWith(next: Tracer | undefined): void {
  tracer = next
}

type Kind = 'call' | 'job' | 'outside'

const KINDS: Readonly<Record<Kind, SpanKind>> = {
  call: SpanKind.SERVER,
  job: SpanKind.CONSUMER,
  outside: SpanKind.CLIENT,
}

/**
 * Work as a span below the current one. Names and attributes are words of the program, as the labels of metrics are.
 * While nothing is traced this is a call of `work` and nothing else.
 */
export function inSpan<Result>(
  kind: Kind,
  name: string,
  attributes: Attributes,
  work: () => Promise<Result>,
): Promise<Result> {
  return tracer ? traced(tracer, kind, name, attributes, work) : work()
}

async function traced<Result>(
  active: Tracer,
  kind: Kind,
  name: string,
  attributes: Attributes,
  work: () => Promise<Result>,
): Promise<Result> {
  const parent = current.getStore()
  const context = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT
  const span = active.startSpan(name, { kind: KINDS[kind], attributes }, context)
  try {
    return await current.run(span.spanContext(), work)
  } catch (error) {
    // The message of an error may tell about a user.
    const { name: type, code } = error as { name?: unknown; code?: unknown }
    span.setStatus({ code: SpanStatusCode.ERROR })
    if (typeof type === 'string') span.setAttribute('error.type', type)
    if (typeof code === 'string') span.setAttribute('tradewright.code', code)
    throw error
  } finally {
    span.end()
  }
}

/** The current span in the form of the W3C, for a row that another process reads; null while nothing is traced. */
export function traceParent(): string | null {
  const context = tracer && current.getStore()
  if (!context) return null
  return `00-${context.traceId}-${context.spanId}-0${context.traceFlags & TraceFlags.SAMPLED}`
}

/** Work that belongs to a span which another process began. */
export function belowTraceParent<Result>(text: string | null, work: () => Promise<Result>): Promise<Result> {
  const [, traceId, spanId, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-(\d\d)$/.exec(text ?? '') ?? []
  if (!tracer || traceId === undefined || spanId === undefined) return work()
  const context: SpanContext = { traceId, spanId, traceFlags: Number(flags), isRemote: true }
  return isSpanContextValid(context) ? current.run(context, work) : work()
}
