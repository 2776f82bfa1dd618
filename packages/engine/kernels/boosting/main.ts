// The boosting kernel's exports.
export { clearStop, wasStopped } from '../shared/cancel'
export { setBlockColumns } from './block'
export { setLargeBuffers } from './large-layout'
export { growLargeRound } from './large-tree'
export { setBuffers, setFit, setRoundColumns } from './layout'
export { grownNodes } from './nodes'
export { fillRecords } from './records'
export { growRound } from './tree'
