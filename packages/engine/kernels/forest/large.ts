// The forest kernel for larger fits, whose threads share one memory.
export { configure, recordBytes, recordsOffset } from './scratch'
export { growLargeTree } from './top'
export { setSharedCodes, setThreadLists } from './top-layout'
export { clearStop, wasStopped } from '../shared/cancel'
export { grownNodes } from './tree-nodes'
