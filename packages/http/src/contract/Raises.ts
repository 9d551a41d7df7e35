import type { ErrorCode } from "@parley/core"
import { Context } from "effect"

/**
 * Annotates an endpoint, a group or a whole contract with the error codes of its own; those of all three add up. What
 * follows from the rest of the contract (scopes, ids in the path, a body, an `Idempotency-Key`) need not be said again:
 * see `raisedCodes`.
 */
export class Raises extends Context.Tag("@parley/http/Raises")<Raises, ReadonlyArray<ErrorCode>>() {}

/** Errors of every write of the public interface: the workspace is suspended, or its plan refuses the write. */
export const refusedWrites: ReadonlyArray<ErrorCode> = [
  "workspace_suspended",
  "feature_not_in_plan",
  "limit_reached",
  "insufficient_balance"
]
