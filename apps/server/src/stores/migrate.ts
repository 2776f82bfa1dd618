import { sql } from 'kysely'
import { DEFAULT_MIGRATION_TABLE, Migrator, type Migration } from 'kysely/migration'
import { StartupFailure } from '../startup-failure.ts'
import type { Database } from './database.ts'
import * as auth from './migrations/0001-auth.ts'
import * as jobs from './migrations/0002-jobs.ts'
import * as marketData from './migrations/0003-market-data.ts'
import * as backtests from './migrations/0004-backtests.ts'
import * as storeVerification from './migrations/0005-store-verification.ts'
import * as optimizer from './migrations/0006-optimizer.ts'
import * as brokerage from './migrations/0007-brokerage.ts'
import * as liveTrading from './migrations/0009-live-trading.ts'
import * as assistant from './migrations/0010-assistant.ts'
import * as customProviders from './migrations/0011-custom-providers.ts'
import * as leavingUsers from './migrations/0012-leaving-users.ts'
import * as brokerAccountId from './migrations/0013-broker-account-id.ts'
import * as cancelledRuns from './migrations/0014-cancelled-runs.ts'
import * as oneRunPerClientName from './migrations/0016-one-run-per-client-name.ts'
import * as stopsAndMails from './migrations/0017-stops-and-mails.ts'
import * as ledgerTypes from './migrations/0018-ledger-types.ts'
import * as syntheticWhileRunning from './migrations/0020-synthetic-while-running.ts'
import * as ledgerTypeNumbers from './migrations/0021-ledger-type-numbers.ts'
import * as storeCatalogue from './migrations/0022-store-catalogue.ts'
import * as callAllowances from './migrations/0024-call-allowances.ts'
import * as accounts from './migrations/0028-accounts.ts'
import * as verifiedEmails from './migrations/0029-verified-emails.ts'
import * as flowTimes from './migrations/0034-flow-times.ts'
import * as modelDataNotes from './migrations/0035-model-data-notes.ts'
import * as syntheticMeansTraded from './migrations/0036-synthetic-means-traded.ts'
import * as systemJob from './migrations/0039-system-job.ts'
import * as errorCodesAndSyntheticTickers from './migrations/0040-error-codes-and-synthetic-tickers.ts'
import * as healthCodes from './migrations/0041-health-codes.ts'
import * as brokerCatalogue from './migrations/0042-broker-catalogue.ts'
import * as liquidation from './migrations/0043-liquidation.ts'
import * as movingSince from './migrations/0044-moving-since.ts'
import * as modelVersions from './migrations/0045-model-versions.ts'
import * as bookedFromOrder from './migrations/0048-booked-from-order.ts'
import * as estimatedOrderValues from './migrations/0049-estimated-order-values.ts'
import * as alerts from './migrations/0052-alerts.ts'
import * as heartbeats from './migrations/0053-heartbeats.ts'
import * as taxLots from './migrations/0054-tax-lots.ts'
import * as deploymentPauses from './migrations/0055-deployment-pauses.ts'
import * as orderExecution from './migrations/0056-order-execution.ts'
import * as homeChecklists from './migrations/0058-home-checklists.ts'
import * as tickerChanges from './migrations/0059-ticker-changes.ts'
import * as recentRuns from './migrations/0060-recent-runs.ts'
import * as ruleStrategies from './migrations/0062-rule-strategies.ts'
import * as deletedRows from './migrations/0064-deleted-rows.ts'
import * as apiKeys from './migrations/0068-api-keys.ts'
import * as saleAskedBy from './migrations/0070-sale-asked-by.ts'
import * as proposals from './migrations/0071-proposals.ts'
import * as parameterStudies from './migrations/0072-parameter-studies.ts'
import * as robustnessBoards from './migrations/0073-robustness-boards.ts'
import * as rowLimits from './migrations/0080-row-limits.ts'
import * as paperBorrowRate from './migrations/0082-paper-borrow-rate.ts'
import * as portfolioConstructions from './migrations/0090-portfolio-constructions.ts'
import * as factorFiles from './migrations/0091-factor-files.ts'
import * as outgoingEvents from './migrations/0093-outgoing-events.ts'
import * as externalSignals from './migrations/0094-external-signals.ts'
import * as forwardRecords from './migrations/0095-forward-records.ts'
import * as operator from './migrations/0097-operator.ts'
import * as jobTraces from './migrations/0098-job-traces.ts'
import * as importedRows from './migrations/0100-imported-rows.ts'
import * as constructionLimit from './migrations/0102-construction-limit.ts'
import * as tickerSuccessors from './migrations/0103-ticker-successors.ts'
import * as ordersOfBorrowedShares from './migrations/0104-orders-of-borrowed-shares.ts'
import * as nestedChoices from './migrations/0110-nested-choices.ts'
import * as storeHistory from './migrations/0120-store-history.ts'
import * as robustnessWork from './migrations/0140-robustness-work.ts'
import * as userFormats from './migrations/0141-user-formats.ts'
import * as importedRecords from './migrations/0150-imported-records.ts'
import * as factorFileSummaries from './migrations/0151-factor-file-summaries.ts'
import * as packedHistory from './migrations/0160-packed-history.ts'
import * as strategyRecords from './migrations/0161-strategy-records.ts'
import * as recordModels from './migrations/0185-record-models.ts'
import * as idleComparisons from './migrations/0200-idle-comparisons.ts'
import * as bookedValue from './migrations/0201-booked-value.ts'
import * as failedJobs from './migrations/0215-failed-jobs.ts'
import * as splicedResults from './migrations/0220-spliced-results.ts'
import * as ordersOfOtherInstallations from './migrations/0230-orders-of-other-installations.ts'
import * as dividendsDue from './migrations/0231-dividends-due.ts'
import * as haltedTickers from './migrations/0232-halted-tickers.ts'
import * as linksWithPassports from './migrations/0250-links-with-passports.ts'
import * as securityEvents from './migrations/0251-security-events.ts'
import * as secondFactors from './migrations/0252-second-factors.ts'
import * as suspendedAccounts from './migrations/0253-suspended-accounts.ts'
import * as heldOrders from './migrations/0260-held-orders.ts'
import * as alertsByCause from './migrations/0270-alerts-by-cause.ts'

