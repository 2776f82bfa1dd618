import { Problem } from '@tradewright/core/problem'
import { SECOND } from '@tradewright/core/time'
import { open, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from './log.ts'
import { Poller } from './poller.ts'

const LOOK_MS = 2 * SECOND
const MEGABYTE = 1024 ** 2
/** A small disk keeps this part of it free, whatever the setting says. */
const MAX_FLOOR_SHARE = 0.2
/** Reserve on the database's disk: two segments of its log, with room for a checkpoint. */
const RESERVE_BYTES = 48 * MEGABYTE
const RESERVE_AFTER_MS = 30 * SECOND
const CHUNK = Buffer.alloc(MEGABYTE)

interface DiskSpace {
  readonly freeBytes: number
  readonly bytes: number
}

/** Tells the operator whether the disk is nearly full, and how much is free. */
export type TellDisk = (isLow: boolean, free: string) => Promise<void>

interface DiskFloorParts {
  readonly dataDir: string
  readonly floorBytes: number
  /** Whether the database lies on this disk, and needs room of its own. */
  readonly holdsDatabase: boolean
  readonly log: Logger
  readonly spaceOf?: (folder: string) => Promise<DiskSpace>
  /** The start of the program is not the time to write the reserve. */
  readonly reserveAfterMs?: number
}

/** Free and whole size of the disk that a folder is on. */
export async function diskSpaceOf(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { freeBytes: bavail * bsize, bytes: blocks * bsize }
}

/**
 * Keeps a part of the disk free: below it nothing large is begun, so that sign-in, decisions and stops, which write a few rows,
 * go on. The database has a reserve beside that, a file that is removed when the disk is full all the same, and made again
 * when there is room.
 */
export class DiskFloor extends Poller {
  readonly #parts: DiskFloorParts
  readonly #spaceOf: (folder: string) => Promise<DiskSpace>
  readonly #reserve: string
  readonly #reserveFrom: number
  #isLow = false
  #tell: TellDisk = () => Promise.resolve()
  #toldLow = false

  constructor(parts: DiskFloorParts) {
    super(LOOK_MS)
    this.#parts = parts
    this.#spaceOf = parts.spaceOf ?? diskSpaceOf
    this.#reserve = join(parts.dataDir, 'disk-reserve')
    this.#reserveFrom = performance.now() + (parts.reserveAfterMs ?? RESERVE_AFTER_MS)
  }

  get isLow(): boolean {
    return this.#isLow
  }

  /** Called when the disk becomes nearly full and when it has room again; what fails is tried again. */
  tellWith(tell: TellDisk): void {
    this.#tell = tell
  }

  /** Throws a Problem while too little is free: for runs, whose results are stored. */
  assertNotLow(): void {
    if (this.#isLow) throw tooFull()
  }

  /** The same, asked of the disk itself, for so many bytes that are about to be written. */
  async assertRoomFor(bytes: number): Promise<void> {
    if (bytes <= 0) return
    const { space, floor } = await this.#look()
    if (space.freeBytes - bytes < floor) throw tooFull()
  }

  protected override async workOnce(): Promise<void> {
    try {
      const { space, floor } = await this.#look()
      const isLow = space.freeBytes < floor
      const free = `${Math.round(space.freeBytes / MEGABYTE)} MB`
      if (isLow && !this.#isLow)
        this.#parts.log.error({ free }, 'the disk is nearly full: no new series, histories and runs')
      if (!isLow && this.#isLow) this.#parts.log.warn({ free }, 'the disk has room again')
      this.#isLow = isLow
      if (this.#parts.holdsDatabase) await this.#keepReserve(space, floor)
      if (isLow !== this.#toldLow) {
        await this.#tell(isLow, free)
        this.#toldLow = isLow
      }
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'the free space of the disk cannot be read or told')
    }
  }

  async #look(): Promise<{ space: DiskSpace; floor: number }> {
    const space = await this.#spaceOf(this.#parts.dataDir)
    return { space, floor: Math.min(this.#parts.floorBytes, space.bytes * MAX_FLOOR_SHARE) }
  }

  async #keepReserve({ freeBytes }: DiskSpace, floor: number): Promise<void> {
    const isThere = await stat(this.#reserve).then(
      () => true,
      () => false,
    )
    if (isThere && freeBytes < floor / 4) {
      await rm(this.#reserve, { force: true })
      this.#parts.log.error('the disk is full: the reserve of the database was released')
    }
    const mayWrite = performance.now() >= this.#reserveFrom
    if (!isThere && mayWrite && freeBytes > floor + 1.25 * RESERVE_BYTES) await writeReserve(this.#reserve)
  }
}

/** Written out: a file of holes reserves nothing. */
async function writeReserve(path: string): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    for (let written = 0; written < RESERVE_BYTES; written += CHUNK.length) await file.write(CHUNK)
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
}

const tooFull = () =>
  new Problem(
    'too-large',
    'disk.low',
    'The disk of the server is nearly full, so nothing large is stored until the operator frees some space. ' +
      'Trading, stops and everything that is stored go on.',
  )
