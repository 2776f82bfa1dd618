import { getPriority } from 'node:os'
import { describe, expect, it } from 'vitest'
import type { Misbehaviour } from '../../test-support/compute/misbehave.ts'
import type { tasks as testTasks } from '../../test-support/compute/tasks.ts'
import type { Lane } from './schedule.ts'
import { createComputePool, type ComputePool } from './compute-pool.ts'
import type { PoolSettings } from './shared-threads.ts'

type TestPool = ComputePool<typeof testTasks> & AsyncDisposable

const registry = new URL('../../test-support/compute/tasks.ts', import.meta.url)
function openPool(settings: Partial<PoolSettings> & { threads: number }): TestPool {
  const pool = createComputePool<typeof testTasks>({ registry, ...settings })
  return { ...pool, [Symbol.asyncDispose]: () => pool.close() }
}

const ann = { owner: 'ann' }
const bob = { owner: 'bob' }

function sharedColumn(values: Iterable<number>): Float64Array {
  const all = [...values]
  const column = new Float64Array(new SharedArrayBuffer(8 * all.length))
  column.set(all)
  return column
}

const sharedFlag = (value: number) => new Int32Array(new SharedArrayBuffer(4)).fill(value)

/** A misbehaving task, and a promise for the moment in which it is under way. */
function misbehave(pool: TestPool, how: Misbehaviour, signal?: AbortSignal) {
  const begun = new Int32Array(new SharedArrayBuffer(4))
  const ended = pool.run('misbehave', { how, begun }, { ...ann, ...(signal && { signal }) })
  const waiting = Atomics.waitAsync(begun, 0, 0)
  return { ended, begun: Promise.resolve(waiting.value) }
}

describe('compute pool', () => {
  it('gives the same bits for any number of threads, in order', async () => {
    const column = sharedColumn(Array.from({ length: 10_000 }, (_, i) => 1 / (i + 1) ** 1.5))
    const chunks = Array.from({ length: 37 }, (_, i) => ({
      column,
      from: Math.floor((i * 10_000) / 37),
      to: Math.floor(((i + 1) * 10_000) / 37),
    }))
    const totals: number[][] = []
    for (const threads of [1, 2, 3]) {
      await using pool = openPool({ threads })
      totals.push((await Promise.all(chunks.map((chunk) => pool.run('sum', chunk, ann)))).map(({ sum }) => sum))
    }
    expect(totals[1]).toEqual(totals[0])
    expect(totals[2]).toEqual(totals[0])
    expect(totals[0]).toEqual(chunks.map(({ from, to }) => column.slice(from, to).reduce((sum, x) => sum + x, 0)))
  })

  it('runs its first task on the thread that was prepared for it', async () => {
    await using prepared = openPool({ threads: 2 })
    await using later = openPool({ threads: 2 })
    const passed = { open: sharedFlag(1), arrived: sharedFlag(0), number: 1 }
    prepared.prepare(['gate'])
    const threadOf = async (pool: TestPool) => (await pool.run('gate', passed, ann)).thread
    const youngest = await threadOf(later)
    // Threads are numbered in the order in which they start.
    expect(await threadOf(prepared)).toBeLessThan(youngest)
  })

  it.each([1, 2])('keeps the threads of long runs from one piece to the next, of %i threads', async (threads) => {
    await using pool = openPool({ threads, readyTasks: ['sum'] })
    const passed = { open: sharedFlag(1), arrived: sharedFlag(0), number: 1 }
    const used = new Set<number>()
    for (let round = 0; round < 3; round++) {
      const pieces = Array.from({ length: threads }, () => pool.run('gate', passed, { ...ann, lane: 'long' }))
      for (const { thread } of await Promise.all(pieces)) used.add(thread)
    }
    expect(used.size).toBe(threads)
  })

  it('shares columns on shared memory and moves the others, copying neither', async () => {
    await using pool = openPool({ threads: 1 })
    const shared = await pool.run('sum', { column: sharedColumn([1, 2, 3]), from: 0, to: 3 }, ann)
    expect(shared).toEqual({ sum: 6, isShared: true })
    const column = Float64Array.of(1, 2, 3)
    const filled = await pool.run('fill', { column, by: 10 }, { ...ann, transfer: [column.buffer] })
    expect(column.buffer.detached).toBe(true)
    expect(filled).toEqual(Float64Array.of(11, 12, 13))
  })

  it('reports progress', async () => {
    await using pool = openPool({ threads: 2 })
    const column = sharedColumn([1])
    const fractions: number[] = []
    await pool.run('sum', { column, from: 0, to: 1 }, { ...ann, onProgress: (fraction) => fractions.push(fraction) })
    expect(fractions).toEqual([1])
  })

  it('keeps a Problem a Problem, and an error its message', async () => {
    await using pool = openPool({ threads: 1 })
    await expect(misbehave(pool, 'refuse').ended).rejects.toMatchObject({
      name: 'Problem',
      kind: 'invalid',
      code: 'rows.none',
      message: 'There are no rows to learn from.',
    })
    await expect(misbehave(pool, 'throw').ended).rejects.toThrow('index 7 of 5')
  })

  it('refuses a payload that cannot travel, and goes on', async () => {
    await using pool = openPool({ threads: 1 })
    const column = sharedColumn([5])
    const impossible = { column, from: 0, to: () => 1 } as never
    await expect(pool.run('sum', impossible, ann)).rejects.toThrow('could not be cloned')
    expect(await pool.run('sum', { column, from: 0, to: 1 }, ann)).toMatchObject({ sum: 5 })
  })
})

