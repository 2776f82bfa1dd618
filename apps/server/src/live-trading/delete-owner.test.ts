import { expect, it } from 'vitest'
import { eachInAWorld } from '../../test-support/live/each-in-a-world.ts'
import type { LiveWorld } from '../../test-support/live/live-world.ts'
import { createUserStore } from '../stores/auth/users.ts'

let world: LiveWorld
eachInAWorld((opened) => {
  world = opened
})

const removeOwner = () => createUserStore(world.database.database).remove(world.userId, ['created', 'stopped'])
const setStatus = (status: string) => world.database.database.updateTable('deployments').set('status', status)

it('keeps the owner of a deployment that is started at the same moment', async () => {
  const { id, name } = await world.deployed()
  await setStatus('stopped').where('id', '=', id).execute()
  const start = await world.database.database.startTransaction().execute()
  await start.updateTable('deployments').set('status', 'running').where('id', '=', id).execute()
  const removal = removeOwner()
  await start.commit().execute()
  expect(await removal).toEqual([name])

  await setStatus('stopped').where('id', '=', id).execute()
  expect(await removeOwner()).toEqual([])
  expect(await world.database.database.selectFrom('deployments').select('id').where('id', '=', id).execute()).toEqual(
    [],
  )
})
