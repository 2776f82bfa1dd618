import { Problem } from '@tradewright/core/problem'
import { fromText, type LakeFile, type LakeFileText, toText } from './lake-file.ts'
import type { LakeFolder } from './lake-folder.ts'
import { damagedFile } from './store-problems.ts'

/** The files that make up a store at one moment. */
export interface Snapshot {
  readonly version: number
  readonly files: ReadonlyMap<string, LakeFile>
  /** Files that no reader will ask for again, and since when. */
  readonly retired: ReadonlyMap<string, number>
}

export interface Change {
  readonly add: readonly LakeFile[]
  readonly remove: readonly string[]
  /** Retired files that are gone from the folder. */
  readonly forget: readonly string[]
  readonly at: number
}

interface ChangeText extends Omit<Change, 'add'> {
  readonly add: readonly LakeFileText[]
}

interface CheckpointText {
  readonly files: readonly LakeFileText[]
  readonly retired: readonly [string, number][]
}

const FOLDER = 'log'
/** So many changes are read one by one before a file with the sum of them is written. */
const CHECKPOINT_EVERY = 25

const EMPTY: Snapshot = { version: 0, files: new Map(), retired: new Map() }

/**
 * The truth about a store: numbered changes, each a small file that appears at once or not at all. A file that no
 * change names does not exist for a reader, so a writer that dies leaves the old state and some rubbish. Two writers
 * cannot make the same number, so neither can undo what the other did.
 */
export class LakeLog {
  readonly #folder: LakeFolder
  #snapshot: Snapshot = EMPTY

  constructor(folder: LakeFolder) {
    this.#folder = folder
  }

  /** The newest state. */
  async refresh(): Promise<Snapshot> {
    // A listing may miss what is being cleaned up under it; the next one does not.
    for (let attempt = 0; attempt < 5; attempt++) {
      const snapshot = await this.#catchUp()
      if (!snapshot) continue
      // Two refreshes may overlap: the older answer must not win.
      if (snapshot.version > this.#snapshot.version) this.#snapshot = snapshot
      return snapshot
    }
    throw new Problem('unavailable', 'store.damaged', `The log of the data store ${this.#folder.name} has a gap.`)
  }

  /** False when somebody else has changed the store since `base`. */
  async commit(base: Snapshot, change: Change): Promise<boolean> {
    const version = base.version + 1
    const text: ChangeText = { ...change, add: change.add.map(toText) }
    if (!(await this.#folder.createText(changePath(version), JSON.stringify(text)))) return false
    const snapshot = apply(base, change)
    if (snapshot.version > this.#snapshot.version) this.#snapshot = snapshot
    if (version % CHECKPOINT_EVERY === 0) await this.#writeCheckpoint(snapshot)
    return true
  }

  async #catchUp(): Promise<Snapshot | undefined> {
    const { changes, checkpoints } = versionsIn((await this.#folder.list(FOLDER)).map(({ path }) => path))
    const newest = Math.max(0, ...changes, ...checkpoints)
    let snapshot: Snapshot | undefined = this.#snapshot
    if (newest <= snapshot.version) return snapshot
    if (!changes.has(snapshot.version + 1)) snapshot = await this.#readCheckpoint(Math.max(0, ...checkpoints))
    while (snapshot && snapshot.version < newest) {
      const text = await this.#folder.readText(changePath(snapshot.version + 1))
      snapshot = text === undefined ? undefined : apply(snapshot, this.#parseChange(snapshot.version + 1, text))
    }
    return snapshot
  }

  async #readCheckpoint(version: number): Promise<Snapshot | undefined> {
    if (version === 0) return EMPTY
    const text = await this.#folder.readText(checkpointPath(version))
    if (text === undefined) return undefined
    const { files, retired } = this.#parse(checkpointPath(version), text) as CheckpointText
    return {
      version,
      files: new Map(files.map((file) => [file.path, fromText(file)])),
      retired: new Map(retired),
    }
  }

  #parseChange(version: number, text: string): Change {
    const change = this.#parse(changePath(version), text) as ChangeText
    return { ...change, add: change.add.map(fromText) }
  }

  #parse(path: string, text: string): unknown {
    try {
      return JSON.parse(text)
    } catch (error) {
      throw damagedFile(`${this.#folder.name}/${path}`, error)
    }
  }

  /** The change counts already, so a checkpoint that fails is only one that is missing. */
  async #writeCheckpoint({ version, files, retired }: Snapshot): Promise<void> {
    const text: CheckpointText = { files: [...files.values()].map(toText), retired: [...retired] }
    try {
      await this.#folder.createText(checkpointPath(version), JSON.stringify(text))
      const { changes, checkpoints } = versionsIn((await this.#folder.list(FOLDER)).map(({ path }) => path))
      // One generation stays: a reader may have listed it a moment ago.
      const keepFrom = version - CHECKPOINT_EVERY
      const old = [
        ...[...changes].filter((one) => one <= keepFrom).map(changePath),
        ...[...checkpoints].filter((one) => one < keepFrom).map(checkpointPath),
      ]
      await this.#folder.remove(old)
    } catch {
      return
    }
  }
}

const name = (version: number): string => String(version).padStart(12, '0')
const changePath = (version: number): string => `${FOLDER}/${name(version)}.json`
const checkpointPath = (version: number): string => `${FOLDER}/${name(version)}.checkpoint.json`

function versionsIn(paths: readonly string[]): { changes: Set<number>; checkpoints: Set<number> } {
  const changes = new Set<number>()
  const checkpoints = new Set<number>()
  for (const path of paths) {
    const match = /(\d{12})(\.checkpoint)?\.json$/.exec(path)
    if (match) (match[2] ? checkpoints : changes).add(Number(match[1]))
  }
  return { changes, checkpoints }
}

function apply(snapshot: Snapshot, { add, remove, forget, at }: Change): Snapshot {
  const files = new Map(snapshot.files)
  const retired = new Map(snapshot.retired)
  for (const path of remove) {
    files.delete(path)
    retired.set(path, at)
  }
  for (const path of forget) retired.delete(path)
  for (const file of add) files.set(file.path, file)
  return { version: snapshot.version + 1, files, retired }
}
