import * as contract from '@tradewright/contract/construction'
import {
  cancelConstruction,
  findConstruction,
  type OwnConstructionsDeps,
  removeConstruction,
  startConstruction,
} from '../../construction/construction.ts'
import { readableRows } from '../answer/readable-rows.ts'
import type { Handle } from '../server/handle.ts'
import { isSmall } from '../backtests/read-form-task.ts'
import { run as readNow } from './read-form-task.ts'
import { itemToWire, toWire } from './wire.ts'

interface Deps extends OwnConstructionsDeps {
  /** On a thread that does not answer requests. */
  readonly readLargeForm: (sent: Parameters<typeof readNow>[0], owner: string) => Promise<ReturnType<typeof readNow>>
}

export function serveConstructions(handle: Handle, deps: Deps): void {
  handle(contract.startConstruction, async ({ user, body }) => {
    const sent = { body, now: deps.clock.now().getTime() }
    const planned = isSmall(body.backtest) ? readNow(sent) : await deps.readLargeForm(sent, String(user.id))
    return { success: true as const, construction: itemToWire(await startConstruction(deps, user.id, planned)) }
  })
  handle(contract.listConstructions, async ({ user, request: { log } }) => {
    const rows = await deps.constructions.list(user.id)
    const told = { list: 'portfolio constructions', schema: contract.ConstructionItem, toWire: itemToWire, log }
    const { entries, ...leftOut } = readableRows(rows, told)
    return { constructions: entries, ...leftOut }
  })
  handle(contract.getConstruction, async ({ user, params }) => toWire(await findConstruction(deps, user.id, params.id)))
  handle(contract.cancelConstruction, async ({ user, params }) => ({
    success: true as const,
    construction: itemToWire(await cancelConstruction(deps, user.id, params.id)),
  }))
  handle(contract.deleteConstruction, async ({ user, params }) => {
    await removeConstruction(deps, user.id, params.id)
    return { success: true as const }
  })
}
