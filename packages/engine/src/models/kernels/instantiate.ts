import type { IsCancelled } from '../cancellation.ts'

/** The part of WebAssembly that the kernels use; the engine compiles without the browser's type library. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows what its module exports
  readonly Instance: new <Exports>(module: object, imports: object) => { readonly exports: Exports }
  readonly Memory: new (size: { initial: number; maximum: number; shared: true }) => KernelMemory
}

/** Memory that several threads may share, each with a kernel instance of its own. */
export interface KernelMemory {
  readonly buffer: SharedArrayBuffer
  /** Returns the size before, in pages. */
  grow(pages: number): number
}

/** What a running kernel asks every few milliseconds of work. */
export interface KernelHost {
  isCancelled: IsCancelled
}

export const PAGE_BYTES = 65_536
const MOST_PAGES = 65_536

const modules = new Map<string, object>()

function moduleOf(base64: string): object {
  let module = modules.get(base64)
  if (module === undefined) {
    module = new WebAssembly.Module(Uint8Array.fromBase64(base64))
    modules.set(base64, module)
  }
  return module
}

export function newMemory(bytes: number): KernelMemory {
  const pages = Math.max(1, Math.ceil(bytes / PAGE_BYTES))
  return new WebAssembly.Memory({ initial: pages, maximum: MOST_PAGES, shared: true })
}

/** Grows the memory to at least `bytes`; never shrinks it, so that fits after the first allocate nothing. */
export function ensureBytes(memory: KernelMemory, bytes: number): void {
  const missing = bytes - memory.buffer.byteLength
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES))
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows what its module exports
export function instantiateKernel<Exports>(base64: string, memory: KernelMemory, host: KernelHost): Exports {
  const imports = { env: { memory }, host: { isCancelled: (visits: number) => Number(host.isCancelled(visits)) } }
  return new WebAssembly.Instance<Exports>(moduleOf(base64), imports).exports
}
