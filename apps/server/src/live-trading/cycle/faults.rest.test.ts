import { FAULT_SETTINGS, faultTable } from '../../../test-support/live/faults/fault-table.ts'

const { port, alpacas, exchange, ...others } = FAULT_SETTINGS

/** LIVE_CAMPAIGN runs all that the usual tests leave out. */
faultTable(process.env['LIVE_CAMPAIGN'] === undefined ? [exchange] : [exchange, ...Object.values(others)])
