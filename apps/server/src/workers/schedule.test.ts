import { describe, expect, it } from 'vitest'
import { type Lane, Schedule, type Work } from './schedule.ts'

interface Named extends Work {
  readonly name: string
}

const always = () => true

/** A pool of threads on a clock of its own: a turn is taken whenever the schedule asks for it. */
class Threads {
  readonly schedule = new Schedule<Named>()
  readonly #count: number
  readonly running: Named[] = []
  now = 0

  constructor(count: number) {
    this.#count = count
  }

  add(name: string, owner: string, lane: Lane): Named {
    const work = { name, owner, lane, usedMs: 0 }
    this.schedule.add(work, this.now)
    this.arrange()
    return work
  }

  end(work: Named): void {
    this.running.splice(this.running.indexOf(work), 1)
    this.schedule.end(work, this.now)
    this.arrange()
  }

  pass(ms: number): void {
    this.now += ms
    this.arrange()
  }

  arrange(): void {
    for (const work of this.schedule.givingWay(this.now, new Set(), 0, always)) {
      if (this.running.length < this.#count) break
      this.running.splice(this.running.indexOf(work), 1)
      this.schedule.pause(work, this.now)
    }
    while (this.running.length < this.#count) {
      const work = this.schedule.next(this.now, always)
      if (!work) return
      this.schedule.begin(work, this.now)
      this.running.push(work)
    }
  }

  /** Which work has the threads in the turns to come. */
  turns(count: number, ms = 250): string[] {
    return Array.from({ length: count }, () => {
      const names = this.running.map(({ name }) => name).join('+')
      this.pass(ms)
      return names
    })
  }
}

describe('the schedule of the threads', () => {
  it('gives a thread to live trading first, then to short work, then to long runs', () => {
    const threads = new Threads(1)
    const first = threads.add('evaluation', 'ann', 'long')
    const backtest = threads.add('backtest', 'bob', 'interactive')
    const decision = threads.add('decision', 'cid', 'live')
    expect(threads.running).toEqual([decision])
    threads.end(decision)
    expect(threads.running).toEqual([backtest])
    threads.end(backtest)
    expect(threads.running).toEqual([first])
  })

  it('never makes more urgent work wait, however many threads long runs have', () => {
    const threads = new Threads(2)
    for (let i = 0; i < 150; i++) threads.add(`evaluation ${i}`, 'ann', 'long')
    const backtest = threads.add('backtest', 'bob', 'interactive')
    expect(threads.running).toContain(backtest)
  })

  it('lets owners take turns by the time they used, not by how much they queue', () => {
    const threads = new Threads(1)
    for (let i = 0; i < 20; i++) threads.add('ann', 'ann', 'long')
    threads.add('bob', 'bob', 'long')
    expect(threads.turns(20).filter((name) => name === 'bob')).toHaveLength(10)
  })

  it('counts time, not pieces: who has short pieces gets more of them', () => {
    const threads = new Threads(1)
    const pieceMs = { ann: 240, bob: 60 }
    const done = { ann: 0, bob: 0 }
    for (const owner of ['ann', 'bob']) for (let i = 0; i < 200; i++) threads.add(owner, owner, 'long')
    for (let i = 0; i < 100; i++) {
      const [work] = threads.running
      const owner = work!.owner as keyof typeof done
      threads.now += pieceMs[owner]
      done[owner] += 1
      threads.end(work!)
    }
    expect(done).toEqual({ ann: 20, bob: 80 })
  })

  it('keeps work that an owner began before what the same owner queued later', () => {
    const threads = new Threads(1)
    const first = threads.add('first', 'ann', 'long')
    threads.add('second', 'ann', 'long')
    const decision = threads.add('decision', 'bob', 'live')
    threads.end(decision)
    expect(threads.running).toEqual([first])
  })

  it('does not let a stream of short work starve long runs', () => {
    const threads = new Threads(1)
    threads.add('long', 'ann', 'long')
    for (let i = 0; i < 40; i++) threads.add('short', `user ${i}`, 'interactive')
    const turns = threads.turns(40)
    expect(turns.filter((name) => name === 'long').length).toBeGreaterThanOrEqual(3)
    expect(turns.filter((name) => name === 'long').length).toBeLessThanOrEqual(5)
  })

  it('lets live trading take the turn of a starved lane', () => {
    const threads = new Threads(1)
    threads.add('long', 'ann', 'long')
    const shorts = [1, 2].map((i) => threads.add('short', `user ${i}`, 'interactive'))
    threads.pass(1_000)
    threads.pass(1_000)
    expect(threads.running.map(({ name }) => name)).toEqual(['long'])
    const decision = threads.add('decision', 'bob', 'live')
    expect(threads.running).toEqual([decision])
    expect(shorts.every(({ lane }) => lane !== 'live')).toBe(true)
  })

  it('moves a task that used up the budget of its lane to the long runs', () => {
    const threads = new Threads(1)
    const large = threads.add('large backtest', 'ann', 'interactive')
    threads.pass(1_999)
    expect(large.lane).toBe('interactive')
    threads.pass(1)
    expect(large.lane).toBe('long')
    const small = threads.add('small backtest', 'bob', 'interactive')
    expect(threads.running).toEqual([small])
  })

  it('gives no credit for time in which an owner asked for nothing', () => {
    const threads = new Threads(1)
    threads.add('ann', 'ann', 'long')
    threads.pass(3_600_000)
    threads.add('bob', 'bob', 'long')
    expect(threads.turns(20).filter((name) => name === 'ann')).toHaveLength(10)
  })

  it('forgets work that is taken out while it waits', () => {
    const threads = new Threads(1)
    threads.add('first', 'ann', 'long')
    const second = threads.add('second', 'ann', 'long')
    expect(threads.schedule.end(second, 0)).toBe(true)
    expect(threads.schedule.end(second, 0)).toBe(false)
    expect(threads.schedule.length).toBe(0)
  })
})
