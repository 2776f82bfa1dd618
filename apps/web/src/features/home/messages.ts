export const WELCOME =
  'Welcome to Tradewright. Build a strategy, test it honestly on past data, and follow it in your account.'

export function greeting(username: string | null | undefined): string {
  return `Hello, ${username?.trim() || 'User'}!`
}
