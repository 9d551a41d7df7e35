import { fingerprint, type Idempotency, type Refusal, refuse } from "@parley/core"
import { Either } from "effect"
import { idempotencyKeyHeader, idempotencyKeyLength } from "../contract/IdempotencyKey.js"
import { headerOf, type Incoming } from "./Incoming.js"
import type { Operation } from "./Operation.js"

/** What makes the operation happen once, or `bad_request` about its key (decisions.md §2, step 6). */
export const idempotencyOf = (
  operation: Operation,
  incoming: Incoming,
  path: string,
  body: unknown
): Either.Either<Idempotency | null, Refusal> => {
  if (operation.idempotencyKey === "none") return Either.right(null)
  const key = headerOf(incoming, idempotencyKeyHeader)
  if (key === undefined) return operation.idempotencyKey === "accepted" ? Either.right(null) : bad("is required")
  if (key === "") return bad("must not be empty")
  if (key.length > idempotencyKeyLength) return bad(`must be at most ${idempotencyKeyLength} characters`)
  return Either.right({ key, fingerprint: fingerprint(operation.method, path, body) })
}

const bad = (words: string) =>
  Either.left(
    refuse("bad_request", { "Idempotency-Key": [words] }, "The Idempotency-Key header is missing or not valid.")
  )
