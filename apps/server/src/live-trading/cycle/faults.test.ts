import { FAULT_SETTINGS, faultTable } from '../../../test-support/live/faults/fault-table.ts'

// Each order path once behind a real adapter and once with two processes.
faultTable([FAULT_SETTINGS.port, FAULT_SETTINGS.alpacas])
