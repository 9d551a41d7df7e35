import { fingerprint, type Idempotency, type Refusal, refuse } from "@parley/core"
import { Either } from "effect"
import { idempotencyKeyHeader, idempotencyKeyLength } from "../contract/IdempotencyKey.js"
import { headerOf, type Incoming, isRepeated } from "./Incoming.js"
import type { Operation } from "./Operation.js"

/**
 * The idempotency of a call. Fails with `bad_request` if its key is missing or invalid
 * (docs/reference/idempotency.md#the-idempotency-key-header).
 */
export const idempotencyOf = (
  operation: Operation,
  incoming: Incoming,
  path: string,
  body: unknown
): Either.Either<Idempotency | null, Refusal> => {
  if (operation.idempotencyKey === "none") return Either.right(null)
  const key = headerOf(incoming, idempotencyKeyHeader)
  if (key === undefined) return operation.idempotencyKey === "accepted" ? Either.right(null) : bad("is required")
  if (isRepeated(incoming, idempotencyKeyHeader)) return bad("must be given once")
  if (key === "") return bad("must not be empty")
  if (key.length > idempotencyKeyLength) return bad(`must be at most ${idempotencyKeyLength} characters`)
  let computed: string | undefined
  return Either.right({
    key,
    // Computed when it is compared or stored: for a body of 50,000 values it takes as long as parsing.
    get fingerprint() {
      computed ??= fingerprint(operation.method, path, body)
      return computed
    }
  })
}

const bad = (message: string) =>
  Either.left(
    refuse("bad_request", { "Idempotency-Key": [message] }, "The Idempotency-Key header is missing or not valid.")
  )