/** In order, and never changed once released: a correction is a new migration. */
export const migrations: Record<string, Migration> = {
  '0001-auth': auth,
  '0002-jobs': jobs,
  '0003-market-data': marketData,
  '0004-backtests': backtests,
  '0005-store-verification': storeVerification,
  '0006-optimizer': optimizer,
  '0007-brokerage': brokerage,
  '0009-live-trading': liveTrading,
  '0010-assistant': assistant,
  '0011-custom-providers': customProviders,
  '0012-leaving-users': leavingUsers,
  '0013-broker-account-id': brokerAccountId,
  '0014-cancelled-runs': cancelledRuns,
  '0016-one-run-per-client-name': oneRunPerClientName,
  '0017-stops-and-mails': stopsAndMails,
  '0018-ledger-types': ledgerTypes,
  '0020-synthetic-while-running': syntheticWhileRunning,
  '0021-ledger-type-numbers': ledgerTypeNumbers,
  '0022-store-catalogue': storeCatalogue,
  '0024-call-allowances': callAllowances,
  '0028-accounts': accounts,
  '0029-verified-emails': verifiedEmails,
  '0034-flow-times': flowTimes,
  '0035-model-data-notes': modelDataNotes,
  '0036-synthetic-means-traded': syntheticMeansTraded,
  '0039-system-job': systemJob,
  '0040-error-codes-and-synthetic-tickers': errorCodesAndSyntheticTickers,
  '0041-health-codes': healthCodes,
  '0042-broker-catalogue': brokerCatalogue,
  '0043-liquidation': liquidation,
  '0044-moving-since': movingSince,
  '0045-model-versions': modelVersions,
  '0048-booked-from-order': bookedFromOrder,
  '0049-estimated-order-values': estimatedOrderValues,
  '0052-alerts': alerts,
  '0053-heartbeats': heartbeats,
  '0054-tax-lots': taxLots,
  '0055-deployment-pauses': deploymentPauses,
  '0056-order-execution': orderExecution,
  '0058-home-checklists': homeChecklists,
  '0059-ticker-changes': tickerChanges,
  '0060-recent-runs': recentRuns,
  '0062-rule-strategies': ruleStrategies,
  '0064-deleted-rows': deletedRows,
  '0068-api-keys': apiKeys,
  '0070-sale-asked-by': saleAskedBy,
  '0071-proposals': proposals,
  '0072-parameter-studies': parameterStudies,
  '0073-robustness-boards': robustnessBoards,
  '0080-row-limits': rowLimits,
  '0082-paper-borrow-rate': paperBorrowRate,
  '0090-portfolio-constructions': portfolioConstructions,
  '0091-factor-files': factorFiles,
  '0093-outgoing-events': outgoingEvents,
  '0094-external-signals': externalSignals,
  '0095-forward-records': forwardRecords,
  '0097-operator': operator,
  '0098-job-traces': jobTraces,
  '0100-imported-rows': importedRows,
  '0102-construction-limit': constructionLimit,
  '0103-ticker-successors': tickerSuccessors,
  '0104-orders-of-borrowed-shares': ordersOfBorrowedShares,
  '0110-nested-choices': nestedChoices,
  '0120-store-history': storeHistory,
  '0140-robustness-work': robustnessWork,
  '0141-user-formats': userFormats,
  '0150-imported-records': importedRecords,
  '0151-factor-file-summaries': factorFileSummaries,
  '0160-packed-history': packedHistory,
  '0161-strategy-records': strategyRecords,
  '0185-record-models': recordModels,
  '0200-idle-comparisons': idleComparisons,
  '0201-booked-value': bookedValue,
  '0215-failed-jobs': failedJobs,
  '0220-spliced-results': splicedResults,
  '0230-orders-of-other-installations': ordersOfOtherInstallations,
  '0231-dividends-due': dividendsDue,
  '0232-halted-tickers': haltedTickers,
  '0250-links-with-passports': linksWithPassports,
  '0251-security-events': securityEvents,
  '0252-second-factors': secondFactors,
  '0253-suspended-accounts': suspendedAccounts,
  '0260-held-orders': heldOrders,
  '0270-alerts-by-cause': alertsByCause,
}

