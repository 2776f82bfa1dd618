import { describe } from 'vitest'
import { deathBookings } from '../../../test-support/live/death-bookings.ts'
import { killed } from '../../../test-support/live/deaths.ts'

describe('by kill -9', () => deathBookings(killed))
