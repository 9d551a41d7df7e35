import type { Declaration, Difference, Made } from "./Declaration.js"

/** A problem of a part of a declaration. */
export interface SetupProblem {
  /** For example `applications.shop`. */
  readonly part: string
  /** Null: the part as a whole. */
  readonly field: string | null
  readonly message: string
}

/**
 * The declaration is invalid or contradicts the workspace, or drift was refused. The message has one line for each
 * reason. Where a call of the administration failed, `cause` is its `ParleyError`; call `setup` again to finish the
 * rest. Failures after the first change, such as a lost database, are `SetupError`s too, so that `made` is not lost.
 */
export class SetupError extends Error {
  override readonly name = "SetupError"
  readonly problems: ReadonlyArray<SetupProblem>
  /** The refused differences. */
  readonly differences: ReadonlyArray<Difference>
  readonly #made: Made<Declaration, string | null> | null

  constructor(parts: {
    readonly problems?: ReadonlyArray<SetupProblem>
    readonly differences?: ReadonlyArray<Difference>
    readonly made?: Made<Declaration, string | null>
    readonly cause?: unknown
  }) {
    const { problems = [], differences = [], made = null } = parts
    const lines = [
      ...problems.map(({ part, field, message }) => `${part}${field === null ? "" : `.${field}`} ${message}`),
      ...differences.map(({ part, kind, fields }) =>
        kind === "changed"
          ? `${part} differs from the declaration in ${fields.map(({ field }) => field).join(", ")}`
          : `${part} is ${kind}`
      )
    ]
    super(`setup: ${lines.join("\n")}`, "cause" in parts ? { cause: parts.cause } : {})
    this.problems = problems
    this.differences = differences
    this.#made = made
  }

  /**
   * What this call had made, with the API keys and signing secrets, which no later call returns. An id is null if the
   * part was not reached. Null if nothing was changed. A getter, so that logs of the error have no secrets.
   */
  get made(): Made<Declaration, string | null> | null {
    return this.#made
  }
}
