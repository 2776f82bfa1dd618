import { expect, it } from 'vitest'
import { CallError } from '../../lib/call-error.ts'
import { catalogueFailed, failedRunText, failedTo, listNotSaved, runFailed } from './messages.ts'

const answered = (serverMessage: string | null, status = 400) => new CallError({ status, code: 'x', serverMessage })

it('names what could not be done with runs and lists [OPT-121..124, LISTS-027]', () => {
  expect(failedTo('delete run', null).text).toBe('Failed to delete optimization run')
  expect(failedTo('delete all runs', null).text).toBe('Failed to delete all optimization runs')
  expect(failedTo('load run', null).text).toBe('Failed to load optimization run')
  expect(failedTo('load seeds', null).text).toBe('Failed to load seed features from optimization run')
  expect(failedTo('delete list', null).text).toBe('Failed to delete list')
})

it("shows the server's error of a run, else that it failed [OPT-125, OPT-126]", () => {
  expect(runFailed(answered('There is no data for FOO.')).text).toBe('There is no data for FOO.')
  expect(runFailed(answered(null, 500)).text).toBe('Optimization failed')
  expect(runFailed(new Error('odd')).text).toBe('Unknown error occurred')
})

it('says why a run has failed, or that the reason is unknown [OPT-068]', () => {
  expect(failedRunText('no rows')).toBe('Optimization failed: no rows')
  expect(failedRunText(null)).toBe('Optimization failed: Unknown error')
})

it("shows the server's error of a list, else that it was not saved [LISTS-026, LISTS-028, LISTS-029]", () => {
  expect(listNotSaved('create', answered('There is a list "Core" already.'))).toEqual({
    kind: 'error',
    text: 'There is a list "Core" already.',
  })
  expect(listNotSaved('update', answered(null, 500))).toMatchObject({
    text: 'Failed to save ticker list',
    detail: 'Failed to update list',
  })
})

it('tells a catalogue that cannot be read from one that did not come [OPT-127, OPT-128]', () => {
  const unreadable = new CallError({ status: 200, code: 'answer.shape', serverMessage: null })
  expect(catalogueFailed('feature', unreadable)).toBe(
    'Error loading feature parameters. Please check the feature configuration.',
  )
  expect(catalogueFailed('target', unreadable)).toBe(
    'Error loading target parameters. Please check the target configuration.',
  )
  expect(catalogueFailed('target', answered(null, 500))).toContain('could not be loaded')
})
