import { sql, type Kysely } from 'kysely'

/** Forward records of saved strategies: these decide once a session, without a deployment. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE forward_records
      ADD COLUMN user_id integer REFERENCES users ON DELETE CASCADE,
      ADD COLUMN strategy_id integer UNIQUE REFERENCES strategies ON DELETE SET NULL,
      ADD COLUMN strategy jsonb,
      ADD COLUMN next_session integer,
      ADD COLUMN due_at timestamptz,
      ADD COLUMN missed jsonb NOT NULL DEFAULT '[]',
      ADD COLUMN problem text,
      ALTER COLUMN deployment_id DROP NOT NULL`.execute(database)
  await sql`
    UPDATE forward_records SET user_id = deployments.user_id FROM deployments WHERE deployments.id = deployment_id
  `.execute(database)
  await sql`
    ALTER TABLE forward_records
      ALTER COLUMN user_id SET NOT NULL,
      ALTER COLUMN missed DROP DEFAULT,
      -- A record whose strategy was deleted decides no more, and stays readable by its link.
      ADD CONSTRAINT one_subject CHECK ((deployment_id IS NULL) = (strategy IS NOT NULL)),
      ADD CONSTRAINT strategy_is_whole CHECK (num_nonnulls(strategy, next_session, due_at) IN (0, 3)),
      ADD CONSTRAINT strategy_of_deployment CHECK (deployment_id IS NULL OR strategy_id IS NULL)`.execute(database)
  await sql`CREATE INDEX forward_records_user ON forward_records (user_id)`.execute(database)
  await sql`
    CREATE INDEX forward_records_due ON forward_records (due_at) WHERE is_open AND strategy_id IS NOT NULL
  `.execute(database)
}