describe('a thread that dies', () => {
  it.each([
    ['exit', 'the compute thread ended in the middle of its task'],
    ['run out of memory', 'the compute thread crashed'],
  ] as const)('takes only its own task with it: %s', async (how, message) => {
    await using pool = openPool({ threads: 1, resourceLimits: { maxOldGenerationSizeMb: 32 } })
    const dying = misbehave(pool, how)
    const column = sharedColumn([2, 3])
    const next = pool.run('sum', { column, from: 0, to: 2 }, ann)
    await expect(dying.ended).rejects.toThrow(message)
    expect(await next).toMatchObject({ sum: 5 })
  })
})

describe('cancel', () => {
  it.each(['loop politely', 'loop rudely'] as const)('ends a task that would %s, and the pool goes on', async (how) => {
    await using pool = openPool({ threads: 1 })
    const controller = new AbortController()
    const task = misbehave(pool, how, controller.signal)
    await task.begun
    controller.abort(new Error('the user pressed cancel'))
    await expect(task.ended).rejects.toThrow('the user pressed cancel')
    const column = sharedColumn([4])
    expect(await pool.run('sum', { column, from: 0, to: 1 }, ann)).toMatchObject({ sum: 4 })
  })

  it('takes a waiting task out of the queue', async () => {
    await using pool = openPool({ threads: 1 })
    const first = new AbortController()
    const second = new AbortController()
    const running = misbehave(pool, 'loop politely', first.signal)
    const waiting = misbehave(pool, 'loop politely', second.signal)
    await running.begun
    second.abort(new Error('no longer'))
    await expect(waiting.ended).rejects.toThrow('no longer')
    first.abort(new Error('nor this'))
    await expect(running.ended).rejects.toThrow('nor this')
  })
})

describe('lanes', () => {
  const logOf = (places: number) => new Int32Array(new SharedArrayBuffer(4 * places))
  /** Work of Ann's that never ends by itself, under way on every thread. */
  async function endless(pool: TestPool, lane: Lane, count = 1, how: Misbehaviour = 'loop politely') {
    const controller = new AbortController()
    const begun = Array.from({ length: count }, () => new Int32Array(new SharedArrayBuffer(4)))
    const ended = begun.map((cell) =>
      pool.run('misbehave', { how, begun: cell }, { ...ann, lane, signal: controller.signal }),
    )
    for (const cell of begun) await Atomics.waitAsync(cell, 0, 0).value
    return {
      async stop() {
        controller.abort(new Error('enough'))
        await Promise.all(ended.map((one) => expect(one).rejects.toThrow('enough')))
      },
    }
  }

  it.each([
    ['long', 'interactive', 1],
    ['long', 'live', 2],
    ['interactive', 'live', 1],
  ] as const)(
    'endless work of the %s lane gives its thread to a task of the %s lane, on %i threads',
    async (low, high, threads) => {
      await using pool = openPool({ threads })
      const running = await endless(pool, low, threads)
      const log = logOf(4)
      await pool.run('note', { number: 7, log }, { ...bob, lane: high })
      await pool.run('note', { number: 8, log }, { ...ann, lane: high })
      expect([...log.subarray(1, 3)]).toEqual([7, 8])
      await running.stop()
    },
  )

  it.each([1, 2])('urgent work does not wait for long runs that cannot be parked, on %i threads', async (threads) => {
    await using pool = openPool({ threads })
    const running = await endless(pool, 'long', threads, 'loop rudely')
    const log = logOf(4)
    const urgent = [7, 8].map((number) => pool.run('note', { number, log }, { ...bob, lane: 'interactive' }))
    await Promise.all(urgent)
    expect(new Set(log.subarray(1, 3))).toEqual(new Set([7, 8]))
    await running.stop()
  })

  it('of the same lane, another owner gets a turn of endless work', async () => {
    await using pool = openPool({ threads: 1, quantumMs: 1 })
    const running = await endless(pool, 'long')
    const log = logOf(2)
    await pool.run('note', { number: 7, log }, { ...bob, lane: 'long' })
    expect(log[1]).toBe(7)
    await running.stop()
  })

  it.skipIf(process.platform !== 'linux')('long runs have a lower priority than the others', async () => {
    await using pool = openPool({ threads: 1 })
    const own = getPriority()
    expect(await pool.run('priority', undefined, { ...ann, lane: 'interactive' })).toBe(own)
    expect(await pool.run('priority', undefined, { ...ann, lane: 'long' })).toBeGreaterThan(own)
  })

  it('the figures of work that stood still are the same', async () => {
    await using pool = openPool({ threads: 1, quantumMs: 1 })
    const counted = pool.run('count', { to: 3_000 }, { ...ann, lane: 'long' })
    const log = logOf(40)
    for (let number = 1; number <= 30; number++) await pool.run('note', { number, log }, { ...bob, lane: 'live' })
    expect(await counted).toBe(3_000)
    expect(log[0]).toBe(30)
  })

  it('work that stands still can be cancelled, and the pool closed', async () => {
    const pool = openPool({ threads: 1, quantumMs: 1 })
    const lower = await endless(pool, 'long')
    const upper = pool.run('misbehave', { how: 'loop politely', begun: logOf(1) }, { ...bob, lane: 'live' })
    await pool.run('note', { number: 1, log: logOf(2) }, { owner: 'cid', lane: 'live' })
    await lower.stop()
    const another = pool.run('misbehave', { how: 'loop politely', begun: logOf(1) }, { ...ann, lane: 'long' })
    const ended = Promise.all([
      expect(another).rejects.toThrow('closed'),
      expect(upper).rejects.toThrow('the compute thread ended'),
    ])
    await pool.close()
    await ended
  })
})

