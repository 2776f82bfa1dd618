import { describe, expect, it } from 'vitest'
import { CallError, UNREACHABLE } from '../../lib/call-error.ts'
import { backtestFailed, failedTo, InvalidJsonError } from './messages.ts'

const refused = (statusText: string) =>
  new CallError({ status: 400, statusText, code: 'x', serverMessage: 'There is no data for FOO.' })

describe('a failed run', () => {
  it('is named by its status text, with the reason of the server beside it [BT-155]', () => {
    expect(backtestFailed(refused('Bad Request'))).toMatchObject({
      text: 'Backtest failed: Bad Request',
      detail: 'There is no data for FOO.',
    })
  })

  it('says what to do where the server gave no reason', () => {
    const failed = (status: number) => backtestFailed(new CallError({ status, code: 'x', serverMessage: null })).detail
    expect(failed(503)).toContain('wait a minute, then run the backtest again')
    expect(failed(500)).toContain('run the backtest again')
  })

  it('is named by its code where there is no status text [BT-155]', () => {
    expect(backtestFailed(refused('')).text).toBe('Backtest failed: 400')
  })

  it('offers what can be done about missing or mixed prices, and nothing for other refusals', () => {
    const coded = (code: string) => backtestFailed(new CallError({ status: 400, code, serverMessage: 'No.' }))
    expect(coded('backtest.no-data').offers).toEqual(['retry', 'import'])
    expect(coded('backtest.mixed-prices').offers).toEqual(['retry', 'import', 'mix'])
    expect(coded('backtest.dates').offers).toBeUndefined()
  })

  it('shows the first 300 characters of an answer that is no JSON [BT-156]', () => {
    const text = backtestFailed(new InvalidJsonError(`<html>${'x'.repeat(400)}`)).text
    expect(text).toBe(`Backtest returned invalid JSON (first 300 chars): <html>${'x'.repeat(294)}`)
  })

  it('otherwise shows the message, or that there is none [BT-157]', () => {
    expect(backtestFailed(new CallError({ status: 0, code: 'network', serverMessage: null })).text).toBe(UNREACHABLE)
    expect(backtestFailed(new Error('')).text).toBe('Unknown error occurred')
    expect(backtestFailed('odd').text).toBe('Unknown error occurred')
  })
})

it('names what could not be done with a saved backtest [BT-153, BT-154]', () => {
  expect(failedTo('delete backtest', null).text).toBe('Failed to delete backtest')
  expect(failedTo('load backtest', null).text).toBe('Failed to load saved backtest')
})

it('names what could not be done with a strategy; the Studio saves one only by a run [STRAT-057]', () => {
  expect(failedTo('load strategy', null).text).toBe('Failed to load strategy details')
  expect(failedTo('delete strategy', null).text).toBe('Failed to delete strategy')
  expect(failedTo('load strategy results', null).text).toBe('Failed to load strategy results')
})
