import { FAULT_SETTINGS, faultTable } from '../../../test-support/live/faults/fault-table.ts'

faultTable([FAULT_SETTINGS.port])
