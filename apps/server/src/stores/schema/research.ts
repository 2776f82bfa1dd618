/** Data, and what is computed from it: series, strategies, backtests, searches, studies. */
export const research = /* SQL */ `
-- Long work and its state; the queue only carries the ids.
CREATE TABLE jobs (
  id uuid PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  kind text NOT NULL,
  subject text NOT NULL,
  singleton_key text,
  input jsonb NOT NULL,
  state text NOT NULL CHECK (state IN ('queued', 'running', 'completed', 'failed', 'cancelled')),
  progress jsonb,
  checkpoint jsonb,
  result jsonb,
  error jsonb,
  attempts integer NOT NULL,
  cancel_requested boolean NOT NULL,
  delivery_id uuid NOT NULL,
  claim_id uuid,
  worker_id text,
  created_at timestamptz NOT NULL,
  started_at timestamptz,
  updated_at timestamptz NOT NULL,
  finished_at timestamptz,
  trace_parent text,
  CONSTRAINT finished_when_it_ended CHECK ((finished_at IS NULL) = (state IN ('queued', 'running'))),
  CONSTRAINT running_under_a_claim CHECK ((state <> 'running') OR claim_id IS NOT NULL),
  CONSTRAINT failed_with_an_error CHECK ((state = 'failed') = (error IS NOT NULL))
);
CREATE INDEX jobs_by_user ON jobs (user_id, created_at DESC);
CREATE UNIQUE INDEX unfinished_jobs_by_singleton_key ON jobs (user_id, kind, singleton_key)
  WHERE singleton_key IS NOT NULL AND state IN ('queued', 'running');
CREATE INDEX unfinished_jobs ON jobs (updated_at) WHERE state IN ('queued', 'running');
CREATE INDEX finished_jobs ON jobs (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX failed_jobs ON jobs (finished_at) WHERE state = 'failed';

CREATE TABLE data_stores (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  name text NOT NULL,
  store_type text NOT NULL CHECK (store_type IN ('local', 's3', 'gcs', 'azure', 'postgresql', 'mongodb')),
  is_system boolean NOT NULL,
  is_default boolean NOT NULL,
  default_format text NOT NULL,
  partition_strategy text NOT NULL,
  compression text NOT NULL,
  connection_config jsonb NOT NULL,
  sealed_secrets bytea,
  created_at timestamptz NOT NULL,
  unverified_reason text
);
CREATE UNIQUE INDEX one_system_store ON data_stores (user_id) WHERE is_system;
CREATE UNIQUE INDEX one_default_store ON data_stores (user_id) WHERE is_default;
CREATE INDEX data_stores_by_user ON data_stores (user_id);
CREATE TRIGGER rows_are_limited AFTER INSERT ON data_stores
  FOR EACH ROW EXECUTE FUNCTION limit_rows('50', 'user_id', 'true');

-- Which data files make up a store, and since when.
CREATE TABLE store_catalogues (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  store_id integer NOT NULL REFERENCES data_stores ON DELETE CASCADE,
  location text NOT NULL,
  is_local boolean NOT NULL,
  version bigint NOT NULL,
  purged_version bigint NOT NULL,
  created_at timestamptz NOT NULL,
  history_from_version bigint NOT NULL DEFAULT 0,
  UNIQUE (store_id, location)
);

CREATE TABLE store_files (
  catalogue_id integer REFERENCES store_catalogues ON DELETE CASCADE,
  path text,
  layer text NOT NULL,
  partition text NOT NULL,
  rows bigint NOT NULL,
  bytes bigint NOT NULL,
  checksum text NOT NULL,
  segments text NOT NULL,
  added_version bigint NOT NULL,
  added_at timestamptz NOT NULL,
  retired_version bigint,
  retired_at timestamptz,
  is_history boolean NOT NULL DEFAULT false,
  PRIMARY KEY (catalogue_id, path)
);
CREATE INDEX store_files_added ON store_files (catalogue_id, added_version);
CREATE INDEX store_files_retired ON store_files (catalogue_id, retired_version) WHERE retired_version IS NOT NULL;
CREATE INDEX store_files_history ON store_files (catalogue_id, retired_version) WHERE is_history;

CREATE TABLE store_pending_files (
  catalogue_id integer REFERENCES store_catalogues ON DELETE CASCADE,
  path text,
  announced_at timestamptz NOT NULL,
  PRIMARY KEY (catalogue_id, path)
);

-- What a store held at an earlier moment: its changes with their instants, and the records that they removed.
CREATE TABLE store_changes (
  catalogue_id integer REFERENCES store_catalogues ON DELETE CASCADE,
  version bigint,
  changed_at timestamptz NOT NULL,
  first_at timestamptz,
  earlier bytea STORAGE EXTERNAL,
  PRIMARY KEY (catalogue_id, version)
);

-- The records that changes removed, packed.
CREATE TABLE store_removed_rows (
  catalogue_id integer REFERENCES store_catalogues ON DELETE CASCADE,
  version bigint,
  layer text NOT NULL,
  data bytea STORAGE EXTERNAL NOT NULL,
  first_version bigint NOT NULL,
  records integer NOT NULL DEFAULT 0,
  PRIMARY KEY (catalogue_id, version)
);

-- For which instants a provider has been asked.
CREATE TABLE series_coverage (
  store_id integer REFERENCES data_stores ON DELETE CASCADE,
  provider text,
  ticker text,
  granularity text,
  covered int8multirange NOT NULL,
  PRIMARY KEY (store_id, ticker, granularity, provider)
);

-- Which row of an earlier instance became which row here, so that a second import brings nothing twice.
CREATE TABLE imported_rows (
  user_id integer REFERENCES users ON DELETE CASCADE,
  origin text,
  table_name text,
  old_id text,
  new_id text NOT NULL,
  PRIMARY KEY (user_id, origin, table_name, old_id)
);

CREATE TABLE custom_providers (
  user_id integer REFERENCES users ON DELETE CASCADE,
  provider_id text,
  definition jsonb NOT NULL,
  sealed_key bytea,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, provider_id)
);
CREATE TRIGGER rows_are_limited AFTER INSERT ON custom_providers
  FOR EACH ROW EXECUTE FUNCTION limit_rows('50', 'user_id', 'true');

CREATE TABLE collection_jobs (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  name text NOT NULL,
  is_system boolean NOT NULL,
  job_kind text NOT NULL CHECK (job_kind IN ('fetch', 'transform')),
  provider_id text,
  data_store_id integer NOT NULL REFERENCES data_stores,
  tickers text[] NOT NULL,
  data_granularity text NOT NULL,
  categories text[] NOT NULL,
  dates jsonb NOT NULL,
  schedule jsonb,
  additional_params jsonb NOT NULL,
  transform_config jsonb,
  depends_on_job_ids integer[] NOT NULL,
  next_run_at timestamptz,
  created_at timestamptz NOT NULL,
  CONSTRAINT fetching_from_somebody CHECK ((job_kind <> 'fetch') OR provider_id IS NOT NULL)
);
CREATE INDEX collection_jobs_by_user ON collection_jobs (user_id);
CREATE INDEX collection_jobs_due ON collection_jobs (next_run_at) WHERE next_run_at IS NOT NULL;
CREATE UNIQUE INDEX one_system_job ON collection_jobs (user_id) WHERE is_system;
CREATE TRIGGER rows_are_limited AFTER INSERT ON collection_jobs
  FOR EACH ROW EXECUTE FUNCTION limit_rows('100', 'user_id', 'true');

CREATE TABLE collection_runs (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  collection_job_id integer NOT NULL REFERENCES collection_jobs ON DELETE CASCADE,
  queue_job_id uuid NOT NULL UNIQUE,
  job_name text NOT NULL,
  provider text,
  store text NOT NULL,
  status text NOT NULL CHECK (status IN ('running', 'completed', 'failed', 'cancelled')),
  started_at timestamptz NOT NULL,
  completed_at timestamptz,
  records_fetched bigint NOT NULL,
  records_stored bigint NOT NULL,
  layer_counts jsonb NOT NULL,
  run_counts jsonb NOT NULL,
  message text,
  error_message text,
  CONSTRAINT completed_when_it_ended CHECK ((completed_at IS NULL) = (status = 'running'))
);
CREATE INDEX collection_runs_by_user ON collection_runs (user_id, started_at DESC);
CREATE INDEX collection_runs_by_job ON collection_runs (collection_job_id, started_at DESC);

CREATE TABLE saved_queries (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  name text NOT NULL,
  description text NOT NULL,
  tickers text[] NOT NULL,
  categories text[] NOT NULL,
  providers text[] NOT NULL,
  start_date date,
  end_date date,
  is_default boolean NOT NULL,
  use_count integer NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX saved_queries_by_user ON saved_queries (user_id);
CREATE TRIGGER rows_are_limited AFTER INSERT ON saved_queries
  FOR EACH ROW EXECUTE FUNCTION limit_rows('200', 'user_id', 'true');

CREATE TABLE ticker_lists (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  name text NOT NULL,
  list_type text NOT NULL CHECK (list_type IN ('target', 'feature')),
  tickers text[] NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX one_ticker_list_per_name_and_type ON ticker_lists (user_id, list_type, lower(name));
CREATE TRIGGER rows_are_limited AFTER INSERT ON ticker_lists
  FOR EACH ROW EXECUTE FUNCTION limit_rows('200', 'user_id', 'true');

CREATE TABLE strategies (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  name text NOT NULL,
  description text,
  strategy_type text NOT NULL CHECK (strategy_type IN ('Asset Allocation', 'ML', 'Rules', 'External signal')),
  config jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT one_strategy_per_name_and_type UNIQUE (user_id, name, strategy_type)
);
CREATE TRIGGER rows_are_limited AFTER INSERT ON strategies
  FOR EACH ROW EXECUTE FUNCTION limit_rows('1000', 'user_id', 'true');

-- Results, with their order; runs that were not saved are rows, too.
CREATE TABLE backtests (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  strategy_id integer REFERENCES strategies ON DELETE CASCADE,
  strategy_name text NOT NULL,
  name text NOT NULL,
  config jsonb NOT NULL,
  report jsonb NOT NULL,
  cagr double precision,
  sharpe double precision,
  total_return double precision NOT NULL,
  max_drawdown double precision NOT NULL,
  synthetic boolean NOT NULL,
  run_id uuid NOT NULL UNIQUE,
  created_at timestamptz NOT NULL,
  is_saved boolean NOT NULL,
  robustness jsonb,
  spliced jsonb
);
CREATE INDEX backtests_by_user ON backtests (user_id, created_at DESC);
CREATE INDEX backtests_by_strategy ON backtests (strategy_id, created_at DESC);
CREATE TRIGGER rows_are_limited AFTER INSERT OR UPDATE OF is_saved ON backtests
  FOR EACH ROW WHEN (new.is_saved) EXECUTE FUNCTION limit_rows('2000', 'user_id', 'is_saved');

-- Links that open one result to anyone who has them.
CREATE TABLE result_links (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  backtest_id integer NOT NULL REFERENCES backtests ON DELETE CASCADE,
  token_hash bytea NOT NULL UNIQUE,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  with_passport boolean NOT NULL DEFAULT false
);
CREATE INDEX result_links_by_backtest ON result_links (backtest_id);

-- Files of factor returns that users regress results on.
CREATE TABLE factor_files (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  name text NOT NULL,
  content jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  frequency text NOT NULL CONSTRAINT frequency_is_known CHECK (frequency IN ('daily', 'monthly')),
  factors text[] NOT NULL,
  first_day integer NOT NULL,
  last_day integer NOT NULL,
  row_count integer NOT NULL,
  CONSTRAINT days_are_dates CHECK (first_day >= -300000 AND first_day <= last_day AND last_day < 1000000)
);
CREATE INDEX factor_files_by_user ON factor_files (user_id, created_at DESC);
CREATE TRIGGER rows_are_limited AFTER INSERT ON factor_files
  FOR EACH ROW EXECUTE FUNCTION limit_rows('20', 'user_id', 'true');

-- What the checks of a result read, while processes share them.
CREATE TABLE robustness_work (
  id uuid PRIMARY KEY,
  backtest_id integer NOT NULL REFERENCES backtests ON DELETE CASCADE,
  material bytea NOT NULL
);
CREATE INDEX robustness_work_by_backtest ON robustness_work (backtest_id);

CREATE TABLE optimization_runs (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  "order" jsonb NOT NULL,
  client_run_id text,
  candidates jsonb NOT NULL,
  job_id uuid,
  paused boolean NOT NULL,
  cancel_requested boolean NOT NULL,
  ended_as text CHECK (ended_as IN ('completed', 'failed', 'abandoned')),
  error text,
  outcome jsonb,
  created_at timestamptz NOT NULL,
  finished_at timestamptz,
  synthetic boolean,
  error_code text
);
CREATE INDEX optimization_runs_by_user ON optimization_runs (user_id, created_at DESC);
CREATE UNIQUE INDEX one_unfinished_run_per_client_name ON optimization_runs (user_id, client_run_id)
  WHERE ended_as IS NULL AND client_run_id IS NOT NULL;
CREATE TRIGGER rows_are_limited AFTER INSERT ON optimization_runs
  FOR EACH ROW EXECUTE FUNCTION limit_rows('500', 'user_id', 'true');

CREATE TABLE optimization_generations (
  run_id integer REFERENCES optimization_runs ON DELETE CASCADE,
  number integer,
  members jsonb NOT NULL,
  blocks jsonb NOT NULL,
  diversity double precision NOT NULL,
  new_evaluations integer NOT NULL,
  best_fitness double precision NOT NULL,
  average_fitness double precision NOT NULL,
  seconds double precision NOT NULL,
  PRIMARY KEY (run_id, number)
);

CREATE TABLE optimization_data (
  run_id integer PRIMARY KEY REFERENCES optimization_runs ON DELETE CASCADE,
  data bytea NOT NULL,
  nested_choices jsonb NOT NULL DEFAULT '[]'
);

-- Studies of the numbers of rule strategies: results are stored as they come, prices while a study is unfinished.
CREATE TABLE parameter_studies (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  "order" jsonb NOT NULL,
  job_id uuid,
  ended_as text CHECK (ended_as IN ('completed', 'failed')),
  error text,
  outcome jsonb,
  created_at timestamptz NOT NULL,
  finished_at timestamptz
);
CREATE INDEX parameter_studies_by_user ON parameter_studies (user_id, created_at DESC);
CREATE TRIGGER rows_are_limited AFTER INSERT ON parameter_studies
  FOR EACH ROW EXECUTE FUNCTION limit_rows('500', 'user_id', 'true');

CREATE TABLE parameter_study_results (
  study_id integer REFERENCES parameter_studies ON DELETE CASCADE,
  first integer,
  count integer NOT NULL,
  results jsonb NOT NULL,
  seconds double precision NOT NULL,
  PRIMARY KEY (study_id, first)
);

CREATE TABLE parameter_study_data (
  study_id integer PRIMARY KEY REFERENCES parameter_studies ON DELETE CASCADE,
  data bytea NOT NULL
);

-- Weights found by several methods, with how they did on days that they did not know.
CREATE TABLE portfolio_constructions (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  "order" jsonb NOT NULL,
  job_id uuid,
  ended_as text CHECK (ended_as IN ('completed', 'failed')),
  error text,
  outcome jsonb,
  created_at timestamptz NOT NULL,
  finished_at timestamptz
);
CREATE INDEX portfolio_constructions_by_user ON portfolio_constructions (user_id, created_at DESC);
CREATE TRIGGER rows_are_limited AFTER INSERT ON portfolio_constructions
  FOR EACH ROW EXECUTE FUNCTION limit_rows('500', 'user_id', 'true');
`
