import { describe } from 'vitest'
import { deathStories } from '../../../test-support/live/death-stories.ts'
import { killed } from '../../../test-support/live/deaths.ts'

describe('by kill -9', () => deathStories(killed, { atExchange: true }))
