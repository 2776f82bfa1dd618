/** An event as a program is told of it. */
export interface OutgoingEvent {
  readonly event: OutgoingEventId
  /** The same is told once to each channel. */
  readonly key: string
  readonly subject: string
  readonly text: string
  /** The typed content, in the words of the API. Small: a receiver asks the API for the rest. */
  readonly data: Readonly<Record<string, unknown>>
}

interface EventType {
  readonly id: string
  readonly label: string
  readonly hint: string
  /** `data` of the test and of docs/api.md. */
  readonly example: Readonly<Record<string, unknown>>
}

const run = { job_id: '6b1f0f0e-2f0c-4f7b-9a56-6d4c2b6c8a11', state: 'completed', error: null }
const deployment = { deployment_id: 3, deployment_name: 'Sixty forty' }

/** Everything that a webhook can be told of beside alerts, in the order of the settings and of docs/api.md. */
const outgoingEvents = [
  {
    id: 'backtest.finished',
    label: 'Backtest finished',
    hint: 'A backtest ended: completed, failed or cancelled.',
    example: { ...run, strategy_name: 'Sixty forty', backtest_id: 12 },
  },
  {
    id: 'optimizer.finished',
    label: 'Optimizer run finished',
    hint: 'An optimizer run ended.',
    example: { ...run, run_id: 5 },
  },
  {
    id: 'study.finished',
    label: 'Parameter study finished',
    hint: 'A parameter study ended.',
    example: { ...run, study_id: 2 },
  },
  {
    id: 'data_job.ended',
    label: 'Data job ended',
    hint: 'A run of a collection job ended.',
    example: { ...run, name: 'Nightly prices', records_stored: 5040 },
  },
  {
    id: 'deployment.decided',
    label: 'Deployment decided',
    hint: 'A deployment made a decision, whether or not it trades.',
    example: {
      ...deployment,
      decision_id: 88,
      decided_for: '2026-03-04T20:55:00.000Z',
      outcome: 'buying',
      signal: 'Allocation',
      probability: null,
      weights: { SPY: 0.6, AGG: 0.4 },
      reason: 'First trade.',
    },
  },
  {
    id: 'order.filled',
    label: 'Order filled',
    hint: 'An execution of a deployment’s order was booked; an order can have several.',
    example: {
      ...deployment,
      execution_id: 'a1f4',
      order_id: 'tw-3-88-SPY',
      ticker: 'SPY',
      side: 'buy',
      quantity: '1.5',
      price: '601.25',
    },
  },
  {
    id: 'deployment.run_missed',
    label: 'Missed run',
    hint: 'A scheduled run was missed.',
    example: { ...deployment, by: 'schedule' },
  },
  {
    id: 'deployment.stopped',
    label: 'Deployment stopped',
    hint: 'A user or the emergency stop stopped a deployment.',
    example: { ...deployment, by: 'ann', is_emergency: false },
  },
  {
    id: 'proposal.made',
    label: 'Proposal made',
    hint: 'An agent or a script proposed a change that waits for you.',
    example: { proposal_id: 7, kind: 'save-strategy', origin: 'Notebook', title: 'Save the strategy “Sixty forty”' },
  },
] as const satisfies readonly EventType[]

export type OutgoingEventId = (typeof outgoingEvents)[number]['id']

export const OUTGOING_EVENTS: readonly (EventType & { readonly id: OutgoingEventId })[] = outgoingEvents

export const outgoingEventOf = (id: string) => OUTGOING_EVENTS.find((event) => event.id === id)
