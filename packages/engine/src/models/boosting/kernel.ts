/** The WebAssembly booster of this thread: one instance, its memory reused from fit to fit. */
import { neverCancelled } from '../cancellation.ts'
import {
  ensureBytes,
  instantiateKernel,
  type KernelHost,
  type KernelMemory,
  newMemory,
} from '../kernels/instantiate.ts'
import { boostingWasm } from '../kernels/boosting.wasm.ts'

/** What packages/engine/kernels/boosting/main.ts exports. Addresses are byte offsets into the memory. */
export interface BoostingExports {
  setBuffers(
    rows: number,
    bytesPerRow: number,
    labels: number,
    margins: number,
    gradients: number,
    placesA: number,
    placesB: number,
    roundColumns: number,
    histograms: number,
    sortScratch: number,
    nodes: number,
  ): void
  setFit(
    trainRows: number,
    bins: number,
    scale: number,
    eta: number,
    lambda: number,
    minGain: number,
    minChildWeight: number,
    maxDepth: number,
  ): void
  setRoundColumns(count: number, all: number): void
  growRound(learnedRows: number, routedRows: number): void
  grownNodes(): number
  clearStop(): void
  wasStopped(): number
}

interface BoostingKernel {
  readonly memory: KernelMemory
  readonly exports: BoostingExports
  readonly host: KernelHost
}

let threadKernel: BoostingKernel | null = null

export function threadBoostingKernel(bytes: number): BoostingKernel {
  if (threadKernel === null) {
    const memory = newMemory(bytes)
    const host: KernelHost = { isCancelled: neverCancelled }
    threadKernel = { memory, host, exports: instantiateKernel<BoostingExports>(boostingWasm, memory, host) }
  }
  ensureBytes(threadKernel.memory, bytes)
  return threadKernel
}
