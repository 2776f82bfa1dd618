/** The solver that the compute threads of the server use. */
export { convexSolver } from '../../../../../apps/server/src/construction/convex-solver.ts'
