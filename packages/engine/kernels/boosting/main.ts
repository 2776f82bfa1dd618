// The boosting kernel's exports.
export { clearStop, wasStopped } from '../shared/cancel'
export { setBuffers, setFit, setRoundColumns } from './layout'
export { grownNodes, growRound } from './tree'
