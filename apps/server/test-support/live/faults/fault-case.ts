import type { DecisionOutcome } from '../../../src/live-trading/decision.ts'
import type { Deployment, DeploymentSettings } from '../../../src/live-trading/deployment.ts'
import type { BrokerStage } from '../broker-stage.ts'
import { INVESTED } from '../live-story.ts'
import type { LiveWorld } from '../live-world.ts'

interface FaultScene {
  readonly world: LiveWorld
  readonly stage: BrokerStage
  readonly deployment: Deployment
  /** All processes poll, so many times, a second apart. */
  readonly beat: (times: number) => Promise<void>
}

/** Something that goes wrong, and how it must end. */
export interface FaultCase {
  readonly fault: string
  readonly settings?: Partial<DeploymentSettings>
  /** It begins when a first decision has been carried out. */
  readonly isInvested?: boolean
  /** Exchanges for coins have no such rule, or our adapter for them no such order type. */
  readonly isOfStocksOnly?: true
  play(scene: FaultScene): Promise<void>
  readonly ends: {
    readonly slice: readonly string[]
    /** Orders that the broker took, those by hand among them. */
    readonly orders: number
    readonly outcome?: DecisionOutcome
    readonly status?: Deployment['status']
    /** Why it does not trade; it does, where nothing is said. */
    readonly health?: RegExp
    /** In the log and in the activity. */
    readonly told: RegExp
  }
}

/** The end of a first decision that was carried out. */
export const decided = { slice: INVESTED, orders: 2, outcome: 'done' } as const

/** Half an hour before the close, and the polls after that. */
export async function decide({ world, beat }: FaultScene, beats = 8): Promise<void> {
  world.toDecision()
  await beat(beats)
}
