/**
 * The cell, one per thread, that a task polls whenever it asks whether it is cancelled. It counts: odd is a request to
 * stand still, the even number after it lets the task go on. A thread that was slow to fall asleep sees by the number that
 * a second request came meanwhile, and answers it.
 */
const isParkRequest = (value: number): boolean => (value & 1) === 1

export function requestPark(flag: Int32Array): void {
  const value = Atomics.load(flag, 0)
  if (!isParkRequest(value)) Atomics.store(flag, 0, value + 1)
}

export function letGoOn(flag: Int32Array): void {
  const value = Atomics.load(flag, 0)
  if (isParkRequest(value)) Atomics.store(flag, 0, value + 1)
  Atomics.notify(flag, 0)
}

/** Called on the thread: answers every request, and stands still while the last one holds. */
export function standStill(flag: Int32Array, onParked: (request: number) => void): void {
  for (let value = Atomics.load(flag, 0); isParkRequest(value); value = Atomics.load(flag, 0)) {
    onParked(value)
    Atomics.wait(flag, 0, value)
  }
}
