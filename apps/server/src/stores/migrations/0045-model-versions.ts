import { sql, type Kysely } from 'kysely'

/**
 * A deployment keeps every model it was trained: one per walk-forward window where it is retrained, else one per recipe.
 * And it has the instant of its next training, and why the last one failed.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE deployment_models
      ADD COLUMN version integer NOT NULL DEFAULT 1,
      ADD COLUMN decides_after timestamptz,
      ADD COLUMN window_number integer,
      ADD COLUMN sized_on_rows integer`.execute(database)
  await sql`
    ALTER TABLE deployment_models
      ALTER COLUMN version DROP DEFAULT,
      DROP CONSTRAINT deployment_models_pkey,
      ADD PRIMARY KEY (deployment_id, version)`.execute(database)
  await sql`
    CREATE UNIQUE INDEX one_model_per_window
      ON deployment_models (deployment_id, recipe, coalesce(window_number, -1))`.execute(database)
  await sql`
    ALTER TABLE deployments
      ADD COLUMN retrain_at timestamptz,
      ADD COLUMN retraining_problem text`.execute(database)
}
