import type { BacktestForm } from '../form/form.ts'

/** A portfolio to be run, or the benchmark. */
export interface PlannedRun {
  title: string
  isBenchmark: boolean
  form: BacktestForm
}

/** Where the server keeps a run, and the first day it covers. */
interface FinishedRun {
  id: number
  start: string
}

export type RunOutcome = Omit<PlannedRun, 'form'> & ({ id: number } | { error: unknown })

interface Calls {
  /** `step`: which of how many runs, for the progress line. */
  run: (form: BacktestForm, step: string) => Promise<FinishedRun>
  /** An earlier run of a portfolio that was run again. */
  discard: (id: number) => Promise<void>
  /** Whether to go on after a failure; not when the user cancelled. */
  goesOn: () => boolean
}

/**
 * Runs portfolios one after another, all from the same first day: each begins no earlier than those before it could, and
 * those that began too early are run again at the end. Weights that had drifted since an earlier start would otherwise
 * count in the common period. One that fails leaves the others alone.
 */
export async function runOnCommonPeriod(planned: readonly PlannedRun[], calls: Calls): Promise<RunOutcome[]> {
  let common: string | null = null
  const first: (FinishedRun | { error: unknown })[] = []
  for (const [position, { form, title }] of planned.entries()) {
    const step = planned.length > 1 ? `${title} (${position + 1} of ${planned.length})` : title
    const ran = await attempt(() => calls.run(startingAt(form, common), step), calls)
    first.push(ran)
    if ('id' in ran && ran.start > (common ?? form.startDate)) common = ran.start
  }
  const outcomes: RunOutcome[] = []
  for (const [position, { form, title, isBenchmark }] of planned.entries()) {
    const ran = first[position]!
    const isEarly = 'id' in ran && common !== null && ran.start < common
    const last = isEarly
      ? await attempt(() => calls.run(startingAt(form, common), `${title}, from the common start`), calls)
      : ran
    if (isEarly && 'id' in last) await calls.discard(ran.id)
    outcomes.push({ title, isBenchmark, ...('id' in last ? { id: last.id } : last) })
  }
  return outcomes
}

/** The common start is a first close already: no return before it counts. */
const startingAt = (form: BacktestForm, day: string | null): BacktestForm =>
  day === null ? form : { ...form, startDate: day, includeFirstReturn: false }

async function attempt(run: () => Promise<FinishedRun>, { goesOn }: Calls): Promise<FinishedRun | { error: unknown }> {
  try {
    return await run()
  } catch (error) {
    if (!goesOn()) throw error
    return { error }
  }
}