/** The version of the tables that this program works with. */
export const newestMigration = Object.keys(migrations).at(-1)!

/** Brings the database to the newest version. Several processes may start at once: the migrator takes a lock. */
export async function migrate(database: Database, known = migrations): Promise<void> {
  await refuseNewer(database, known)
  const { error, results } = await migratorOf(database, known).migrateToLatest()
  if (error === undefined) return
  const failed = results?.find(({ status }) => status === 'Error')?.migrationName
  if (failed === undefined) throw asError(error)
  // All of them are one transaction.
  throw new StartupFailure(
    `The database could not be brought to version ${failed}: ${asError(error).message}. Nothing was changed: the previous Tradewright can be started again.`,
    { cause: error },
  )
}

/** An empty database as a program had it whose newest migration this is. */
export async function migrateTo(database: Database, name: string): Promise<void> {
  const { error } = await migratorOf(database, migrations).migrateTo(name)
  if (error !== undefined) throw asError(error)
}

const migratorOf = (database: Database, known: Record<string, Migration>): Migrator =>
  new Migrator({
    db: database,
    provider: { getMigrations: () => Promise.resolve(known) },
    // Numbers are given when work begins: one that ends later may have the lower number, and comes to databases that have
    // the higher one already.
    allowUnorderedMigrations: true,
  })

const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error('migration failed', { cause: error })

/** A newer program has changed the tables in ways that this one does not know. */
async function refuseNewer(database: Database, all: Record<string, Migration>): Promise<void> {
  const known = Object.keys(all)
  const newest = (await appliedMigrations(database)).findLast((name) => !known.includes(name))
  if (newest === undefined) return
  throw new StartupFailure(
    `The database was last used by a newer Tradewright: it is at version ${newest}, and this program knows versions up to ${known.at(-1)}. Start the newer program again, or restore the backup that was made before the update.`,
  )
}

async function appliedMigrations(database: Database): Promise<string[]> {
  const table = sql<{ found: string | null }>`SELECT to_regclass(${DEFAULT_MIGRATION_TABLE}) AS found`
  const isNew = (await table.execute(database)).rows[0]?.found === null
  if (isNew) return []
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM ${sql.table(DEFAULT_MIGRATION_TABLE)} ORDER BY name`.execute(database)
  return rows.map(({ name }) => name)
}
