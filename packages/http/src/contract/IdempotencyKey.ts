import { Context, Schema } from "effect"

/** The header's name as requests carry it. */
export const idempotencyKeyHeader = "idempotency-key"

/** The most characters of a key (docs/reference/idempotency.md#the-idempotency-key-header). */
export const idempotencyKeyLength = 255

const Key = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(idempotencyKeyLength)).annotations({
  description: "Unique per logical operation. Kept for 24 hours."
})

/**
 * The headers of an operation that demands an `Idempotency-Key`
 * (docs/reference/idempotency.md#the-idempotency-key-header).
 */
export const IdempotencyKey = Schema.Struct({ [idempotencyKeyHeader]: Key })

/** The headers of an operation that takes an `Idempotency-Key` and does without. */
export const OptionalIdempotencyKey = Schema.Struct({ [idempotencyKeyHeader]: Schema.optional(Key) })

/**
 * Annotates a contract whose POST operations all accept an `Idempotency-Key`
 * (docs/reference/idempotency.md#keys-of-administrators).
 */
export class AcceptsIdempotencyKeys extends Context.Tag("@parley/http/AcceptsIdempotencyKeys")<
  AcceptsIdempotencyKeys,
  true
>() {}

/**
 * Annotates an endpoint whose answer has a secret that is shown once. Its answer is stored sealed and for minutes
 * (docs/reference/idempotency.md#answers-with-a-secret).
 */
export class ShowsSecret extends Context.Tag("@parley/http/ShowsSecret")<ShowsSecret, true>() {}
