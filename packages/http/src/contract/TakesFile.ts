import { Context } from "effect"

/**
 * Annotates an endpoint whose body is a file. Its handler reads it from the request as it arrives, and applies the
 * `Idempotency-Key`.
 */
export class TakesFile extends Context.Tag("@parley/http/TakesFile")<TakesFile, true>() {}
