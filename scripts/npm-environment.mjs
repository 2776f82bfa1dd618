/** What npm needs of an environment: where it is, its own settings and proxies. */
const NEEDED =
  /^(PATH|HOME|USERPROFILE|APPDATA|LOCALAPPDATA|SYSTEMROOT|COMSPEC|PATHEXT|TEMP|TMP|TMPDIR|LANG|LC_\w+|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|HTTPS?_PROXY|NO_PROXY|NPM_\w+)$/i

/**
 * Without secrets of the program: packages come from others, and npm runs what it is told to.
 * @param {NodeJS.ProcessEnv} environment
 * @returns {NodeJS.ProcessEnv}
 */
export const npmEnvironment = (environment) =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => NEEDED.test(name)))
