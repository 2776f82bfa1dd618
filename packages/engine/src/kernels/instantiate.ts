/** The part of WebAssembly that the kernels use; the engine compiles without the browser's type library. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows what its module exports
  readonly Instance: new <Exports>(module: object, imports: object) => { readonly exports: Exports }
  readonly Memory: {
    new (size: { initial: number; maximum: number; shared: true }): KernelMemory
    new (size: { initial: number; maximum: number }): PrivateMemory
  }
}

interface Growing {
  /** Returns the size before, in pages. */
  grow(pages: number): number
}

/** Memory that several threads may share, each with a kernel instance of its own. */
export interface KernelMemory extends Growing {
  readonly buffer: SharedArrayBuffer
}

/**
 * Memory of one thread. V8 checks the bounds of stores on Arm, and in memory that another thread might grow it asks for
 * the size before each of them; here it does not. Growing replaces the buffer.
 */
export interface PrivateMemory extends Growing {
  readonly buffer: ArrayBuffer
}

/** Polled by a running kernel every few milliseconds of work. */
export interface KernelHost {
  isCancelled: (visits: number) => boolean
}

export const PAGE_BYTES = 65_536
const MAX_PAGES = 65_536

const modules = new Map<string, object>()

function moduleOf(base64: string): object {
  let module = modules.get(base64)
  if (module === undefined) {
    module = new WebAssembly.Module(Uint8Array.fromBase64(base64))
    modules.set(base64, module)
  }
  return module
}

const pagesOf = (bytes: number) => Math.max(1, Math.ceil(bytes / PAGE_BYTES))

export function newMemory(bytes: number): KernelMemory {
  return new WebAssembly.Memory({ initial: pagesOf(bytes), maximum: MAX_PAGES, shared: true })
}

export function newPrivateMemory(bytes: number): PrivateMemory {
  return new WebAssembly.Memory({ initial: pagesOf(bytes), maximum: MAX_PAGES })
}

/** Grows the memory to at least `bytes`; never shrinks it, so that fits after the first allocate nothing. */
export function ensureBytes(memory: KernelMemory | PrivateMemory, bytes: number): void {
  const missing = bytes - memory.buffer.byteLength
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES))
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows what its module exports
export function instantiateKernel<Exports>(
  base64: string,
  memory: KernelMemory | PrivateMemory,
  host: KernelHost,
  moreOfHost: object = {},
): Exports {
  const isCancelled = (visits: number) => Number(host.isCancelled(visits))
  return instantiate(base64, memory, { isCancelled, ...moreOfHost })
}

/** A kernel that is not polled: `host` has the functions that it calls. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows what its module exports
export function instantiate<Exports>(base64: string, memory: KernelMemory | PrivateMemory, host: object): Exports {
  return new WebAssembly.Instance<Exports>(moduleOf(base64), { env: { memory }, host }).exports
}
