import type { HttpSurroundings } from '../src/adapters/http/http-client.ts'
import { RateBuckets } from '../src/adapters/http/rate-bucket.ts'
import { fetchTransport } from '../src/adapters/http/transport.ts'
import { RecordedLog } from './recorded-log.ts'
import { VirtualTiming } from './virtual-timing.ts'

/** A Wednesday in the middle of a New York session. */
export const testNow = '2026-03-04T16:00:00Z'

/** Real HTTP over loopback in time that passes at once. */
export function testSurroundings(
  now: string = testNow,
): HttpSurroundings & { timing: VirtualTiming; log: RecordedLog } {
  const timing = new VirtualTiming(now)
  return { transport: fetchTransport, timing, buckets: new RateBuckets(timing), log: new RecordedLog() }
}
