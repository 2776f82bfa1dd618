import { sql, type Kysely } from 'kysely'

const MAX_FILES = 20

/**
 * What a list shows of a file stands beside it: reading it out of twenty files of the largest size took the database a second.
 * Rows that no version could have read are removed.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    DELETE FROM factor_files WHERE jsonb_typeof(content -> 'days') IS DISTINCT FROM 'array'
      OR jsonb_typeof(content -> 'columns') IS DISTINCT FROM 'array'
      OR jsonb_typeof(content -> 'days' -> 0) IS DISTINCT FROM 'number'
      OR jsonb_typeof(content -> 'days' -> -1) IS DISTINCT FROM 'number'
      OR content ->> 'frequency' NOT IN ('daily', 'monthly')`.execute(database)
  await sql`
    ALTER TABLE factor_files
      ADD COLUMN frequency text, ADD COLUMN factors text[], ADD COLUMN first_day integer, ADD COLUMN last_day integer,
      ADD COLUMN row_count integer`.execute(database)
  await sql`
    UPDATE factor_files SET
      frequency = content ->> 'frequency',
      factors = ARRAY(SELECT jsonb_path_query(content, '$.columns[*].name') #>> '{}'),
      first_day = (content -> 'days' -> 0)::int, last_day = (content -> 'days' -> -1)::int,
      row_count = jsonb_array_length(content -> 'days')`.execute(database)
  await sql`
    ALTER TABLE factor_files
      ALTER COLUMN frequency SET NOT NULL, ALTER COLUMN factors SET NOT NULL, ALTER COLUMN first_day SET NOT NULL,
      ALTER COLUMN last_day SET NOT NULL, ALTER COLUMN row_count SET NOT NULL,
      ADD CONSTRAINT frequency_is_known CHECK (frequency IN ('daily', 'monthly')),
      ADD CONSTRAINT days_are_dates CHECK (first_day BETWEEN -300000 AND last_day AND last_day < 1000000)`.execute(
    database,
  )
  await sql`
    CREATE TRIGGER rows_are_limited AFTER INSERT ON factor_files
    FOR EACH ROW EXECUTE FUNCTION limit_rows(${sql.lit(String(MAX_FILES))}, 'user_id', 'true')`.execute(database)
}
