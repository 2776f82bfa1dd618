import { describe, expect, it } from 'vitest'
import {
  afterControl,
  type ControlAction,
  countsAsAllocated,
  type DeploymentStatus,
  isDeletable,
  isEditable,
} from './deployment-status.ts'

const statuses: DeploymentStatus[] = ['created', 'running', 'paused', 'stopped']
const actions: ControlAction[] = ['start', 'pause', 'resume', 'stop']

describe('the states of a deployment', () => {
  it('move by these actions and no others [LIVE-102] [LIVE-168]', () => {
    const moves = statuses.flatMap((status) =>
      actions.flatMap((action) => {
        try {
          return [`${status} ${action} ${afterControl(status, action)}`]
        } catch (error) {
          expect(error).toMatchObject({ kind: 'conflict', code: 'deployment.move' })
          return []
        }
      }),
    )
    expect(moves).toEqual([
      'created start running',
      'running pause paused',
      'running stop stopped',
      'paused resume running',
      'paused stop stopped',
      'stopped start running',
    ])
  })

  it('count as allocated, may be edited and may be deleted as the specification says [LIVE-101] [LIVE-106]', () => {
    expect(statuses.filter(countsAsAllocated)).toEqual(['created', 'running', 'paused'])
    expect(statuses.filter(isEditable)).toEqual(['created', 'paused', 'stopped'])
    expect(statuses.filter(isDeletable)).toEqual(['created', 'stopped'])
  })
})
