import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../test-database.ts'
import { type LiveWorld, liveWorld, type WorldSettings } from './live-world.ts'

/** Gives each test of a file a world of its own, all of them on one database. */
export function eachInAWorld(enter: (world: LiveWorld) => void, settings: Omit<WorldSettings, 'database'> = {}): void {
  let database: TestDatabase
  let world: LiveWorld
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  beforeEach(async () => {
    world = await liveWorld({ database, ...settings })
    enter(world)
  })
  afterEach(() => world.close())
  afterAll(() => database.close())
}
