/** Who caused an event of a deployment. Plain data: it is kept with the event. */
export interface Actor {
  /** `schedule`: a run of the deployment; `system`: the program itself. */
  readonly kind: 'user' | 'schedule' | 'system'
  /** A user's name, or the kind. */
  readonly name: string
  /** A user's session in words: device, address and sign-in, or the part of the program that was asked. Never a token. */
  readonly session: string | null
}

export const SCHEDULE: Actor = { kind: 'schedule', name: 'schedule', session: null }
export const SYSTEM: Actor = { kind: 'system', name: 'system', session: null }

export const actorInWords = ({ name, session }: Actor): string => (session === null ? name : `${name}, ${session}`)