describe('owners', () => {
  it('are told when too much is waiting', async () => {
    await using pool = openPool({ threads: 1, queueLimit: 1 })
    const controller = new AbortController()
    const running = misbehave(pool, 'loop politely', controller.signal)
    const waiting = misbehave(pool, 'loop politely', controller.signal)
    await expect(misbehave(pool, 'loop politely').ended).rejects.toMatchObject({
      kind: 'limited',
      code: 'compute.busy',
    })
    controller.abort(new Error('stop'))
    await Promise.allSettled([running.ended, waiting.ended])
  })
})

describe('shared work', () => {
  const cell = () => new Int32Array(new SharedArrayBuffer(4))
  const gatesOf = (count: number) => {
    const arrived = cell()
    return { arrived, gates: Array.from({ length: count }, (_, number) => ({ open: cell(), arrived, number })) }
  }
  const openUp = (gates: { open: Int32Array }[]) => {
    for (const { open } of gates) {
      Atomics.store(open, 0, 1)
      Atomics.notify(open, 0)
    }
  }
  /** Until so many have come to a gate, whichever it is. */
  async function arrivals(arrived: Int32Array, count: number): Promise<void> {
    for (let now = Atomics.load(arrived, 0); now < count; now = Atomics.load(arrived, 0)) {
      await Atomics.waitAsync(arrived, 0, now).value
    }
  }

  it('is done by idle threads too, and comes back in order', async () => {
    await using pool = openPool({ threads: 2 })
    const { arrived, gates } = gatesOf(4)
    const sharing = pool.run('mapOnThreads', { gates, helpersDie: false }, ann)
    // Both threads stand at a gate at once.
    await arrivals(arrived, 2)
    openUp(gates)
    const done = await sharing
    expect(done.map(({ number }) => number)).toEqual([0, 1, 2, 3])
    expect(new Set(done.map(({ thread }) => thread)).size).toBe(2)
  })

  it('is done alone where no thread is idle', async () => {
    await using pool = openPool({ threads: 1 })
    const { gates } = gatesOf(3)
    openUp(gates)
    const done = await pool.run('mapOnThreads', { gates, helpersDie: false }, ann)
    expect(done.map(({ number }) => number)).toEqual([0, 1, 2])
  })

  it('gives a thread back as soon as a task of its own waits', async () => {
    await using pool = openPool({ threads: 2 })
    const { arrived, gates } = gatesOf(3)
    const sharing = pool.run('mapOnThreads', { gates, helpersDie: false }, ann)
    await arrivals(arrived, 2)
    const log = new Int32Array(new SharedArrayBuffer(4 * 4))
    const waiting = pool.run('note', { number: 7, log }, bob)
    // The thread at the second gate is the helper; the first is held by the task itself.
    openUp(gates.slice(1, 2))
    await waiting
    expect(log[1]).toBe(7)
    openUp(gates)
    expect((await sharing).map(({ number }) => number)).toEqual([0, 1, 2])
  })

  it('loses nothing when a helper dies in the middle', async () => {
    await using pool = openPool({ threads: 2 })
    const { arrived, gates } = gatesOf(3)
    const sharing = pool.run('mapOnThreads', { gates, helpersDie: true }, ann)
    await arrivals(arrived, 2)
    openUp(gates)
    expect((await sharing).map(({ number }) => number)).toEqual([0, 1, 2])
  })

  it('ends with the task that shared it', async () => {
    await using pool = openPool({ threads: 2 })
    const { arrived, gates } = gatesOf(2)
    const controller = new AbortController()
    const sharing = pool.run('mapOnThreads', { gates, helpersDie: false }, { ...ann, signal: controller.signal })
    await arrivals(arrived, 2)
    controller.abort(new Error('enough'))
    await expect(sharing).rejects.toThrow('enough')
    openUp(gates)
    const column = sharedColumn([4])
    expect(await pool.run('sum', { column, from: 0, to: 1 }, ann)).toMatchObject({ sum: 4 })
  })
})
