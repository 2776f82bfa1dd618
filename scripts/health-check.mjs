// Ends with 0 when this machine's web process answers that it is healthy: for the health check of a container.
const port = process.env.PORT || 3000
const answer = await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(4000) }).catch(
  () => undefined,
)
process.exit(answer?.ok ? 0 : 1)
