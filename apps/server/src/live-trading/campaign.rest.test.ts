import {
  FAULTY_PLACES,
  shortThroughRandomFaults,
  SHORT_EXECUTIONS,
  throughRandomFaults,
} from '../../test-support/live/random-faults.ts'

throughRandomFaults(FAULTY_PLACES)
shortThroughRandomFaults(SHORT_EXECUTIONS)
