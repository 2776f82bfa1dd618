// The forest kernel's exports.
export { blockCodesOffset, configure, drawsOffset, labelsOffset, setBlockStride, sumsOffset } from './scratch'
export { growSmallTree, growSmallTrees } from './small-fit'
export { growLargeTree } from './top'
export { setSharedCodes, setThreadLists } from './top-layout'
export { clearStop, wasStopped } from '../shared/cancel'
import { nodeCount } from './tree-nodes'

export function grownNodes(): i32 {
  return nodeCount
}
