import { Problem } from '@tradewright/core/problem'
import { DAY, dayStamp, type EpochDay, epochDayOf, MINUTE } from '@tradewright/core/time'
import type { MonthReplay } from '@tradewright/engine/live/replay-month'
import { findDeployment } from '../control.ts'
import { type DeployForm, draftDeployment } from '../deploy/deploy.ts'
import { dataChoiceOf, type Deployment, trainingRange } from '../deployment.ts'
import type { LiveDeps } from '../deps.ts'
import { withKnownSignals } from '../signals/known-signals.ts'
import { replayRequest } from './replay-request.ts'
import { recipeOf } from '../retraining/recipe.ts'
import { scheduleOf } from '../schedule.ts'

const MONTH_DAYS = 31
/** Prices change during the day; a replay of a month hardly does. */
const RETENTION_MS = 15 * MINUTE
const MAX_CACHED_REPLAYS = 50

export interface DatedReplay extends MonthReplay {
  readonly from: EpochDay
  readonly startValue: number
  /** The last day that its model may have learned from; null without a model. */
  readonly trainedUntil: EpochDay | null
}

interface Kept {
  readonly until: number
  readonly replay: DatedReplay
}

/** Replays of the last month: simulations, kept in memory for a while and never with the records of a deployment. */
export class MonthReplays {
  readonly #deps: LiveDeps
  readonly #kept = new Map<string, Kept>()

  constructor(deps: LiveDeps) {
    this.#deps = deps
  }

  async ofDeployment(userId: number, id: number, signal: AbortSignal): Promise<DatedReplay> {
    return this.#replay(await findDeployment(this.#deps, userId, id), signal)
  }

  async ofForm(userId: number, form: DeployForm, signal: AbortSignal): Promise<DatedReplay> {
    return this.#replay((await draftDeployment(this.#deps, userId, form)).deployment, signal)
  }

  async #replay(deployment: Deployment, signal: AbortSignal): Promise<DatedReplay> {
    const now = this.#deps.clock.now().getTime()
    const key = keyOf(deployment, now)
    const known = this.#kept.get(key)
    if (known && known.until > now) return known.replay
    const replay = await replayOf(this.#deps, deployment, now, signal)
    this.#kept.delete(key)
    this.#kept.set(key, { until: now + RETENTION_MS, replay })
    if (this.#kept.size > MAX_CACHED_REPLAYS) this.#kept.delete(this.#kept.keys().next().value!)
    return replay
  }
}

/** Everything that the replay depends on, but the prices. */
const keyOf = (deployment: Deployment, now: number): string =>
  JSON.stringify([
    deployment.userId,
    dataChoiceOf(deployment.strategy),
    replayRequest(deployment, now),
    recipeOf(deployment),
    [...scheduleOf(deployment).weekdays],
    scheduleOf(deployment),
    capitalOf(deployment),
  ])

const capitalOf = ({ totals }: Deployment): number => totals.net.toNumber()

async function replayOf(
  { signalService, database }: LiveDeps,
  deployment: Deployment,
  now: number,
  signal: AbortSignal,
): Promise<DatedReplay> {
  const { userId, strategy } = deployment
  const startValue = capitalOf(deployment)
  if (!(startValue > 0)) throw new Problem('conflict', 'deployment.no-capital', 'It has no capital to replay with.')
  const from = epochDayOf(now) - MONTH_DAYS
  const trainedUntil = from - 1
  const model = strategy.model && (await trained(signalService, deployment, trainedUntil, signal))
  const question = {
    userId,
    ...dataChoiceOf(strategy),
    request: {
      ...(await withKnownSignals(database, deployment, replayRequest(deployment, now), new Date(now))),
      startValue,
    },
    model,
    schedule: scheduleOf(deployment),
    from,
  }
  const replay = await signalService.replayMonth(question, signal)
  if (!replay) throw new Problem('conflict', 'deployment.no-month', 'There are no prices of the last month to replay.')
  return { ...replay, from, startValue, trainedUntil: model ? trainedUntil : null }
}

/** One model, by the data that was there the day before: it must not know the month that it decides about. */
async function trained(
  signalService: LiveDeps['signalService'],
  deployment: Deployment,
  until: EpochDay,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { strategy, settings, userId } = deployment
  const range = trainingRange(deployment, dayStamp(until) + DAY - 1)
  const { mode, holdoutTrainPct } = settings.training
  const { bytes } = await signalService.train(
    {
      userId,
      request: { ...strategy.request, ...range },
      ...dataChoiceOf(strategy),
      choice: strategy.model!,
      training:
        mode === 'holdout' && settings.retraining !== 'walk_forward'
          ? { mode, trainPct: holdoutTrainPct }
          : { mode: 'full_range' },
      isTrial: true,
    },
    signal,
  )
  return bytes
}
