/**
 * The last door before the broker. It is closed in memory and on disk, so it holds while the database is away and after
 * a restart, and it is asked, synchronously, before every order.
 */
export interface EmergencyGate {
  isClosed(deployment: { readonly userId: number; readonly orderKey: string }): boolean
  closeDeployment(orderKey: string): void
  openDeployment(orderKey: string): void
  /** All of a user's, including those that nobody can list while the database is away. */
  closeUser(userId: number): void
  isUserClosed(userId: number): boolean
  openUser(userId: number): void
}
