/** The solver that the compute threads of the server use. */
export { highsSolver } from '../../../../../apps/server/src/construction/highs-solver.ts'
