import { Schema } from "effect"

/** The header's name as requests carry it. */
export const idempotencyKeyHeader = "idempotency-key"

/** The most characters of a key (docs/reference/idempotency.md#the-idempotency-key-header). */
export const idempotencyKeyLength = 255

const Key = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(idempotencyKeyLength)).annotations({
  description: "Unique per logical operation. Kept for 24 hours."
})

/** The headers of an operation that demands an `Idempotency-Key` (docs/reference/idempotency.md#the-idempotency-key-header). */
export const IdempotencyKey = Schema.Struct({ [idempotencyKeyHeader]: Key })

/** The headers of an operation that takes an `Idempotency-Key` and does without. */
export const OptionalIdempotencyKey = Schema.Struct({ [idempotencyKeyHeader]: Schema.optional(Key) })
