import { describe, expect, it } from 'vitest'
import { CallError, UNREACHABLE } from '../../lib/call-error.ts'
import {
  contributionFailed,
  controlled,
  created,
  createFailed,
  detailsFailed,
  disallocated,
  disallocationFailed,
  failedTo,
  recorded,
  UPDATED,
} from './messages.ts'

const refusal = (serverMessage: string | null, answer?: unknown) =>
  new CallError({ status: 409, code: 'x', serverMessage, answer })
const unreachable = new CallError({ status: 0, code: 'network', serverMessage: null })

describe('what is told after a try', () => {
  it('names what failed and the reason [LIVE-177, LIVE-179, LIVE-181, LIVE-182, LIVE-185]', () => {
    expect(failedTo('pause', refusal('It is not running.')).text).toBe('Failed to pause deployment: It is not running.')
    expect(failedTo('delete', refusal('It runs.')).text).toBe('Failed to delete deployment: It runs.')
    expect(failedTo('load', unreachable).text).toBe(`Failed to load deployment: ${UNREACHABLE}`)
    expect(failedTo('update', refusal('Too late.')).text).toBe('Failed to update deployment: Too late.')
    expect(createFailed(refusal('No cash.')).text).toBe('Failed to create deployment: No cash.')
  })

  it('says what went well [LIVE-178, LIVE-184, LIVE-186, LIVE-190, LIVE-191]', () => {
    expect(controlled('resume')).toMatchObject({ kind: 'success', text: 'Deployment resume successful' })
    expect(created({ status: 'created', next_run_at: null })).toMatchObject({
      text: 'Deployment created successfully!',
      detail: null,
    })
    expect(created({ status: 'running', next_run_at: '2026-11-17T20:00:00Z' }).detail).toMatch(
      /^The first check is on 17 Nov 2026, 3:00 PM EST\. Check now/,
    )
    expect(UPDATED.text).toBe('Deployment updated successfully!')
    expect(recorded('CONTRIBUTION').text).toBe('Contribution recorded successfully.')
    expect(recorded('WITHDRAWAL').text).toBe('Withdrawal recorded successfully.')
  })

  it('lists positions that belong to others already [LIVE-183]', () => {
    const conflicts = [{ symbol: 'AAPL', available_quantity: 0 }, { symbol: 'SPY' }]
    expect(createFailed(refusal('Not free.', { conflicts })).text).toBe(
      'Cannot contribute positions: AAPL, SPY are already allocated to other deployments. ' +
        'Please deselect these positions or choose different ones. Not free.',
    )
  })

  it('falls back to a sentence of its own about capital [LIVE-187..189, LIVE-192]', () => {
    expect(detailsFailed(refusal('Gone.'))).toBe('Gone.')
    expect(detailsFailed(refusal(null))).toBe('Unable to load capital details')
    expect(detailsFailed(unreachable)).toBe('Failed to load capital details')
    expect(contributionFailed(unreachable).text).toBe('Failed to record contribution')
    expect(disallocationFailed(unreachable).text).toBe('Failed to record disallocation')
    expect(disallocationFailed(refusal('Too small.')).text).toBe('Too small.')
  })

  it('sums a disallocation up [LIVE-193]', () => {
    const summary = { disallocation_pct: 12.5, disallocation_amount: 1250, new_total: 8750 }
    expect(disallocated(summary, 'USD').text).toBe(
      'Disallocation recorded: 12.5% ($1,250.00) removed from current capital. New total: $8,750.00.',
    )
  })
})
