import * as contract from '@tradewright/contract/studies'
import { cancelStudy, findStudy, type OwnStudiesDeps, removeStudy, startStudy } from '../../studies/study-job.ts'
import type { Handle } from '../server/handle.ts'
import { readableRows } from '../answer/readable-rows.ts'
import { readingPlaces } from '../server/reading-places.ts'
import { isSmall } from '../backtests/read-form-task.ts'
import { run as readNow } from './read-form-task.ts'
import { itemToWire, toWire } from './wire.ts'

/** A study of ten thousand variants has a megabyte. */
const READ_AT_ONCE = { each: 12, all: 60 }

interface Deps extends OwnStudiesDeps {
  /** On a thread that does not answer requests. */
  readonly readLargeForm: (sent: Parameters<typeof readNow>[0], owner: string) => Promise<ReturnType<typeof readNow>>
}

export function serveStudies(handle: Handle, deps: Deps): void {
  handle(contract.startStudy, async ({ user, body }) => {
    const sent = { body, now: deps.clock.now().getTime() }
    const planned = isSmall(body.backtest) ? readNow(sent) : await deps.readLargeForm(sent, String(user.id))
    return { success: true as const, study: itemToWire(await startStudy(deps, user.id, planned)) }
  })
  handle(contract.listStudies, async ({ user, request: { log } }) => {
    const rows = await deps.studies.list(user.id)
    const told = { list: 'parameter studies', schema: contract.StudyItem, toWire: itemToWire, log }
    const { entries, ...leftOut } = readableRows(rows, told)
    return { studies: entries, ...leftOut }
  })
  const reservePlace = readingPlaces(READ_AT_ONCE)
  handle(contract.getStudy, async ({ user, params, reply }) => {
    reservePlace(user.id, reply)
    const study = await findStudy(deps, user.id, params.id)
    return toWire(study, study.outcome ? await deps.studies.results(study.id) : [])
  })
  handle(contract.cancelStudy, async ({ user, params }) => ({
    success: true as const,
    study: itemToWire(await cancelStudy(deps, user.id, params.id)),
  }))
  handle(contract.deleteStudy, async ({ user, params }) => {
    await removeStudy(deps, user.id, params.id)
    return { success: true as const }
  })
}
