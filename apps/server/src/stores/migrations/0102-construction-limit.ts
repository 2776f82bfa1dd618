import { sql, type Kysely } from 'kysely'

/** As many as of parameter studies. */
const MAX_CONSTRUCTIONS = 500

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TRIGGER rows_are_limited AFTER INSERT ON portfolio_constructions
    FOR EACH ROW EXECUTE FUNCTION limit_rows(${sql.lit(String(MAX_CONSTRUCTIONS))}, 'user_id', 'true')`.execute(
    database,
  )
}
