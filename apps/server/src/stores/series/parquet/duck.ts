import { DuckDBDataChunk, DuckDBInstance, type DuckDBConnection, type DuckDBType } from '@duckdb/node-api'
import duckdb from '@duckdb/node-bindings'

interface DuckOptions {
  /** DuckDB's own share; what Node holds comes on top. */
  readonly memoryLimitMb: number
  readonly threads: number
  /** Where a query that outgrows the limit may spill. */
  readonly spillFolder: string
}

type Connection = DuckDBConnection

/** Columns of numbers, in the order of the query's columns. */
export interface NumberColumns {
  readonly rowCount: number
  readonly columns: readonly Float64Array[]
}

/** Connections kept open for the next query. */
const WARM_CONNECTIONS = 4

/** The DuckDB of this process: it computes over files and keeps nothing itself but their footers. */
export class Duck {
  readonly #instance: DuckDBInstance
  readonly #warm: Connection[] = []

  private constructor(instance: DuckDBInstance) {
    this.#instance = instance
  }

  static async open({ memoryLimitMb, threads, spillFolder }: DuckOptions): Promise<Duck> {
    const instance = await DuckDBInstance.create(':memory:', {
      memory_limit: `${memoryLimitMb}MB`,
      threads: String(threads),
      temp_directory: spillFolder,
      // An extension is a download at run time.
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
    })
    const duck = new Duck(instance)
    // Our files never change, so their footers need be read once only.
    await duck.session((connection) => connection.run('SET GLOBAL parquet_metadata_cache = true'))
    return duck
  }

  /** A connection of its own: its temporary tables vanish with it. */
  async session<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await this.#instance.connect()
    try {
      return await work(connection)
    } finally {
      connection.closeSync()
    }
  }

  /** Runs a query all of whose columns are DOUBLE and not null. */
  numbers(sql: string): Promise<NumberColumns> {
    return this.#query(async (connection) => {
      const result = await connection.run(sql)
      const columns = Array.from({ length: result.columnCount }, () => new Float64Array(result.rowCount))
      let at = 0
      for (let index = 0; index < result.chunkCount; index++) {
        const chunk = result.getChunk(index)
        const rows = chunk.rowCount
        columns.forEach((column, i) => column.set(doublesOf(chunk, i, rows), at))
        at += rows
        if ((index + 1) % CHUNKS_PER_TURN === 0) await new Promise(setImmediate)
      }
      return { rowCount: at, columns }
    })
  }

  close(): void {
    for (const connection of this.#warm) connection.closeSync()
    this.#instance.closeSync()
  }

  /** For queries that leave nothing behind: a connection that failed is not used again. */
  async #query<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = this.#warm.pop() ?? (await this.#instance.connect())
    try {
      const result = await work(connection)
      if (this.#warm.length < WARM_CONNECTIONS) this.#warm.push(connection)
      else connection.closeSync()
      return result
    } catch (error) {
      connection.closeSync()
      throw error
    }
  }
}

/** The vector's own memory, without an object per value; valid as long as the chunk is. */
function doublesOf(chunk: DuckDBDataChunk, column: number, rows: number): Float64Array {
  const bytes = duckdb.vector_get_data(duckdb.data_chunk_get_vector(chunk.chunk, column), rows * 8)
  return new Float64Array(bytes.buffer, bytes.byteOffset, rows)
}

export type NumberArray =
  | Float64Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>

const CHUNK_ROWS = duckdb.vector_size()
/** Chunks, a few milliseconds, after which other requests get a turn: appending and reading do not leave the thread. */
const CHUNKS_PER_TURN = 32

/** Fills a table whose columns are numbers, or words of an ENUM by number. `fill` writes rows `from` to `to`. */
export async function appendRows(
  connection: Connection,
  table: { readonly name: string; readonly types: readonly DuckDBType[]; readonly buffers: readonly NumberArray[] },
  rowCount: number,
  fill: (from: number, to: number) => void,
): Promise<void> {
  const appender = await connection.createAppender(table.name)
  const chunk = DuckDBDataChunk.create(table.types)
  for (let from = 0, chunks = 0; from < rowCount; from += CHUNK_ROWS) {
    const to = Math.min(rowCount, from + CHUNK_ROWS)
    fill(from, to)
    chunk.reset()
    chunk.rowCount = to - from
    table.buffers.forEach((buffer, column) => {
      const vector = duckdb.data_chunk_get_vector(chunk.chunk, column)
      const bytes = (to - from) * buffer.BYTES_PER_ELEMENT
      duckdb.copy_data_to_vector(vector, 0, buffer.buffer, buffer.byteOffset, bytes)
    })
    appender.appendDataChunk(chunk)
    if (++chunks % CHUNKS_PER_TURN === 0) await new Promise(setImmediate)
  }
  appender.closeSync()
}

export const chunkRows = CHUNK_ROWS

export const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`
