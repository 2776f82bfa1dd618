const COMMIT_TYPES = ['feat', 'fix', 'perf', 'refactor', 'test', 'docs', 'build']

/** The list of CONTRIBUTING.md: the line that begins with "Scopes:" and those below it, up to an empty one. */
export function commitScopes(contributing: string): string[] {
  const paragraph = /^Scopes: [\s\S]*?(?=\n\n)/m.exec(contributing)?.[0] ?? ''
  return [...paragraph.matchAll(/`([a-z0-9-]+)`/g)].map(([, scope]) => scope!)
}

/** The reason why a commit's subject is not of the form `type(scope): text`; undefined where it is. */
export function subjectFault(subject: string, scopes: readonly string[]): string | undefined {
  const [, type = '', scope] = /^(\w+)(?:\(([^)]*)\))?: \S/.exec(subject) ?? []
  if (!COMMIT_TYPES.includes(type)) return `"${subject}" does not begin with ${COMMIT_TYPES.join(', ')}`
  if (scope !== undefined && !scopes.includes(scope)) return `"${subject}" has a scope that is not on the list`
  return undefined
}
