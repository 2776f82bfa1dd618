/** The WebAssembly forest of this thread: one instance, its memory reused from fit to fit. */
import { neverCancelled } from '../cancellation.ts'
import {
  ensureBytes,
  instantiateKernel,
  type KernelHost,
  type KernelMemory,
  newMemory,
} from '../kernels/instantiate.ts'
import { forestWasm } from '../kernels/forest.wasm.ts'

/** What packages/engine/kernels/forest/main.ts exports. Addresses are byte offsets into the memory. */
export interface ForestExports {
  configure(
    scratch: number,
    columns: number,
    candidates: number,
    minLeaf: number,
    minNode: number,
    bins: number,
    nodes: number,
  ): void
  setBlockStride(stride: number): void
  blockCodesOffset(): number
  labelsOffset(): number
  sumsOffset(): number
  drawsOffset(): number
  growSmallTree(trainRows: number, testRows: number, seed: number, bootstrap: number, outOfBag: number): void
  growSmallTrees(trainRows: number, testRows: number, seed: number, treeFrom: number, treeTo: number): void
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
  grownNodes(): number
  clearStop(): void
  wasStopped(): number
}

export interface ForestKernel {
  readonly memory: KernelMemory
  readonly exports: ForestExports
  readonly host: KernelHost
}

let privateKernel: ForestKernel | null = null

export function newForestKernel(memory: KernelMemory): ForestKernel {
  const host: KernelHost = { isCancelled: neverCancelled }
  return { memory, host, exports: instantiateKernel<ForestExports>(forestWasm, memory, host) }
}

/** This thread's own kernel with at least `bytes` of memory. */
export function threadForestKernel(bytes: number): ForestKernel {
  privateKernel ??= newForestKernel(newMemory(bytes))
  ensureBytes(privateKernel.memory, bytes)
  return privateKernel
}
