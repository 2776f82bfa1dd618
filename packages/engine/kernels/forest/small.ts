// The forest kernel for fits of one block. Its memory is its own, so that the compiler knows its size: with shared
// memory every store would look it up.
export {
  configure, drawsOffset, findHighestCodes, labelsOffset, recordBytes, recordsOffset, sumsOffset,
} from './scratch'
export { growSmallTree, growSmallTrees } from './small-fit'
export { clearStop, wasStopped } from '../shared/cancel'
export { grownNodes } from './tree-nodes'
