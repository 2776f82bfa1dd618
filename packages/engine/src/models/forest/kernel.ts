/** The WebAssembly forests: of small fits one instance per thread, its memory reused from fit to fit. */
import { neverCancelled } from '../cancellation.ts'
import {
  ensureBytes,
  instantiateKernel,
  type KernelHost,
  type KernelMemory,
  newPrivateMemory,
  type PrivateMemory,
} from '../../kernels/instantiate.ts'
import { forestWasm } from '../../kernels/forest.wasm.ts'
import { smallForestWasm } from '../../kernels/small-forest.wasm.ts'

/** Exports of both forest kernels. Addresses are byte offsets into the memory. */
interface ForestExports {
  configure(
    scratch: number,
    columns: number,
    candidates: number,
    minLeaf: number,
    minNode: number,
    bins: number,
    nodes: number,
  ): void
  /** The size of a block row with this many columns. */
  recordBytes(columns: number): number
  recordsOffset(): number
  grownNodes(): number
  clearStop(): void
  wasStopped(): number
}

/** packages/engine/kernels/forest/small.ts */
interface SmallForestExports extends ForestExports {
  labelsOffset(): number
  sumsOffset(): number
  drawsOffset(): number
  /** To be called after the records of the block are written. */
  findHighestCodes(trainRows: number): void
  growSmallTree(trainRows: number, testRows: number, seed: number, bootstrap: number, outOfBag: number): void
  growSmallTrees(trainRows: number, testRows: number, seed: number, treeFrom: number, treeTo: number): void
}

/** packages/engine/kernels/forest/large.ts */
interface LargeForestExports extends ForestExports {
  setSharedCodes(rows: number, bytesPerRow: number, labels: number): void
  setThreadLists(
    draws: number,
    bagA: number,
    bagB: number,
    routedA: number,
    routedB: number,
    sums: number,
    firstRouted: number,
    stack: number,
    stackEnd: number,
  ): void
  growLargeTree(trainRows: number, testRows: number, seed: number, bootstrap: number, outOfBag: number): void
}

export interface SmallForestKernel {
  readonly memory: PrivateMemory
  readonly exports: SmallForestExports
  readonly host: KernelHost
}

export interface LargeForestKernel {
  readonly memory: KernelMemory
  readonly exports: LargeForestExports
  readonly host: KernelHost
}

export function newLargeForestKernel(memory: KernelMemory): LargeForestKernel {
  const host: KernelHost = { isCancelled: neverCancelled }
  return { memory, host, exports: instantiateKernel(forestWasm, memory, host) }
}

let threadKernel: SmallForestKernel | null = null

/** This thread's own kernel of small fits with at least `bytes` of memory. */
export function threadForestKernel(bytes: number): SmallForestKernel {
  threadKernel ??= newSmallForestKernel(bytes)
  ensureBytes(threadKernel.memory, bytes)
  return threadKernel
}

function newSmallForestKernel(bytes: number): SmallForestKernel {
  const host: KernelHost = { isCancelled: neverCancelled }
  const memory = newPrivateMemory(bytes)
  return { memory, host, exports: instantiateKernel(smallForestWasm, memory, host) }
}
