/** The WebAssembly booster of this thread: one instance, its memory reused from fit to fit. */
import { neverCancelled } from '../cancellation.ts'
import {
  ensureBytes,
  instantiateKernel,
  type KernelHost,
  newPrivateMemory,
  type PrivateMemory,
} from '../../kernels/instantiate.ts'
import { boostingWasm } from '../../kernels/boosting.wasm.ts'

/** Exports of packages/engine/kernels/boosting/main.ts. Addresses are byte offsets into the memory. */
interface BoostingExports {
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
    chunkValues: number,
    scratch: number,
    nodes: number,
  ): void
  setLargeBuffers(
    columnCodes: number,
    places: number,
    records: number,
    bytesPerRecord: number,
    labels: number,
    margins: number,
    listA: number,
    listB: number,
    chunkPlaces: number,
    otherHistograms: number,
    otherThreads: number,
  ): void
  setBlockColumns(columns: number): void
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
  writeChoices(): void
  listPlaces(list: number, count: number): void
  fillRecords(columns: number): void
  growRound(learnedRows: number, routedRows: number): void
  growLargeRound(learnedRows: number, routedRows: number): void
  grownNodes(): number
  clearStop(): void
  wasStopped(): number
}

interface BoostingHost extends KernelHost {
  /** Publishes the histogram at `own`, and lays those of the other threads behind each other from `others` on. */
  exchange: (own: number, bytes: number, others: number) => void
}

export interface BoostingKernel {
  readonly memory: PrivateMemory
  readonly exports: BoostingExports
  readonly host: BoostingHost
}

let threadKernel: BoostingKernel | null = null

export function threadBoostingKernel(bytes: number): BoostingKernel {
  threadKernel ??= newKernel(bytes)
  ensureBytes(threadKernel.memory, bytes)
  return threadKernel
}

function newKernel(bytes: number): BoostingKernel {
  const memory = newPrivateMemory(bytes)
  const host: BoostingHost = { isCancelled: neverCancelled, exchange: () => {} }
  const exchange = (own: number, size: number, others: number) => host.exchange(own, size, others)
  return { memory, host, exports: instantiateKernel<BoostingExports>(boostingWasm, memory, host, { exchange }) }
}
