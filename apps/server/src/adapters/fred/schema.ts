import { z } from 'zod'

const Observation = z.object({ realtime_start: z.string(), date: z.string(), value: z.string() })

export const FredObservations = z.object({ count: z.number(), observations: z.array(Observation) })

/** An unknown series and a wrong key are both HTTP 400; only the words tell them apart. */
export const FredRefusal = z.object({ error_code: z.number(), error_message: z.string() })

export type FredObservation = z.infer<typeof Observation>
