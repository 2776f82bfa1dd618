export function npmEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv
