import { bigint, boolean, bytes, defaulted, instant, integer, nullable, text } from '../columns.ts'

/** The data files of series stores. */
export const storeFileTables = {
  store_catalogues: {
    id: defaulted(integer),
    store_id: integer,
    /** Where the files lie. A store that is pointed elsewhere has another catalogue there, and its old one if it returns. */
    location: text,
    /** Whether the files take room on this server's disk. */
    is_local: boolean,
    /** The number of the last change. */
    version: bigint,
    /** Files that were retired up to this change may be forgotten: a reader that knows less starts anew. */
    purged_version: bigint,
    created_at: instant,
    /** What the store held is known from this change on; zero: from its beginning. */
    history_from_version: defaulted(bigint),
  },
  store_files: {
    catalogue_id: integer,
    path: text,
    layer: text,
    partition: text,
    rows: bigint,
    bytes: bigint,
    /** `crc32:…` finds damage on our own disk, `sha256:…` also foreign changes. */
    checksum: text,
    /** JSON: which rows are about which series. */
    segments: text,
    added_version: bigint,
    added_at: instant,
    /** Set when a change replaced the file; it stays for readers for a while. */
    retired_version: nullable(bigint),
    retired_at: nullable(instant),
    /** A retired file whose records no other file holds: it is kept for reads as of an earlier moment. */
    is_history: defaulted(boolean),
  },
  /** When each change of a store was made: of the last change of a row, and packed of those before it. */
  store_changes: {
    catalogue_id: integer,
    version: bigint,
    changed_at: instant,
    first_at: nullable(instant),
    earlier: nullable(bytes),
  },
  /** Records that changes have replaced or removed, packed; many of one change are a file. */
  store_removed_rows: {
    catalogue_id: integer,
    /** The last of its changes. */
    version: bigint,
    layer: text,
    data: bytes,
    first_version: bigint,
    /** Zero where it was not counted. */
    records: defaulted(integer),
  },
  /** Files that a writer is about to add: those of a writer that died are removed by these rows. */
  store_pending_files: {
    catalogue_id: integer,
    path: text,
    announced_at: instant,
  },
}
