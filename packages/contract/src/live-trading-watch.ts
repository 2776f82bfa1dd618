import { z } from 'zod'
import { Sentence, Success } from './answers.ts'
import { PathId } from './ids.ts'
import { Decision, OrderView, PlannedOrder } from './live-trading-decision.ts'
import { Confirmation, Deployment, RETRAINING_SCHEDULES, VolumeShare, LOSS_ACTIONS } from './live-trading-fields.ts'
import { CreateDeploymentBody } from './live-trading-form.ts'
import { route } from './route.ts'

const tag = 'Live trading'
const params = z.object({ id: PathId })
const money = z.number()

/**
 * `green` trades as planned, and broker and books agreed at `reconciled_at`, which is at most five minutes ago. `yellow` waits
 * for something, `red` refuses to trade until a user acts. `idle` does not run, and nothing was wrong at `reconciled_at`.
 */
const HEALTH_LIGHTS = ['green', 'yellow', 'red', 'idle'] as const

const HealthReport = z.object({
  light: z.enum(HEALTH_LIGHTS),
  /** Faults and waits as sentences; empty when there are none. */
  reasons: z.array(Sentence),
  /** Whether the books agreed with the broker, and when that was last seen. */
  reconciled_at: z.iso.datetime().nullable(),
  books_agree: z.boolean().nullable(),
  /** Whether a process runs it now. */
  is_attended: z.boolean(),
})

const EquityPoint = z.object({
  timestamp: z.iso.datetime(),
  value: money,
  net_contributions: money,
  /** Growth of one dollar that was paid in, without flows. */
  growth: z.number(),
})

/** In the order in which they are measured, each on top of those before it. */
export const DRIFT_CAUSES = [
  'model_version',
  'data_corrected',
  'paused',
  'runs_missed',
  'fees',
  'fill_price',
  'borrow_costs',
  'rounding',
] as const

const Cause = z.object({
  cause: z.enum(DRIFT_CAUSES),
  /** This cause's part of the drift; all together are the drift. */
  drift_pct: z.number(),
  /** The orders behind it, among the fills. */
  client_order_ids: z.array(z.string()),
  /** Sessions whose run was missed, or left out by a pause. */
  days: z.array(z.string()),
})

const Fill = z.object({
  client_order_id: z.string(),
  symbol: z.string(),
  side: z.enum(['buy', 'sell']),
  timestamp: z.iso.datetime(),
  quantity: z.number(),
  price: money,
  /** The newest complete close when it was decided. */
  decision_price: money.nullable(),
  /** The broker's quote when it was decided; null for what was not held. */
  quote: money.nullable(),
  /** The middle of bid and ask right before it was sent; null where the broker had no quote. */
  quote_at_sending: money.nullable(),
  fee: money,
  /** Basis points worse than the first that is known of both quotes, the later one first, and the decision price. */
  cost_bps: z.number().nullable(),
})

const Replay = z.object({
  /** Growth of one dollar in the replayed backtest, at the same days. */
  points: z.array(z.object({ timestamp: z.iso.datetime(), growth: z.number() })),
  /** Live growth minus replayed growth at the last common day, in percent of the first dollar. */
  drift_pct: z.number().nullable(),
  computed_at: z.iso.datetime(),
  error: Sentence.nullable(),
  /** Empty in replays of earlier versions. */
  causes: z.array(Cause),
  /** Newest first. */
  fills: z.array(Fill),
  slippage: z.object({
    /** Slippage of all fills, weighted by traded value; null where none has a price to compare with. */
    cost_bps: z.number().nullable(),
    /** Fees, by traded value; null without fills. */
    fee_bps: z.number().nullable(),
    /** What the backtest assumes for both. */
    assumed_bps: z.number(),
  }),
})

const ModelVersion = z.object({
  /** Counts the models of a deployment from 1. */
  version: z.int(),
  trained_at: z.iso.datetime(),
  /** The last bar before those it decides on; null: it decides on all. */
  decides_after: z.iso.datetime().nullable(),
  /** The model's walk-forward window, counted from 1 as in the backtest's result; null where it is not retrained. */
  window: z.int().nullable(),
  training_start: z.string(),
  training_end: z.string(),
})

const Retraining = z.object({
  schedule: z.enum(RETRAINING_SCHEDULES),
  /** The instant at which the next model can be trained; null when it is trained at once, or never. */
  next_training_at: z.iso.datetime().nullable(),
  /** Why the model that is due could not be trained, as a sentence; the one before goes on deciding. */
  problem: Sentence.nullable(),
})

