// Commands on the machine of the server: each word is a script of package.json.
export const OPERATOR_COMMANDS = {
  start: 'the web app, with jobs and live trading',
  worker: 'jobs only, beside a web process with the same DATABASE_URL',
  backup: '--to file [--secrets] [--test]: everything in one archive, while it runs',
  restore: '--from file [--trade | --compare]: into an empty instance; without a file, lets a restored one trade',
  'export-user': '--user name --to file [--secrets]: the data of one user',
  'import-user': '--from file --into username: adds such a file to an account',
  account: 'action --user name: sign-out, suspend, resume, stop, reset-password, reset-factors',
  invite: '[days]: prints an invitation that makes one account',
  'rotate-secret': 'seals stored keys with a new secret',
  add: 's3|gcs|azure|mongodb|exchanges: installs a package before it is needed',
}
