import { FAULT_SETTINGS, faultTable } from '../../../test-support/live/faults/fault-table.ts'

const { port: _usual, alpacas, exchange, ...others } = FAULT_SETTINGS

/** With the usual tests, each broker and each number of processes once; LIVE_CAMPAIGN runs all six. */
faultTable([alpacas, exchange, ...(process.env['LIVE_CAMPAIGN'] === undefined ? [] : Object.values(others))])