export const getDeploymentOverview = route({
  method: 'GET',
  path: '/api/deployment/:id/overview',
  access: 'signed in',
  scope: 'read',
  tag,
  summary: 'All that the page of one deployment shows.',
  params,
  answer: Success.extend({
    deployment: Deployment,
    value: money,
    cash: money,
    positions: z.array(
      z.object({
        symbol: z.string(),
        quantity: z.number(),
        price: money.nullable(),
        market_value: money.nullable(),
        /** A part of the value of the deployment. */
        weight: z.number().nullable(),
        /** What the last decision wanted; null where nothing was decided. A position may be wanted and not held. */
        target: z.number().nullable(),
        /** What a share cost on average, without fees. */
        average_cost: money.nullable(),
        /** What it gained since, in dollars. */
        gain: money.nullable(),
      }),
    ),
    equity: z.array(EquityPoint),
    replay: Replay.nullable(),
    next_run_at: z.iso.datetime().nullable(),
    last_decision: Decision.nullable(),
    orders: z.array(OrderView),
    health: HealthReport,
    model: z
      .object({
        trained_at: z.iso.datetime(),
        data_fingerprint: z.string(),
        rows: z.int(),
        training_start: z.string(),
        training_end: z.string(),
        synthetic: z.boolean(),
        /** Every series it learned from that is; empty for models of earlier versions. */
        synthetic_tickers: z.array(z.string()),
        /** The same of the data it learned from. */
        data_notes: z.array(Sentence),
        version: z.int(),
      })
      .nullable(),
    /** All that have decided with the present settings, newest first. */
    model_versions: z.array(ModelVersion),
    retraining: Retraining,
    emergency_stopped: z.boolean(),
  }),
})

const PreviewAnswer = Success.extend({
  decision: Decision,
  orders: z.array(PlannedOrder),
  /** One entry for each ticker that would be traded. */
  volumes: z.array(VolumeShare),
  /** Whether what it trades can be traded now; coins always can. */
  market_open: z.boolean(),
  /** When a running deployment with this schedule is checked next, and would send them; null where it never is. */
  next_check_at: z.iso.datetime().nullable(),
})

export const previewDecision = route({
  method: 'POST',
  path: '/api/deployment/:id/preview',
  access: 'signed in',
  scope: 'research',
  changesNothing: true,
  tag,
  summary: 'What would be decided and traded now. Nothing is sent and nothing is kept.',
  params,
  answer: PreviewAnswer,
})

export const previewNewDeployment = route({
  method: 'POST',
  path: '/api/deployment/preview-new',
  access: 'signed in',
  scope: 'research',
  tag,
  summary:
    'The same for a deployment that is not created yet: the fields of `create`, the name may be missing. A strategy with a ' +
    'model answers 409: its model is trained when it is deployed.',
  body: CreateDeploymentBody,
  answer: PreviewAnswer,
})

const CHECK_OUTCOMES = ['due', 'already_due', 'just_checked', 'market_closed', 'not_a_trading_day'] as const

export const checkDeployment = route({
  method: 'POST',
  path: '/api/deployment/:id/check',
  access: 'signed in',
  scope: 'trade',
  tag,
  summary:
    'Make the next check of a running deployment due at once, in the same way as a scheduled one, at most once a minute. ' +
    'While the market is closed nothing is sent, and the answer says so. What is not running answers 409.',
  params,
  answer: Success.extend({
    outcome: z.enum(CHECK_OUTCOMES),
    message: Sentence,
    next_run_at: z.iso.datetime().nullable(),
  }),
})

/** A simulation of days that have passed; nothing of it is stored with the records of a deployment. */
const MonthReplay = z.object({
  start_date: z.string(),
  end_date: z.string(),
  start_value: money,
  end_value: money,
  points: z.array(z.object({ timestamp: z.iso.datetime(), value: money })),
  /** How often its schedule would have decided. */
  decision_count: z.int(),
  /** Decisions that predicted something else than the one before, and those that traded; newest first. */
  decisions: z.array(
    z.object({
      timestamp: z.iso.datetime(),
      /** `Buy`, `Sell` or `Allocation`. */
      signal_type: z.string(),
      probability: z.number().nullable(),
      traded: z.boolean(),
    }),
  ),
  order_count: z.int(),
  /** Newest first. */
  orders: z.array(
    z.object({
      timestamp: z.iso.datetime(),
      symbol: z.string(),
      side: z.enum(['buy', 'sell']),
      quantity: z.number(),
      price: money,
      value: money,
    }),
  ),
  /** The last day that its model learned from, the day before the replay begins; null without a model. */
  trained_until: z.string().nullable(),
  synthetic_tickers: z.array(z.string()),
})
export type MonthReplay = z.infer<typeof MonthReplay>

export const replayNewDeployment = route({
  method: 'POST',
  path: '/api/deployment/replay-new',
  access: 'signed in',
  scope: 'research',
  tag,
  summary:
    'What a deployment with these fields of `create` would have done in the last month, by the engine of the backtest with the ' +
    'deployment’s schedule and rebalancing. A simulation: nothing is sent and nothing is kept.',
  body: CreateDeploymentBody,
  answer: Success.extend({ replay: MonthReplay }),
})

