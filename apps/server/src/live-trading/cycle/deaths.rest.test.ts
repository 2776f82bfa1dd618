import { describe } from 'vitest'
import { deathBookings } from '../../../test-support/live/death-bookings.ts'
import { deathStories } from '../../../test-support/live/death-stories.ts'
import { cutOff } from '../../../test-support/live/deaths.ts'

describe('work that is cut off from its database and its broker', () => {
  deathStories(cutOff, { atExchange: false })
  deathBookings(cutOff)
})
