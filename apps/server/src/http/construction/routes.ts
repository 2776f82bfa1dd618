import * as contract from '@tradewright/contract/construction'
import {
  cancelConstruction,
  findConstruction,
  type OwnConstructionsDeps,
  removeConstruction,
  startConstruction,
} from '../../construction/own-constructions.ts'
import { readableRows } from '../answer/readable-rows.ts'
import type { Handle } from '../server/handle.ts'
import { toDomain } from './form.ts'
import { itemToWire, toWire } from './wire.ts'

export function serveConstructions(handle: Handle, deps: OwnConstructionsDeps): void {
  handle(contract.startConstruction, async ({ user, body }) => ({
    success: true as const,
    construction: itemToWire(await startConstruction(deps, user.id, toDomain(body))),
  }))
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
