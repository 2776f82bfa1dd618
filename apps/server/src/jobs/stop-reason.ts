/** Why a run is told to stop; found in `signal.reason`. */
export class StopReason extends Error {
  override readonly name = 'StopReason'
  readonly why: 'cancelled' | 'shutting down' | 'taken over' | 'giving way'

  constructor(why: StopReason['why']) {
    super(`the job's run was stopped: ${why}`)
    this.why = why
  }
}
