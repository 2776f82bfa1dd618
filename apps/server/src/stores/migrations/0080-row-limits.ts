import { sql, type Kysely } from 'kysely'

/**
 * How many rows one owner has of what is listed as a whole: a list of a hundred thousand would stop the thread that
 * answers everyone. Kept by the database, since rows are added by calls, the assistant, proposals and jobs alike. Rows
 * above a limit that are there already stay.
 */
const LIMITS: readonly { table: string; most: number; owner?: string; where?: string }[] = [
  { table: 'strategies', most: 1_000 },
  { table: 'ticker_lists', most: 200 },
  { table: 'saved_queries', most: 200 },
  { table: 'collection_jobs', most: 100 },
  { table: 'custom_providers', most: 50 },
  { table: 'data_stores', most: 50 },
  { table: 'brokerage_accounts', most: 50 },
  { table: 'deployments', most: 100, where: 'deleted_at IS NULL' },
  { table: 'optimization_runs', most: 500 },
  { table: 'parameter_studies', most: 500 },
  { table: 'conversations', most: 2_000 },
  { table: 'conversation_messages', most: 500, owner: 'conversation' },
]
/** Runs that were not saved are removed by themselves. */
const MAX_SAVED_BACKTESTS = 2_000

export async function up(database: Kysely<unknown>): Promise<void> {
  // Two at the same moment do not see each other: a few more rows than the limit do no harm.
  await sql`
    CREATE FUNCTION limit_rows() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      most integer := TG_ARGV[0];
      found integer;
    BEGIN
      EXECUTE format('SELECT count(*) FROM (SELECT FROM %I WHERE %2$I = ($1).%2$I AND %3$s LIMIT $2) AS own',
                     TG_TABLE_NAME, TG_ARGV[1], TG_ARGV[2])
      INTO found USING NEW, most + 1;
      IF found > most THEN
        RAISE EXCEPTION 'an owner has more than % rows of %', most, TG_TABLE_NAME
          USING ERRCODE = 'TWROW', TABLE = TG_TABLE_NAME, DETAIL = most::text;
      END IF;
      RETURN NULL;
    END $$`.execute(database)
  for (const { table, most, owner = 'user_id', where = 'true' } of LIMITS) {
    await sql`
      CREATE TRIGGER rows_are_limited AFTER INSERT ON ${sql.table(table)}
      FOR EACH ROW EXECUTE FUNCTION limit_rows(${sql.lit(String(most))}, ${sql.lit(owner)}, ${sql.lit(where)})`.execute(
      database,
    )
  }
  await sql`
    CREATE TRIGGER rows_are_limited AFTER INSERT OR UPDATE OF is_saved ON backtests
    FOR EACH ROW WHEN (NEW.is_saved)
    EXECUTE FUNCTION limit_rows(${sql.lit(String(MAX_SAVED_BACKTESTS))}, 'user_id', 'is_saved')`.execute(database)
}
