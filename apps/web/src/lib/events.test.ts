import type { JobEvent } from '@tradewright/contract/events'
import { expect, it } from 'vitest'
import { watchJobs, watchProposals } from './events.ts'

const event: JobEvent = {
  job_id: 'j1',
  kind: 'backtest',
  subject: 'run-1',
  state: 'running',
  progress: { fraction: 0.5, note: 'Window 3 of 9' },
  error: null,
}

function openedStream() {
  const target = new EventTarget()
  let isClosed = false
  const stream = Object.assign(target, { close: () => (isClosed = true) })
  return {
    open: () => stream as unknown as EventSource,
    send: (type: string, data: string) => target.dispatchEvent(new MessageEvent(type, { data })),
    isClosed: () => isClosed,
  }
}

it('tells the events of jobs, skips what it does not understand, and closes', () => {
  const { open, send, isClosed } = openedStream()
  const seen: JobEvent[] = []
  let resyncs = 0
  const stop = watchJobs({ onJob: (one) => seen.push(one), onResync: () => (resyncs += 1) }, open)
  send('job', JSON.stringify(event))
  send('job', 'no json')
  send('job', '{"job_id": 3}')
  send('resync', '')
  expect(seen).toEqual([event])
  expect(resyncs).toBe(1)
  stop()
  expect(isClosed()).toBe(true)
})

it('tells of proposals, and of events that were missed', () => {
  const { open, send, isClosed } = openedStream()
  let changes = 0
  const stop = watchProposals(() => (changes += 1), open)
  send('proposals', '{"open":1}')
  send('job', JSON.stringify(event))
  send('resync', '')
  expect(changes).toBe(2)
  stop()
  expect(isClosed()).toBe(true)
})
