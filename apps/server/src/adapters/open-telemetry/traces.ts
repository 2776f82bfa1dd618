import { traceWith } from '../../observe/tracing.ts'
import { ensureInstalled } from '../packages/on-demand.ts'

/** Sends spans to a collector by OTLP over HTTP, in batches. Gives what sends the rest and ends it. */
export async function openTraces(url: string, version: string): Promise<() => Promise<void>> {
  await ensureInstalled('traces')
  const [{ BatchSpanProcessor, TracerProvider }, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all(
    [
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ],
  )
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'tradewright', 'service.version': version }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }) })],
  })
  traceWith(provider.getTracer('tradewright', version))
  return async () => {
    traceWith(undefined)
    await provider.shutdown()
  }
}
