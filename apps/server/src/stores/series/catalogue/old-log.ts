import { granularities } from '@tradewright/core/granularity'
import { Problem } from '@tradewright/core/problem'
import { layers } from '@tradewright/engine/market/series'
import { z } from 'zod'
import { type LakeFile, segmentsIn } from '../parquet/lake-file.ts'

/**
 * The log that stores had beside their files before their catalogue moved into the database: numbered changes, and now
 * and then the sum of them. In a bucket every holder of its key may have written it, so that it is validated as foreign
 * text, and read once.
 */
export interface OldLogSource {
  /** Paths of the folder `log`. */
  list(): Promise<string[]>
  /** Undefined for what is not there; throws for what is longer. */
  read(path: string, maxBytes: number): Promise<string | undefined>
}

/** The newest state that the log tells of. */
export interface OldLogState {
  readonly version: number
  readonly files: readonly LakeFile[]
  /** Replaced files that may still lie around. */
  readonly retired: readonly string[]
}

/** A log had some fifty changes and three sums. */
const MAX_ENTRIES = 1_000
const MAX_ENTRY_BYTES = 64 * 1024 * 1024
const MAX_FILES = 200_000
/** Two million rows, which a file may have, take 64 MB without any compression. */
const MAX_FILE_BYTES = 1024 ** 3
const MAX_SEGMENTS = 1_000_000

/** Undefined where there is no log. Nothing is written or removed. */
export async function readOldLog(source: OldLogSource): Promise<OldLogState | undefined> {
  const { changes, sums } = entriesIn(await source.list())
  const newest = Math.max(0, ...changes, ...sums)
  if (newest === 0) return undefined
  if (changes.size + sums.size > MAX_ENTRIES) throw refused('it has too many entries')
  const state = await startingState(source, Math.max(0, ...sums))
  for (let version = state.version + 1; version <= newest; version++) {
    if (!changes.has(version)) throw refused('one of its entries is missing')
    applyChange(state, await readEntry(source, changePath(version), Change))
  }
  return { version: newest, files: [...state.files.values()], retired: [...state.retired] }
}

interface GrowingState {
  readonly version: number
  readonly files: Map<string, LakeFile>
  readonly retired: Set<string>
}

async function startingState(source: OldLogSource, version: number): Promise<GrowingState> {
  if (version === 0) return { version, files: new Map(), retired: new Set() }
  const { files, retired } = await readEntry(source, sumPath(version), Sum)
  return {
    version,
    files: new Map(files.map((file) => [file.path, toLakeFile(file)])),
    retired: new Set(retired.map(([path]) => path)),
  }
}

function applyChange({ files, retired }: GrowingState, { add, remove, forget }: z.infer<typeof Change>): void {
  for (const path of remove) {
    files.delete(path)
    retired.add(path)
  }
  for (const path of forget) retired.delete(path)
  for (const file of add) files.set(file.path, toLakeFile(file))
  if (files.size + retired.size > MAX_FILES) throw refused('it names too many files')
}

async function readEntry<T>(source: OldLogSource, path: string, schema: z.ZodType<T>): Promise<T> {
  const text = await source.read(path, MAX_ENTRY_BYTES)
  if (text === undefined) throw refused('one of its entries is missing')
  const parsed = schema.safeParse(parseJson(text))
  if (!parsed.success) throw refused(`${path} is not what this program wrote`, parsed.error)
  return parsed.data
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const refused = (reason: string, cause?: unknown): Problem =>
  new Problem(
    'conflict',
    'store.log',
    `The log of the data store cannot be taken over: ${reason}. Nothing was changed. ` +
      'Restore its files from a backup, or make a new data store and collect the series again.',
    { cause },
  )

const ENTRY = /^log\/(\d{12})(\.checkpoint)?\.json$/
const numbered = (version: number): string => String(version).padStart(12, '0')
const changePath = (version: number): string => `log/${numbered(version)}.json`
const sumPath = (version: number): string => `log/${numbered(version)}.checkpoint.json`

function entriesIn(paths: readonly string[]): { changes: Set<number>; sums: Set<number> } {
  const changes = new Set<number>()
  const sums = new Set<number>()
  for (const path of paths) {
    const match = ENTRY.exec(path)
    if (match) (match[2] ? sums : changes).add(Number(match[1]))
  }
  return { changes, sums }
}

/** Exactly what the writer made of layer, partition and a name of its own: no other segment, and so no way out. */
const DATA_FILE =
  /^(bronze|silver|gold)(?:\/(date=(?:\d{4}(?:-\d{2})?|before|after)|ticker=[A-Za-z0-9_%-]{1,200}|date=(?:\d{4}(?:-\d{2})?|before|after)\/ticker=[A-Za-z0-9_%-]{1,200}))?\/\d{12}-[0-9a-f]{12}\.parquet$/

const path = z.string().max(300).regex(DATA_FILE)
const word = z
  .string()
  .max(500)
  .refine((text) => !/\p{Cc}/u.test(text))
const count = z.int().min(0)
const instant = z.number()
/** Infinite values, which only bronze may have, were written as null. */
const extreme = z.number().nullable()

const SegmentRow = z
  .tuple([
    word,
    z.enum(granularities as [(typeof granularities)[number]]),
    word,
    word,
    word,
    word,
    z.int().min(1),
    instant,
    instant,
    instant,
    instant,
    z.union([z.literal(0), z.literal(1)]),
    extreme,
    extreme,
  ])
  .rest(count)

const File = z
  .strictObject({
    path,
    layer: z.enum(layers as [(typeof layers)[number]]),
    partition: z.string().max(300),
    rows: z.int().min(1),
    bytes: z.int().min(1).max(MAX_FILE_BYTES),
    checksum: z
      .int()
      .min(0)
      .max(2 ** 32 - 1),
    segments: z.array(SegmentRow).min(1).max(MAX_SEGMENTS),
  })
  .refine((file) => file.path.startsWith([file.layer, file.partition].filter((part) => part !== '').join('/')))
  .refine((file) => file.segments.reduce((sum, row) => sum + row[6], 0) === file.rows)
type File = z.infer<typeof File>

const Change = z.strictObject({
  add: z.array(File).max(MAX_FILES),
  remove: z.array(path).max(MAX_FILES),
  forget: z.array(path).max(MAX_FILES),
  at: instant,
})

const Sum = z.strictObject({
  files: z.array(File).max(MAX_FILES),
  retired: z.array(z.tuple([path, instant])).max(MAX_FILES),
})

const toLakeFile = ({ segments, checksum, ...file }: File): LakeFile => ({
  ...file,
  checksum: `crc32:${checksum.toString(16).padStart(8, '0')}`,
  segments: segmentsIn(segments as (string | number)[][]),
})
