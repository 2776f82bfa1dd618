// The boosting kernel's exports.
export { clearStop, wasStopped } from '../shared/cancel'
export { setBlockColumns } from './block'
export { listPlaces, writeChoices } from './divide'
export { setLargeBuffers } from './large-layout'
export { setBuffers, setFit, setRoundColumns } from './layout'
export { grownNodes } from './nodes'
export { fillRecords } from './records'
export { growLargeRound, growRound } from './tree'
