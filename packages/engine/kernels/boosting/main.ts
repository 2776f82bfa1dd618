export function nothing(): void {}
