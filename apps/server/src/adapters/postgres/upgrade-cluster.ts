import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../free-port.ts'
import { createLog, type Logger } from '../../log.ts'
import { programVersion } from '../../program-version.ts'
import { StartupFailure } from '../../startup-failure.ts'
import { connectClient, hasPrograms } from '../../stores/backup/database-copy.ts'
import { checkArchive, restoreBackup } from '../../stores/backup/restore-backup.ts'
import { writeBackup } from '../../stores/backup/write-backup.ts'
import { connectDatabase } from '../../stores/database.ts'
import { systemClock } from '../../system-clock.ts'
import { clusterVersion, MAJOR_VERSION, openCluster } from './cluster.ts'
import { DATABASE, endServerIn, ensureDatabase, openServer, startServer, urlOf } from './embedded-postgres.ts'

/** Being filled; not a database yet. */
const UNFINISHED = 'postgres.upgrading'
/** Filled, and about to take the place of the old one. */
const FINISHED = 'postgres.upgraded'

/**
 * Brings a database of an earlier PostgreSQL over: a backup by the old programs, restored by the new ones into a folder of
 * its own. The old folder is not written to, and stays beside the new one.
 */
export async function upgradeCluster(dataDir: string, log: Logger): Promise<void> {
  finishExchange(dataDir)
  const version = clusterVersion(dataDir)
  if (version === undefined || version === MAJOR_VERSION) return
  if (Number(version) > Number(MAJOR_VERSION)) {
    throw new StartupFailure(
      `The database in ${dataDir} was last used by a newer Tradewright: it uses PostgreSQL ${version}, and this program ${MAJOR_VERSION}. Start the newer program again, or restore the backup that was made before the update.`,
    )
  }
  log.info({ from: version, to: MAJOR_VERSION }, 'bringing the database to a new PostgreSQL')
  const archive = join(dataDir, 'backups', `before-postgres-${MAJOR_VERSION}.tar.gz`)
  await dump(dataDir, version, archive)
  for (const folder of [UNFINISHED, FINISHED].map((name) => join(dataDir, name))) {
    await endServerIn(folder)
    rmSync(folder, { recursive: true, force: true })
  }
  await fillNew(dataDir, archive)
  renameSync(join(dataDir, UNFINISHED), join(dataDir, FINISHED))
  const kept = freeFolder(join(dataDir, `postgres-${version}`))
  renameSync(join(dataDir, 'postgres'), kept)
  finishExchange(dataDir)
  log.info({ backup: archive, kept }, 'the database is brought over; the old one is kept until you remove it')
}

/** An earlier upgrade may have kept its own: `postgres-17-2`, `postgres-17-3`. */
function freeFolder(path: string): string {
  for (let number = 1; ; number++) {
    const numbered = number === 1 ? path : `${path}-${number}`
    if (!existsSync(numbered)) return numbered
  }
}

/** A program that was killed between the two renames left none under the name. */
function finishExchange(dataDir: string): void {
  const [folder, finished] = [join(dataDir, 'postgres'), join(dataDir, FINISHED)]
  if (!existsSync(folder) && existsSync(finished)) renameSync(finished, folder)
}

async function dump(dataDir: string, major: string, to: string): Promise<void> {
  const cluster = await openCluster(dataDir, { major })
  const { server, isAdopted } = await openServer(cluster)
  const url = urlOf(cluster, server.port, DATABASE)
  if (isAdopted && (await hasPrograms(url))) {
    throw new StartupFailure(
      `The earlier Tradewright is still running on ${dataDir}. Stop it first: its database is upgraded to PostgreSQL ${MAJOR_VERSION}.`,
    )
  }
  try {
    const client = await connectClient(url)
    const request = { client, to, version: programVersion, createdAt: systemClock.now(), dataDir: undefined }
    try {
      await writeBackup(request)
    } finally {
      await client.end()
    }
  } finally {
    await server.stop()
  }
}

async function fillNew(dataDir: string, archive: string): Promise<void> {
  const cluster = await openCluster(dataDir, { name: UNFINISHED })
  const server = await startServer(cluster, await freePort())
  try {
    await ensureDatabase(urlOf(cluster, server.port, 'postgres'))
    const connection = connectDatabase(urlOf(cluster, server.port, DATABASE), createLog({ logLevel: 'silent' }), 2)
    const client = await connection.pool.connect()
    try {
      await restoreBackup(await checkArchive(archive), { database: connection.database, client, dataDir: undefined })
    } finally {
      client.release()
      await connection.close()
    }
  } finally {
    await server.stop()
  }
}
