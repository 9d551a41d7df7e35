/** A fault of one line that is put into the source, to see whether the audit of simulated histories finds it. */
export interface Mutant {
  /** Unique among the mutants. */
  readonly name: string
  /** What the faulty engine does. */
  readonly fault: string
  /** The promise that is expected to be broken. */
  readonly promise: string
  /** Path of the changed file, from `packages`. */
  readonly file: string
  /** Text of the file, which occurs in it once. */
  readonly find: string
  readonly replacement: string
  /** The database of the histories. Default: the model storage. Mutants of the SQL adapters need SQLite. */
  readonly database?: "sqlite"
}
