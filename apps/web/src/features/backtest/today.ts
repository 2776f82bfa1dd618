/** In UTC, as the server counts days: a local date may be a future one to it. */
export const todayUtc = (): string => new Date().toISOString().slice(0, 10)