export const replayDeploymentMonth = route({
  method: 'POST',
  path: '/api/deployment/:id/replay-month',
  access: 'signed in',
  scope: 'research',
  tag,
  summary: 'The same for a deployment, with the capital that it was given.',
  params,
  answer: Success.extend({ replay: MonthReplay }),
})

const StopAnswer = Success.extend({
  message: Sentence,
  stopped: z.int(),
  cancelled_orders: z.int(),
  /** Parts that could not be reached (the database, the broker); orders are held back all the same. */
  problems: z.array(Sentence),
})

export const emergencyStop = route({
  method: 'POST',
  path: '/api/deployment/:id/emergency-stop',
  urgent: true,
  access: 'signed in',
  scope: 'trade',
  tag,
  summary:
    'Stop a deployment at once: no new orders are sent, open orders are cancelled. Works while data or database fail. ' +
    'Positions are kept.',
  params,
  answer: StopAnswer,
})

export const emergencyStopAll = route({
  method: 'POST',
  path: '/api/deployment/emergency-stop',
  urgent: true,
  access: 'signed in',
  scope: 'trade',
  tag,
  summary: 'The same for every deployment of the signed-in user.',
  answer: StopAnswer,
})

const limit = z.number().gt(0).max(100).nullable().optional()

export const setSafety = route({
  method: 'PUT',
  path: '/api/deployment/:id/safety',
  access: 'signed in',
  asksFactor: 'real money',
  scope: 'trade',
  tag,
  summary:
    'Dry run and loss limits, also while it runs. What is left out stays. Ending the dry run of a running deployment with ' +
    'real money answers 400 without the confirmation.',
  params,
  body: z.object({
    dry_run: z.boolean().optional(),
    max_daily_loss_pct: limit,
    max_drawdown_pct: limit,
    loss_action: z.enum(LOSS_ACTIONS, 'A broken loss limit can pause or sell.').optional(),
    /** Where that ends the dry run of a running deployment with real money: the deployment's name. */
    confirmation: Confirmation,
  }),
  answer: Success.extend({ deployment: Deployment }),
})

export const acceptBrokerFigures = route({
  method: 'POST',
  path: '/api/deployment/:id/accept-broker',
  access: 'signed in',
  scope: 'trade',
  tag,
  summary:
    'Resolve a disagreement: take the broker’s positions and cash as true, assigning what changed to the deployments that ' +
    'held it. Shares that nothing took the place of are booked as a loss only with accept_losses; else 409 capital.loss.',
  params,
  body: z.object({ accept_losses: z.boolean().optional() }),
  answer: Success.extend({ message: Sentence }),
})

export const getNotificationSettings = route({
  method: 'GET',
  path: '/api/deployment/notifications',
  access: 'signed in',
  tag,
  summary: 'Whether e-mail is configured on this server.',
  answer: Success.extend({ configured: z.boolean(), from: z.string().nullable() }),
})

export const testNotification = route({
  method: 'POST',
  path: '/api/deployment/notifications/test',
  access: 'signed in',
  tag,
  summary:
    'Send a test e-mail. An address that no owner has confirmed gets a mail with a link instead; notifications follow once ' +
    'it has been opened.',
  body: z.object({ email: z.email('Please enter an e-mail address.').max(320) }),
  answer: Success.extend({ message: Sentence }),
})

export const confirmRecipient = route({
  method: 'POST',
  path: '/api/deployment/notifications/confirm',
  access: 'anyone',
  tag,
  summary: 'Agree to receive notifications of a user, with the token of the link that was sent to the address.',
  body: z.object({ token: z.string('The link is incomplete.').max(200) }),
  answer: Success.extend({ email: z.string() }),
})

export const getDeploymentsAtAGlance = route({
  method: 'GET',
  path: '/api/deployment/glance',
  access: 'signed in',
  scope: 'read',
  tag,
  summary:
    'Whether the US market is open, and of each deployment its light, what it holds against its targets, its last decision ' +
    'and how it fared in the last 30 days.',
  answer: Success.extend({
    market: z.object({ is_open: z.boolean(), next_open: z.iso.datetime(), next_close: z.iso.datetime() }),
    recent: z.array(
      z.object({
        deployment_id: z.int(),
        /** Growth of one dollar since the deployment's start, flows left out: one value a day, oldest first. */
        growth: z.array(z.number()),
      }),
    ),
    deployments: z.array(
      z.object({
        deployment_id: z.int(),
        light: z.enum(HEALTH_LIGHTS),
        /** The largest five. */
        holdings: z.array(
          z.object({ symbol: z.string(), weight: z.number().nullable(), target: z.number().nullable() }),
        ),
        holdings_left_out: z.int(),
        last_decision: z
          .object({ decided_at: z.iso.datetime(), outcome: Decision.shape.outcome, reason: Decision.shape.reason })
          .nullable(),
      }),
    ),
  }),
})
